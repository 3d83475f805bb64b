//! The life of a document, and its log.

use super::{Play, hash};
use fcp::endpoint::Endpoint;

#[test]
fn without_a_document_errors_suggest_making_one() {
    let mut play = Play::closed();
    let missing = "! no document is open\n  try: ";
    let answer = play.run(&["gaze"], None);
    assert!(answer.is_error);
    assert_eq!(answer.text, format!("{missing}! new \"Untitled\""));
    for query in [
        "map",
        "list",
        "plan gaze",
        "history",
        "diff checkpoint:x",
        "warnings",
        "find x",
    ] {
        assert_eq!(
            play.ask_err(query),
            format!("{missing}! new \"Untitled\""),
            "{query}"
        );
    }
    for action in [
        "save",
        "save as:./x.board",
        "export as:./x.txt",
        "close",
        "checkpoint c",
        "undo",
        "redo",
        "import a",
        "shout as:./x.txt",
    ] {
        assert_eq!(
            play.act_err(action),
            format!("{missing}new \"Untitled\""),
            "{action}"
        );
    }
    assert!(play.ask("status").starts_with("no document is open"));
    play.act("set batch:isolate");
    assert!(play.act_err("resume").starts_with("! nothing is set aside"));
    play.act("new \"Untitled\"");
}

#[test]
fn new_starts_an_empty_log_and_a_bad_option_is_an_error() {
    let mut play = Play::empty();
    let text = play.act("NEW \"My plan\" lanes:2");
    assert!(
        text.starts_with("+ New board \"My plan\" 2 lanes"),
        "{text}"
    );
    assert!(text.ends_with(&play.digest()));
    assert_eq!(play.ask("history"), "nothing was done yet");
    assert!(play.ask("status").contains("unsaved changes: no"));
    let error = play.act_err("new lanes:99");
    assert_eq!(error, "! lanes:99 is above 9\n  try: new lanes:9");
    let error = play.act_err("new lnes:x");
    assert!(error.ends_with("syntax: new [TITLE] [lanes:N]"), "{error}");
    assert!(play.ask("map").starts_with("My plan"), "the document stays");
}

#[test]
fn undo_reports_the_number_of_ops_and_their_verbs() {
    let mut play = Play::new();
    assert!(
        play.act("undo 3")
            .starts_with("* undone 3 ops: link, add, add\n[")
    );
    assert!(play.act("undo").starts_with("* undone 1 op: add\n"));
    assert!(
        play.act("redo 2")
            .starts_with("* redone 2 ops: add, add\n[")
    );
    let text = play.act("undo 99");
    assert!(text.starts_with("* undone 6 ops: "), "{text}");
    assert_eq!(play.act_err("undo"), "! nothing to undo");
    // A call of this tool has one action.
    let two = play.act_err("redo 2\nundo");
    assert!(two.ends_with("\n  try: redo 2"), "{two}");
    play.act("redo 99");
    assert_eq!(play.act_err("redo"), "! nothing to redo");
    let digest = play.digest();
    assert_eq!(play.act("undo 0"), format!("= undone 0 ops\n{digest}"));
    assert_eq!(play.act("redo 0"), format!("= redone 0 ops\n{digest}"));
}

#[test]
fn undo_batch_takes_back_the_last_call() {
    let mut play = Play::new();
    let before = play.digest();
    play.ops(&["add lane A", "gaze", "add lane B"]);
    play.ok("gaze");
    assert!(
        play.act("undo batch")
            .starts_with("* undone 2 ops: add, add")
    );
    assert_eq!(play.digest(), before);
    play.ops(&["add lane A", "add lane B"]);
    play.act("undo");
    assert!(play.act("undo batch").starts_with("* undone 1 op: add"));
    assert_eq!(play.digest(), before);
}

#[test]
fn undo_goes_back_to_a_checkpoint_and_the_checkpoint_stays_usable() {
    let mut play = Play::new();
    assert_eq!(
        play.act("checkpoint \"before fills\""),
        "* Checkpoint \"before fills\""
    );
    let before = play.digest();
    play.ops(&["add lane A", "add lane B"]);
    assert!(
        play.act("undo to:\"before fills\"")
            .starts_with("* undone 2 ops: add, add")
    );
    assert_eq!(play.digest(), before);
    assert_eq!(
        play.act_err("undo to:\"before fills\""),
        "! nothing to undo since checkpoint \"before fills\""
    );
    play.act("redo 2");
    assert!(
        play.act("undo to:\"before fills\"")
            .starts_with("* undone 2 ops")
    );
    let error = play.act_err("undo to:\"before fill\"");
    assert_eq!(
        error,
        "! checkpoint \"before fill\" not found\n  try: undo to:\"before fills\""
    );
    assert!(
        play.act_err("checkpoint")
            .starts_with("! a checkpoint needs a name")
    );
    assert!(
        play.act_err("checkpoint \"\"")
            .starts_with("! a checkpoint needs a name")
    );
    for name in ["file", "open"] {
        let refused = play.act_err(&format!("checkpoint {name}"));
        assert_eq!(
            refused,
            format!(
                "! a checkpoint cannot be named {name}, which names a state already\n  syntax: checkpoint NAME"
            )
        );
    }
    assert!(
        play.act_err("checkpoint \" \"")
            .starts_with("! a checkpoint needs a name")
    );
}

#[test]
fn a_checkpoint_after_an_undo_clears_redo() {
    let mut play = Play::new();
    play.ok("add lane A");
    play.act("checkpoint a");
    play.act("undo");
    play.act("checkpoint b");
    assert!(play.act_err("redo").starts_with("! nothing to redo"));
    assert!(play.act_err("undo to:a").contains("not found"));
    assert!(
        play.act("undo").starts_with("* undone 1 op: link"),
        "a checkpoint is not a step"
    );
}

#[test]
fn impossible_undos_are_errors() {
    let mut play = Play::new();
    play.act("checkpoint draft");
    play.ok("gaze");
    play.ok("zoom 3");
    assert_eq!(
        play.act_err("undo draft"),
        "! draft is not a number of ops\n  try: undo to:draft"
    );
    assert_eq!(
        play.act_err("undo drfat"),
        "! drfat is not a number of ops\n  try: undo to:draft"
    );
    for action in [
        "undo -1",
        "undo 2 to:draft",
        "undo batch 3",
        "undo 1.5",
        "redo x",
        "undo @all",
        "undo 1 2",
    ] {
        let error = play.act_err(action);
        assert!(
            error.contains("\n  syntax: ") || error.contains("\n  try: "),
            "{error}"
        );
    }
    assert!(
        play.act("undo:2").starts_with("* undone 2 ops: zoom, link"),
        "verb:value is verb value"
    );
    assert!(play.act("UNDO").starts_with("* undone 1 op: add"));
}

#[test]
fn undo_restores_view_state_ids_and_recent_rows() {
    let mut play = Play::new();
    let recent = play.ask("list @recent:3");
    play.ok("zoom 5");
    assert_eq!(play.ask("list @recent:3"), recent, "nobody touched a row");
    play.ok("add lane A");
    assert_eq!(play.ask("list @recent"), "#9 lane A");
    play.act("undo 2");
    assert_eq!(
        play.ask("list @recent:3"),
        recent,
        "undone work does not count"
    );
    play.ok("add lane B");
    assert_eq!(play.ask("list @recent"), "#9 lane B", "ids are given back");
}

#[test]
fn settings_are_not_undo_steps() {
    let mut play = Play::new();
    let text = play.act("set batch:isolate warn:-huge op-limit:2");
    assert_eq!(text, "* Set batch:isolate warn:-huge op-limit:2");
    assert!(play.act("undo").starts_with("* undone 1 op: link"));
    let all = play.act("set");
    for line in [
        "batch:isolate ",
        "echo:full ",
        "warn:-huge ",
        "op-limit:2 ",
        "log-limit:256 ",
        "file-limit:256 ",
    ] {
        assert!(all.contains(line), "{all}");
    }
}

#[test]
fn a_wrong_setting_sets_nothing_and_suggests_a_repair() {
    let mut play = Play::new();
    for (action, message, repair) in [
        ("set bach:stop", "! no setting bach:", "set batch:stop"),
        (
            "set batch:stopp",
            "! batch:stopp is not one of atomic, isolate, stop",
            "set batch:stop",
        ),
        (
            "set batch=stop",
            "! set takes KEY:VALUE, not batch=stop",
            "set batch:stop",
        ),
        (
            "set warn:-hug,-idle",
            "! no warning hug",
            "set warn:-huge,-idle",
        ),
        (
            "set op-limit:0",
            "! op-limit:0 is not a number of MiB from 1 to 64",
            "set op-limit:1",
        ),
        (
            "set op-limit:999 batch:stop",
            "! op-limit:999 ",
            "set op-limit:64 batch:stop",
        ),
        (
            "set work-limit:18446744073709551615",
            "! work-limit:18446744073709551615 is not a number of millions from 1 to 100000",
            "set work-limit:100000",
        ),
        (
            "set row-limit:18446744073709551616",
            "! row-limit:18446744073709551616 is not a number from 1 to 100000000",
            "set row-limit:100000000",
        ),
        (
            "set bach:stop op-limit:x",
            "! no setting bach:",
            "set batch:stop op-limit:1",
        ),
        (
            "set batch:stop batch:stop",
            "! batch: is given twice",
            "set batch:stop",
        ),
        (
            "set batch:stop BATCH:stop",
            "! no setting BATCH:",
            "set batch:stop",
        ),
    ] {
        let before = play.act("set");
        let error = play.act_err(action);
        assert!(error.starts_with(message), "{error}");
        assert!(error.ends_with(&format!("\n  try: {repair}")), "{error}");
        assert_eq!(play.act("set"), before);
        play.act(repair);
        play.act("set batch:default warn:all op-limit:1");
    }
    let error = play.act_err("set batch:stop batch:atomic");
    assert_eq!(error, "! batch: is given twice\n  syntax: set [KEY:VALUE…]");
    let error = play.act_err("set zzz:1");
    assert!(
        error.contains("there are batch, echo, warn, op-limit"),
        "{error}"
    );
    let error = play.act_err("set warn:-zzz");
    assert!(error.contains("there are huge, idle"), "{error}");
    let error = play.act_err("set @all");
    assert!(error.contains("\n  syntax: set"), "{error}");
}

#[test]
fn close_refuses_unsaved_changes() {
    let mut play = Play::new();
    assert_eq!(
        play.act_err("close"),
        "! the document has unsaved changes; close discard lets them go\n  try: save as:./untitled.board"
    );
    play.act("save as:./untitled.board");
    play.ok("gaze");
    assert!(play.act("close").starts_with("* Closed"));
    assert!(play.ask("status").starts_with("no document is open"));
    play.act("open untitled.board");
    play.ok("zoom 2");
    assert!(play.act_err("close").ends_with("try: save"));
    assert!(
        play.act_err("close discrad")
            .ends_with("try: close discard")
    );
    play.act("close discard");
}

#[test]
fn new_and_open_set_unsaved_work_aside_and_resume_brings_it_back() {
    let mut play = Play::new();
    let first = play.digest();
    let text = play.act("new");
    assert!(
        text.contains("\n? the unsaved document was set aside (resume brings it back)\n"),
        "{text}"
    );
    assert!(play.ask("status").contains("set aside: 1"));
    play.ok("add lane Other");
    let second = play.digest();
    let text = play.act("resume");
    assert!(text.starts_with("+ Resumed "), "{text}");
    assert!(text.ends_with(&first), "{text}");
    assert!(
        play.act("undo").starts_with("* undone 1 op: link"),
        "with its log"
    );
    assert!(play.act("resume").ends_with(&second));
}

#[test]
fn the_last_four_are_kept() {
    let mut play = Play::empty();
    for n in 1..=5 {
        play.ok(&format!("add lane L{n}"));
        let text = play.act("new");
        assert_eq!(text.contains("the oldest is gone"), n == 5, "{text}");
    }
    for n in (2..=5).rev() {
        play.act("resume");
        assert!(play.ask("list").contains(&format!("L{n}")));
        play.act("save as:./x.board force");
    }
    assert!(play.act_err("resume").starts_with("! nothing is set aside"));
}

#[test]
fn a_document_without_changes_is_not_set_aside() {
    let mut play = Play::empty();
    assert!(!play.act("new").contains("set aside"));
    play.ok("zoom 3");
    play.act("undo");
    assert!(!play.act("new").contains("set aside"));
}

#[test]
fn an_action_that_changes_the_document_is_one_step() {
    let mut play = Play::new();
    let before = play.digest();
    let text = play.act("import a,b,c");
    assert!(text.starts_with("+ 3 cards\n"), "{text}");
    assert!(text.ends_with(&play.digest()) && play.digest() != before);
    assert!(play.ask("history 1").ends_with("1  import a,b,c"));
    assert!(play.act("undo").starts_with("* undone 1 op: import"));
    assert_eq!(play.digest(), before);
}

#[test]
fn digests_follow_actions_that_move_the_document_and_no_others() {
    let mut play = Play::new();
    for action in ["undo", "redo", "import a", "new", "resume"] {
        let text = play.act(action);
        assert!(text.ends_with(&play.digest()), "{action}: {text}");
    }
    for action in [
        "save as:./a.board",
        "checkpoint c",
        "set batch:stop",
        "set",
        "export as:./a.txt",
    ] {
        let text = play.act(action);
        assert!(!text.contains(hash(&play.digest())), "{action}: {text}");
    }
    let text = play.act("open a.board");
    assert!(text.ends_with(&play.digest()), "{text}");
}

#[test]
fn status_shows_file_changes_checkpoints_reach_policy_and_digest() {
    let mut play = Play::new();
    play.act("checkpoint a");
    play.ok("zoom 3");
    let status = play.ask("status");
    for line in [
        "file: none yet",
        "unsaved changes: yes",
        "undo: 9 ops, redo: 0 ops",
        "checkpoints: open (9 back), a (1 back)",
        "batch: atomic",
    ] {
        assert!(status.contains(&format!("{line}\n")), "{status}");
    }
    assert!(status.ends_with(&play.digest()));
    play.act("save as:./a.board");
    play.act("undo to:a");
    let status = play.act("status");
    assert!(
        status.starts_with("file: ./a.board (board)\nunsaved changes: yes"),
        "{status}"
    );
    assert!(
        status.contains(
            "checkpoints: open (8 back), a (0 back), first-save (1 ahead), save (1 ahead)\n"
        ),
        "{status}"
    );
    assert!(status.contains("redo: 1 op\n"), "{status}");
    play.act("redo");
    assert!(play.ask("status").contains("unsaved changes: no"));
    assert!(play.ask_err("status now").contains("syntax: status"));
}

#[test]
fn status_stays_short_with_many_checkpoints() {
    let mut play = Play::new();
    for n in 0..300 {
        play.act(&format!("checkpoint {}{n}", "x".repeat(200)));
    }
    let status = play.ask("status");
    assert!(status.len() <= 16 * 1024, "{}", status.len());
    assert!(status.contains("293 older"), "{status}");
}

#[test]
fn the_log_drops_its_oldest_entries_and_reports_it() {
    let mut play = Play::new();
    play.act("checkpoint start");
    play.act("set log-limit:1");
    for n in 0..6 {
        play.ok(&format!("add lane \"{n}{}\"", "x".repeat(60_000)));
        play.ok(&format!("fill Todo {}", 1500 + n));
    }
    let status = play.ask("status");
    assert!(status.contains("older ops were let go"), "{status}");
    assert!(status.contains("start (out of reach)"), "{status}");
    let history = play.ask("history 1000");
    assert!(history.contains("older ops were let go"), "{history}");
    assert!(play.act_err("undo to:start").contains("out of reach"));
    assert!(
        play.ask_err("diff checkpoint:start")
            .contains("out of reach")
    );
    let text = play.act("undo 1000");
    assert!(text.starts_with("* undone "), "{text}");
    assert!(play.ask("status").contains("unsaved changes: yes"));
    assert_eq!(
        play.act_err("undo"),
        "! nothing to undo: older ops were let go to keep within log-limit"
    );
}

#[test]
fn the_log_counts_the_texts_that_its_entries_hold() {
    let mut play = Play::new();
    play.act("set log-limit:1");
    let note = "x".repeat(60_000);
    play.ok(&format!("add card Big in:Todo note:{note}"));
    // Short ops, each of which stores the long note twice.
    for n in 1..16 {
        play.ok(&format!("modify Big pts:{n}"));
    }
    let status = play.ask("status");
    assert!(status.contains("older ops were let go"), "{status}");
}

#[test]
fn a_call_too_heavy_for_the_log_still_counts_as_a_change() {
    let mut play = Play::new();
    play.act("set log-limit:1");
    play.run(&["gaze", "break"], None);
    assert!(play.ask("status").contains("held for amend"));
    let text = play.ops(&[
        "add card Big in:Todo pts:99",
        "fill Todo 5000",
        "fill Todo 5000",
    ]);
    assert!(text.contains("\n? "), "{text}");
    assert!(!play.ask("status").contains("held for amend"));
}

#[test]
fn a_document_that_was_aside_minds_the_limit_that_was_set_meanwhile() {
    let mut play = Play::new();
    play.ops(&["fill Todo 5000", "fill Todo 5000"]);
    play.act("new");
    play.act("set log-limit:1");
    play.act("resume");
    assert!(play.ask("status").contains("older ops were let go"));
}

#[test]
fn documents_that_are_set_aside_share_the_limit_of_the_log() {
    let mut play = Play::new();
    play.act("set log-limit:1");
    let note = "x".repeat(30_000);
    let work = |play: &mut Play| {
        play.ok("add lane Work");
        play.ok(&format!("add card Big in:Work note:{note}"));
        for n in 1..14 {
            play.ok(&format!("modify Big pts:{n}"));
        }
        play.act("new")
    };
    let aside = "of documents that are set aside can no longer be undone, to keep within log-limit";
    let mut reports = 0;
    for _ in 0..4 {
        let text = work(&mut play);
        assert!(
            text.contains("? the unsaved document was set aside"),
            "{text}"
        );
        reports += usize::from(text.contains(aside));
        let weight = play.session.log_weight();
        assert!(weight <= 1 << 20, "{weight}");
    }
    assert!(reports > 0);
    // The content is kept, and so are the newest ops.
    for undone in ["", "", "older", "older"] {
        play.act("resume");
        let listed = play.ask("describe Big");
        assert!(listed.contains("Big"), "{listed}");
        let status = play.ask("status");
        assert!(
            status.contains(undone) && !status.contains("undo: 0 ops"),
            "{status}"
        );
        play.act("undo");
        play.act("close discard");
    }
}

#[test]
fn help_is_there_without_a_document_and_knows_topics() {
    let mut play = Play::closed();
    let card = play.session.help(None).text;
    for word in [
        "add TYPE", "discard", "@heavy", "load", "import", "batch", "amend", "plan", "resume",
        "huge", "op-limit",
    ] {
        assert!(card.contains(word), "{word}");
    }
    for topic in ["discard", "CARD", "selectors", "examples", "colo", "set"] {
        let answer = play.session.help(Some(topic));
        assert!(!answer.is_error, "{topic}: {}", answer.text);
    }
    for (topic, part) in [
        ("functions", "REGEXP"),
        ("NULL", "NULL leaves a row as it is"),
        ("query", "## Queries"),
        ("actions", "save"),
        ("ops", "add"),
        ("workflow", "## Example"),
        ("limits", "op-limit"),
    ] {
        let answer = play.session.help(Some(topic));
        assert!(
            !answer.is_error && answer.text.contains(part),
            "{topic}: {}",
            answer.text
        );
    }
    let answer = play.session.help(Some("discrad"));
    assert!(answer.is_error);
    assert!(answer.text.contains("discard"), "{}", answer.text);
}

#[test]
fn an_undo_or_redo_that_fails_shows_the_digest() {
    let mut play = Play::new();
    let digest = play.digest();
    for action in ["undo to:nothing", "redo", "redo x"] {
        let answer = play.session.act(action);
        assert!(
            answer.is_error && answer.text.starts_with("! "),
            "{}",
            answer.text
        );
        let last = answer.text.lines().last().unwrap_or_default();
        assert_eq!(last, digest, "{action}: {}", answer.text);
    }
    let answer = play.session.act("close");
    assert!(
        answer.is_error && !answer.text.contains(&digest),
        "{}",
        answer.text
    );
    let answer = Play::closed().session.act("undo");
    assert!(
        answer.is_error && !answer.text.contains('['),
        "{}",
        answer.text
    );
}

#[test]
fn long_values_are_cut_in_the_replies_of_actions() {
    let mut play = Play::new();
    let long = "x".repeat(60_000);
    let answer = play.act(&format!("new \"{long}\""));
    assert!(answer.len() < 4096, "{}", answer.len());
    assert!(answer.contains("xxx…"), "{answer}");
}
