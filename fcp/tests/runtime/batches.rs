//! Calls of several ops.

use super::{Play, hash};
use fcp::endpoint::{Endpoint, Policy};

#[test]
fn a_call_answers_one_line_an_op_and_ends_with_the_digest() {
    let mut play = Play::empty();
    let text = play.ops(&["add lane A", "gaze", "add lane B"]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[..3], ["+ lane A", "= 0 cards", "+ lane B"]);
    assert_eq!(lines.len(), 4);
    assert!(lines[3].starts_with("[2l 0c refs:0 #"), "{text}");
}

#[test]
fn atomic_runs_every_op_reports_every_error_and_rolls_back() {
    let mut play = Play::new();
    let seen = |play: &mut Play| {
        [
            "list",
            "history",
            "list @recent:9",
            "list @recent:2ops",
            "warnings",
            "describe *",
        ]
        .map(|q| play.ask(q))
    };
    play.act("checkpoint c");
    play.ok("add lane X");
    play.act("undo");
    let (before, digest) = (seen(&mut play), play.digest());
    let status = play.ask("status");
    let answer = play.run(
        &[
            "add lane Y",
            "zoom 9",
            "add lane Z pts:3",
            "break",
            "add card Q in:Y",
        ],
        None,
    );
    assert!(answer.is_error);
    let lines: Vec<_> = answer.text.lines().collect();
    assert_eq!(lines[0], "+ lane Y");
    assert_eq!(lines[1], "@ zoom 9");
    assert!(
        lines[2].starts_with("! lane has no pts:"),
        "{}",
        answer.text
    );
    assert!(
        answer.text.contains("\n! it broke\n  syntax: break\n"),
        "{}",
        answer.text
    );
    assert!(answer.text.contains("\n+ card Q in:Y"), "{}", answer.text);
    assert!(
        answer.text.ends_with(&format!(
            "\n! batch rolled back: ops 3, 4 of 5 failed\n{digest}"
        )),
        "{}",
        answer.text
    );
    assert_eq!(seen(&mut play), before);
    let after = play.ask("status");
    let kept: Vec<_> = after
        .lines()
        .filter(|line| !line.starts_with("held"))
        .collect();
    assert_eq!(kept.join("\n"), status, "the redo tail is still there");
    assert!(play.act("redo").starts_with("* redone 1 op: add"));
    assert_eq!(play.ok("add lane Y"), "+ lane Y");
    assert!(
        play.ask("describe Y").starts_with("#10 "),
        "ids are drawn as before"
    );
}

#[test]
fn an_echo_of_runs_groups_replies_by_verb_and_target() {
    let mut play = Play::new();
    play.act("set echo:runs");
    let ops = [
        "rename Paint Stain",
        "add lane A",
        "modify Hang pts:1",
        "gaze",
        "modify hang pts:2",
        "modify @type:card pts:3",
        "zzqx",
        "modify @type:card pts:3",
        "modify @type:card pts:4",
        "add card New in:A",
        "add lane B",
        "modify Hang pts:4",
    ];
    let plain = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let lines = plain(&play.run(&ops, Some(Policy::Isolate)).text);
    let expected = [
        "* card Paint -> Stain",
        "+ add lane ×2; last: lane B",
        "* modify Hang ×2; last: card Hang in:Todo pts:2 color:white",
        "= 3 cards",
        "* modify @type:card ×2; last: Modified 3 rows: pts:4",
        "! Unknown verb \"zzqx\"",
        "= nothing changed",
        "+ card New in:A pts:1 color:white",
        "= nothing changed",
    ];
    let first = |line: &String| line.split("; there are").next().unwrap().to_owned();
    let shown: Vec<String> = lines[..lines.len() - 1].iter().map(first).collect();
    assert_eq!(shown, expected);
    assert!(lines.last().unwrap().starts_with("[4l "), "{lines:?}");
    // Undo covers every op, and a call of one op answers as before.
    assert!(play.act("undo batch").starts_with("* undone 8 ops"));
    assert!(play.ok("add lane A").starts_with("+ lane A"));
    assert!(play.ask("plan add lane X; add lane Y").starts_with("+ add"));
    assert!(play.ask("status").contains("\nset: echo:runs\n"));
    let error = play.act_err("set echo:run");
    assert_eq!(
        error,
        "! echo:run is not one of full, runs\n  try: set echo:runs"
    );
    play.act("set echo:full");
    assert!(!play.ask("status").contains("\nset:"));
    assert_eq!(play.ops(&["add lane C", "add lane D"]).lines().count(), 3);
}

#[test]
fn a_call_of_one_op_does_not_mention_a_batch() {
    let mut play = Play::new();
    let error = play.err("brek");
    assert!(error.starts_with("! Unknown verb \"brek\""), "{error}");
    assert!(!error.contains("rolled back"), "{error}");
}

#[test]
fn isolate_keeps_successes_and_is_an_error_only_without_any() {
    let mut play = Play::empty();
    let ops = ["add lane A", "break", "add lane B"];
    let answer = play.run(&ops, Some(Policy::Isolate));
    assert!(!answer.is_error);
    assert!(
        answer.text.starts_with("+ lane A\n! it broke\n"),
        "{}",
        answer.text
    );
    assert!(answer.text.contains("\n+ lane B\n[2l "), "{}", answer.text);
    assert!(!answer.text.contains("rolled back"));
    let answer = play.run(&["break", "break"], Some(Policy::Isolate));
    assert!(answer.is_error, "nothing was applied");
}

#[test]
fn stop_ends_at_the_first_failure_and_counts_the_rest() {
    let mut play = Play::empty();
    let ops = [
        "batch stop",
        "add lane A",
        "break",
        "add lane B",
        "add lane C",
    ];
    let answer = play.run(&ops, None);
    assert!(!answer.is_error);
    assert!(
        answer
            .text
            .starts_with("= batch stop\n+ lane A\n! it broke"),
        "{}",
        answer.text
    );
    assert!(
        answer
            .text
            .contains("\n! stopped: op 2 of 4 failed, 2 not run\n[1l "),
        "{}",
        answer.text
    );
}

#[test]
fn the_strongest_policy_wins() {
    let mut play = Play::empty();
    let kept = |play: &mut Play, ops: &[&str], policy| {
        play.run(ops, policy);
        let n = play
            .ask("list")
            .lines()
            .filter(|line| line.contains("lane"))
            .count();
        play.act("new");
        n
    };
    let ops = ["add lane A", "break", "add lane B"];
    assert_eq!(kept(&mut play, &ops, None), 0, "the domain's own default");
    assert_eq!(
        kept(&mut play, &ops, Some(Policy::Isolate)),
        2,
        "the tool name's"
    );
    play.act("set batch:stop");
    assert_eq!(
        kept(&mut play, &ops, Some(Policy::Isolate)),
        1,
        "the session's"
    );
    let ops = ["batch atomic", "add lane A", "break", "add lane B"];
    assert_eq!(
        kept(&mut play, &ops, Some(Policy::Isolate)),
        0,
        "the call's"
    );
    assert!(play.ask("status").contains("batch: stop"));
    let answer = play.run(&["batch isolat", "gaze"], None);
    assert!(
        answer.is_error && answer.text.contains("\n  try: batch isolate\n"),
        "{}",
        answer.text
    );
    let error = play.err("batch isolat");
    assert!(
        error.contains("syntax: batch atomic|isolate|stop"),
        "{error}"
    );
}

#[test]
fn a_name_that_a_failed_op_was_to_make_needs_that_op() {
    let mut play = Play::new();
    let answer = play.run(
        &[
            "gaze",
            "add lane Shelf pts:3",
            "add card Book in:shelf",
            "modify Book pts:3",
        ],
        None,
    );
    let lines: Vec<_> = answer
        .text
        .lines()
        .filter(|line| !line.starts_with(' '))
        .collect();
    assert_eq!(lines[2], "! add card Book in:shelf needs op 2");
    assert_eq!(lines[3], "! modify Book pts:3 needs op 3");
    assert_eq!(lines[4], "! batch rolled back: ops 2, 3, 4 of 4 failed");
}

#[test]
fn a_failed_statement_would_have_made_the_rows_that_it_names() {
    let mut play = Play::new();
    let insert = "INSERT INTO cards(name, lane, pts) VALUES ('Pen', 'Nowhere', 1)";
    let answer = play.run(&[insert, "modify Pen pts:3"], None);
    let needed = "! modify Pen pts:3 needs op 1\n";
    assert!(answer.text.contains(needed), "{}", answer.text);
}

#[test]
fn an_op_that_only_names_a_missing_row_does_not_make_it() {
    let mut play = Play::new();
    let answer = play.run(&["modify Ghost pts:1", "modify Ghost pts:2"], None);
    let error = "! ops 1-2: Row \"Ghost\" not found\n";
    assert!(answer.text.starts_with(error), "{}", answer.text);
    assert!(!answer.text.contains("needs op"), "{}", answer.text);
}

#[test]
fn amend_resends_a_rolled_back_batch() {
    let mut play = Play::new();
    let ops = [
        "add lane A",
        "add card x in:A pts:0",
        "add card y in:A",
        "add card z in:B",
    ];
    assert!(play.run(&ops, None).is_error);
    assert!(
        play.ask("status")
            .contains("held for amend: a batch of 4 ops")
    );
    let answer = play.run(&["amend 2 add card x in:A pts:1"], None);
    assert!(answer.is_error);
    assert!(
        answer.text.contains("batch rolled back: op 4 of 4 failed"),
        "{}",
        answer.text
    );
    let text = play.ops(&["amend 4 add card z in:A", "amend 3 add card w in:A"]);
    assert!(
        text.starts_with("+ lane A\n+ card x in:A pts:1 color:white\n+ card w in:A"),
        "{text}"
    );
    let error = play.err("amend 1 add lane C");
    assert!(error.starts_with("! no batch is held"), "{error}");
}

#[test]
fn only_a_change_of_state_drops_a_held_batch() {
    let mut play = Play::new();
    let hold = |play: &mut Play| assert!(play.run(&["add lane A", "break"], None).is_error);
    let held = |play: &mut Play| play.ask("status").contains("held for amend");
    hold(&mut play);
    play.err("break");
    assert!(held(&mut play), "a failed op changes nothing");
    play.ok("gaze");
    play.ask("list");
    play.act("set batch:atomic");
    play.act_err("undo to:nowhere");
    play.act("save as:./a.board");
    assert!(held(&mut play));
    play.ok("zoom 3");
    assert!(!held(&mut play));
    for action in [
        "undo",
        "redo",
        "checkpoint c",
        "import a",
        "new",
        "open a.board",
        "resume",
    ] {
        hold(&mut play);
        play.act(action);
        assert!(!held(&mut play), "{action}");
    }
}

#[test]
fn a_wrong_amend_gives_the_reason_and_keeps_the_batch() {
    let mut play = Play::new();
    play.run(&["add lane A", "break"], None);
    for (ops, message) in [
        (&["amend 3 gaze"][..], "! the held batch has ops 1 to 2"),
        (&["amend x gaze"], "! x is not a number"),
        (&["amend 0 gaze"], "! the held batch has ops 1 to 2"),
        (&["amend 2"], "! amend needs a number and an op"),
        (
            &["amend 2 gaze", "gaze"],
            "! amend sends the held batch again as a whole",
        ),
    ] {
        let answer = play.run(ops, None);
        assert!(
            answer.is_error && answer.text.starts_with(message),
            "{}",
            answer.text
        );
    }
    play.ops(&["amend 2 gaze"]);
}

#[test]
fn batch_and_amend_come_first_in_a_call() {
    let mut play = Play::new();
    for op in ["batch isolate", "amend 1 gaze"] {
        let answer = play.run(&["gaze", op], None);
        let word = op.split(' ').next().unwrap();
        assert!(
            answer
                .text
                .contains(&format!("\n! {word} goes first in a call")),
            "{}",
            answer.text
        );
    }
}

#[test]
fn a_call_without_ops_is_reported() {
    let mut play = Play::new();
    for ops in [&[][..], &["batch isolate"]] {
        let answer = play.run(ops, None);
        assert!(answer.is_error && answer.text.starts_with("! no ops were sent"));
        assert!(answer.text.ends_with(&play.digest()));
    }
}

#[test]
fn an_op_that_changed_nothing_makes_no_entry_and_cuts_nothing() {
    let mut play = Play::new();
    play.ok("zoom 3");
    play.act("undo");
    play.ok("gaze");
    play.ok("modify Paint pts:5");
    assert!(play.ask("status").contains("redo: 1 op"));
    assert!(play.act("redo").starts_with("* redone 1 op: zoom"));
}

#[test]
fn equal_states_have_equal_digests_whatever_the_path() {
    let mut one = Play::new();
    let mut other = Play::empty();
    other.ops(&[
        "add lane Todo",
        "add person Bob",
        "add lane Done",
        "add card Nothing in:Done",
        "remove Nothing",
        "add card Buy in:Done pts:19",
        "add person Ann",
        "add card Hang in:Todo pts:8 owner:Bob",
        "add card Paint in:Todo pts:5 owner:Bob",
        "modify Buy color:red pts:20",
        "modify Hang owner:none",
        "modify Paint owner:Ann",
        "link Paint Hang",
    ]);
    assert_ne!(one.ask("list"), other.ask("list"), "the ids differ");
    // Cards have remarks, so their order matters; here it was another.
    other.ops(&["remove @type:link", "remove @type:card"]);
    other.ops(&[
        "add card Paint in:Todo pts:5 owner:Ann",
        "add card Hang in:Todo pts:8",
        "add card Buy in:Done pts:20 color:red",
        "link Paint Hang",
    ]);
    assert_eq!(one.digest(), other.digest());
    one.ok("zoom 4");
    assert_eq!(one.digest(), other.digest(), "view state is not content");
    one.act("save as:./a.board");
    one.act("open a.board");
    assert_eq!(one.digest(), other.digest());
}

#[test]
fn different_states_have_different_digests() {
    let mut play = Play::new();
    let mut seen = vec![hash(&play.digest()).to_owned()];
    for op in [
        "modify Paint owner:Bob",
        "modify Paint in:Done",
        "modify @type:link to:Buy",
        "add remark text:loose",
        "modify @type:remark text:other",
        "modify @type:remark on:Buy",
        "modify @type:remark on:Hang",
        "title Plan",
        "rename Bob Bert",
    ] {
        play.ok(op);
        let now = hash(&play.digest()).to_owned();
        assert!(!seen.contains(&now), "{op} does not show in the digest");
        seen.push(now);
    }
}

#[test]
fn links_that_change_partners_show_in_the_digest() {
    let mut play = Play::new();
    play.ops(&["add card A in:Todo", "add card B in:Todo", "link A B"]);
    let before = play.digest();
    play.ops(&["modify #8 to:B", "modify #11 to:Hang"]);
    assert_ne!(hash(&before), hash(&play.digest()));
}

#[test]
fn a_failed_call_answers_the_digest_too() {
    let mut play = Play::new();
    for op in ["", "noot", "break", "add lane \"", "@all", "batch x"] {
        play.err(op);
    }
    let digest = play.digest();
    assert!(play.session.run(&[], None).text.ends_with(&digest));
}

#[test]
fn rows_that_are_nothing_but_references_are_counted() {
    let mut play = Play::new();
    let mut seen = vec![hash(&play.digest()).to_owned()];
    for _ in 0..3 {
        play.ok("link Paint Hang");
        let now = hash(&play.digest()).to_owned();
        assert!(!seen.contains(&now), "one more link shows");
        seen.push(now);
    }
}

#[test]
fn a_policy_holds_for_the_later_batches_of_a_call() {
    let mut play = Play::new();
    let answer = play.run(
        &[
            "add lane A",
            "! checkpoint one",
            "batch isolate",
            "modify Ghost pts:1",
            "add lane B",
            "! checkpoint two",
            "modify Ghost pts:2",
            "add lane C",
            "! checkpoint three",
            "batch atomic",
            "modify Ghost pts:3",
            "add lane D",
        ],
        None,
    );
    let lanes = play.ask("SELECT group_concat(name, ' ') FROM lanes");
    assert!(lanes.contains("\nTodo Done A B C\n"), "{}", answer.text);
}
