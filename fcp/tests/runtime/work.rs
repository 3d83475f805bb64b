//! The work limit of a call.

use super::Play;
use fcp::endpoint::{Endpoint, Policy};
use fcp::work;

/// A board with this number of cards in one lane.
fn many(cards: usize) -> Play {
    let mut play = Play::empty();
    play.act("set work-limit:100");
    play.ops(&["add lane Todo"]);
    let ops: Vec<String> = (0..cards)
        .map(|at| format!("add card C{at} in:Todo"))
        .collect();
    assert!(!play.session.run(&ops, None).is_error);
    play
}

#[test]
fn a_call_over_its_steps_changes_nothing_and_names_the_setting() {
    let mut play = many(2_000);
    play.act("set work-limit:1");
    let before = play.session.digest().unwrap();
    let note =
        "takes more than 1 million steps and changes nothing (set work-limit:MILLIONS moves it)";
    let ops: Vec<String> = (0..200)
        .map(|at| format!("modify @all @type:card pts:{}", 1 + at % 2))
        .collect();
    for policy in [Policy::Atomic, Policy::Isolate, Policy::Stop] {
        let answer = play.session.run(&ops, Some(policy));
        assert!(
            answer.is_error && answer.text.contains(note),
            "{}",
            answer.text
        );
        assert_eq!(play.session.digest().unwrap(), before);
        assert_eq!(play.ask("history 1").lines().count(), 1);
    }
    // Each call has its own steps.
    for op in ops.iter().take(50) {
        play.ops(&[op]);
    }
    play.act("undo 50");
    play.act("set work-limit:100");
    assert!(!play.session.run(&ops, Some(Policy::Atomic)).is_error);
}

#[test]
fn ops_enlarge_a_document_by_a_limited_number_of_rows() {
    let mut play = Play::empty();
    play.act("set row-limit:3");
    play.ops(&["add lane Todo", "add card A in:Todo", "add card B in:Todo"]);
    let note =
        "the board would have over 3 rows more than when it was opened (set row-limit:N moves it)";
    let answer = play.session.run(&["add card C in:Todo".to_owned()], None);
    assert!(
        answer.is_error && answer.text.contains(note),
        "{}",
        answer.text
    );
    // Rows may be replaced, and ops that add none are free.
    play.ops(&["modify A pts:5", "remove B", "add card C in:Todo"]);
    play.act("undo 3");
    play.act("redo 3");
    // A document that is over the limit already can be edited.
    play.act("set row-limit:1");
    play.ops(&["modify A pts:8", "remove C"]);
    play.act("set row-limit:9");
    play.ops(&["add card D in:Todo"]);
}

#[test]
fn the_same_call_fails_at_the_same_op_every_time() {
    let failed_at = || {
        let mut play = many(500);
        play.act("set work-limit:1");
        let ops: Vec<String> = (0..1_000)
            .map(|at| format!("modify @all @type:card pts:{}", 1 + at % 2))
            .collect();
        let text = play.session.run(&ops, None).text;
        let verdict = text
            .lines()
            .find(|line| line.starts_with("! batch rolled back"));
        verdict
            .map(str::to_owned)
            .unwrap_or_else(|| panic!("{text}"))
    };
    assert_eq!(failed_at(), failed_at());
}

#[test]
fn failing_ops_and_statements_of_sql_count_too() {
    let mut play = many(1_000);
    play.act("set work-limit:2");
    let select = "SELECT sum(a.pts + b.pts) FROM cards a, cards b";
    let ops = vec![format!("? {select}"); 10];
    let answer = play.session.run(&ops, None);
    assert!(answer.text.contains("million steps"), "{}", answer.text);
    let answer = play.session.query(select);
    assert!(!answer.is_error, "{}", answer.text);

    let ops: Vec<String> = (0..4_000)
        .map(|at| format!("modify @type:card @where:\"pts = {}\" pts:1", 10_000 + at))
        .collect();
    let answer = play.session.run(&ops, Some(Policy::Isolate));
    assert!(answer.text.contains("million steps"), "{}", answer.text);
}

#[test]
fn an_op_before_an_overlong_query_is_reported_as_taken_back() {
    let mut play = many(10);
    play.act("set work-limit:1");
    let before = play.session.digest().unwrap();
    let ops = [
        "modify C1 pts:3".to_owned(),
        format!("? {ENDLESS}"),
        "? map".to_owned(),
        "modify C2 pts:3".to_owned(),
    ];
    for policy in [Policy::Atomic, Policy::Isolate, Policy::Stop] {
        let text = play.session.run(&ops, Some(policy)).text;
        let verdict =
            "! batch rolled back after 1 of 2 ops: the call takes more than 1 million steps";
        assert!(text.contains(verdict), "{text}");
        assert!(
            text.contains("? map (not asked: the call has no steps left)"),
            "{text}"
        );
        assert_eq!(play.session.digest().unwrap(), before);
    }
}

const ENDLESS: &str =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n";

#[test]
fn ops_before_a_last_overlong_query_are_reported_as_taken_back() {
    let mut play = many(10);
    play.act("set work-limit:1");
    let before = play.session.digest().unwrap();
    let warnings = play.ask("warnings");
    let ops = ["modify C1 pts:3", "remove C2", &format!("? {ENDLESS}")].map(str::to_owned);
    let answer = play.session.run(&ops, Some(Policy::Isolate));
    assert!(answer.is_error, "{}", answer.text);
    let note = "\n! the ops since the last action are rolled back\n";
    assert!(answer.text.contains(note), "{}", answer.text);
    assert_eq!(play.session.digest().unwrap(), before);
    assert_eq!(play.ask("warnings"), warnings);
}

#[test]
fn ops_before_an_action_are_kept_when_a_later_query_takes_too_long() {
    let mut play = many(10);
    play.act("set work-limit:1");
    let endless = format!("? {ENDLESS}");
    let ops = [
        "modify C1 pts:3",
        "! checkpoint here",
        "modify C2 pts:3",
        &endless,
        "! checkpoint there",
    ];
    let answer = play.session.run(&ops.map(str::to_owned), None);
    let note = "\n! the ops since the last action are rolled back\n\
                ! what the call did up to its last action is kept\n\
                ! the call ended here: 1 line not run\n";
    assert!(
        answer.is_error && answer.text.contains(note) && !answer.text.contains("changes nothing"),
        "{}",
        answer.text
    );
    let three = play.ask("SELECT count(*) AS n FROM cards WHERE pts = 3");
    assert!(three.contains('1'), "{three}");
}

#[test]
fn a_call_that_nobody_waits_for_ends_and_changes_nothing() {
    let mut play = many(5_000);
    let before = play.session.digest().unwrap();
    let answer = work::wanted(
        || true,
        || play.run(&["modify @all @type:card pts:3"], Some(Policy::Isolate)),
    );
    assert!(
        answer.text.contains("was cancelled and changes nothing"),
        "{}",
        answer.text
    );
    assert_eq!(play.session.digest().unwrap(), before);
    play.ops(&["modify @all @type:card pts:3"]);
}

#[test]
fn warnings_of_very_many_changed_rows_are_left_to_the_query() {
    let mut play = many(50_001);
    play.act("set work-limit:1000");
    let reply = play.ops(&["modify @all @type:card pts:99"]);
    let note = "? the 50,001 changed rows are not checked for warnings yet (query \"warnings\" checks them)";
    assert!(reply.contains(note), "{reply}");
    assert!(play.ask("warnings").starts_with("? "));
    // Later ops are checked with their calls, as before.
    let reply = play.ops(&["modify C7 pts:98"]);
    assert!(!reply.contains("not checked"), "{reply}");
    assert!(play.act("undo 2").contains("not checked"));
    assert_eq!(play.ask("warnings"), "no warnings");
}

#[test]
fn alternatives_and_repeats_of_a_selector_count_for_each_row() {
    let mut play = many(2_000);
    play.act("set work-limit:1");
    for selectors in [
        format!("@pts:{}", vec!["7"; 1_000].join("|")),
        format!("@type:card {}", "@not:pts:7 ".repeat(1_000)),
        format!("@color:{}", vec!["red"; 1_000].join("|")),
    ] {
        let error = play.err(&format!("modify {selectors} pts:3"));
        assert!(
            error.contains("takes more than 1 million steps"),
            "{error:.200}"
        );
    }
    play.ops(&[&format!(
        "modify @type:card @not:pts:{} pts:3",
        vec!["7"; 100].join("|")
    )]);
}

#[test]
fn queries_and_actions_that_read_the_whole_document_count_its_size() {
    let mut play = many(5_000);
    play.act("save as:a.board");
    play.act("set work-limit:1");
    for line in [
        "? diff file",
        "? diff a.board",
        "! open a.board",
        "! save as:b.board force",
    ] {
        let lines = vec![line.to_owned(); 200];
        let answer = play.session.run(&lines, None);
        assert!(
            answer.is_error && answer.text.contains("takes more than 1 million steps"),
            "{line}: {:.300}",
            answer.text
        );
        assert!(
            !play.session.run(&[line.to_owned()], None).is_error,
            "{line}"
        );
    }
}

#[test]
fn unknown_verbs_count_the_verbs_that_they_are_compared_with() {
    let mut play = Play::new();
    play.act("set work-limit:1");
    let ops: Vec<String> = (0..20_000).map(|at| format!("bogus{at}")).collect();
    let answer = play.session.run(&ops, Some(Policy::Isolate));
    assert!(
        answer.text.contains("takes more than 1 million steps"),
        "{:.300}",
        answer.text
    );
}

#[test]
fn an_unknown_name_counts_the_letters_of_the_names_it_is_compared_with() {
    let mut play = many(1);
    let long = "very ".repeat(40);
    let cards: Vec<String> = (0..1_000)
        .map(|at| format!("add card \"{long}{at}\" in:Todo"))
        .collect();
    assert!(!play.session.run(&cards, None).is_error);
    play.act("set work-limit:1");
    let answer = play
        .session
        .run(&[format!("modify \"{long}ample\" pts:5")], None);
    assert!(
        answer.text.contains("takes more than 1 million steps"),
        "{:.300}",
        answer.text
    );
}

#[test]
fn a_save_counts_changes_that_are_too_many_to_compare_in_a_call() {
    let mut play = many(7_000);
    play.act("save as:a.board");
    play.act("open a.board");
    play.ops(&["modify @type:card pts:3"]);
    play.act("set work-limit:1");
    let saved = play.act("save");
    assert!(
        saved.contains("\n  too many to list in this call (set work-limit:MILLIONS, then ? diff open)\n  nothing else changed:"),
        "{saved}"
    );
    play.act("set work-limit:3");
    let listed = play.ask("diff open");
    assert!(listed.starts_with("~ 7,000 cards: "), "{listed:.300}");
}

#[test]
fn each_op_of_a_call_counts() {
    let mut play = many(10);
    play.act("set work-limit:1");
    let ops = |count: usize| vec!["modify C1 pts:5".to_owned(); count];
    assert!(!play.session.run(&ops(4_000), None).is_error);
    let answer = play.session.run(&ops(10_000), None);
    assert!(
        answer.is_error && answer.text.contains("takes more than 1 million steps"),
        "{:.300}",
        answer.text
    );
}

#[test]
fn a_list_of_names_is_not_searched_for_similar_names_as_a_whole() {
    let mut play = many(10_000);
    play.act("set work-limit:1");
    let ops = |last: &str| -> Vec<String> {
        let op = |at: usize| format!("modify C1,C2,{last}{at} pts:5");
        (3..103).map(op).collect()
    };
    assert!(!play.session.run(&ops("C"), None).is_error);
    let answer = play.session.run(&ops("Cx"), Some(Policy::Isolate));
    assert!(
        answer.text.contains("takes more than 1 million steps"),
        "{:.300}",
        answer.text
    );
}

#[test]
fn a_save_without_steps_left_keeps_the_ops_before_it_and_says_so() {
    let mut play = many(2_000);
    play.act("set work-limit:1");
    // A save takes more steps than one of these ops, so the call first fails at the save.
    let answer = (1..200).find_map(|count| {
        let ops = (0..count).map(|at| format!("modify @all @type:card pts:{}", 1 + at % 2));
        let lines: Vec<String> = ops.chain(["! save as:a.board force".to_owned()]).collect();
        let answer = play.session.run(&lines, None);
        answer.is_error.then_some(answer)
    });
    let text = answer.unwrap().text;
    assert!(
        text.contains("! what the call did up to its last action is kept")
            && text.contains("takes more than 1 million steps")
            && !text.contains("changes nothing"),
        "{text:.900}"
    );
}

#[test]
fn many_queries_and_actions_count_in_a_call() {
    let mut play = many(2_000);
    play.act("set work-limit:1");
    play.ops(&["modify @all @type:card pts:3"]);
    // Each undo and redo passes all cards.
    let back_and_forth = vec!["! undo\n! redo".to_owned(); 2_000];
    let answer = play.session.run(&back_and_forth, None);
    let ends = "the call takes more than 1 million steps";
    assert!(
        answer.is_error && answer.text.contains(ends),
        "{}",
        answer.text
    );
    // A query that is not asked still has a line to read.
    let queries = vec!["? bogus".to_owned(); 20_000];
    let answer = play.session.run(&queries, None);
    assert!(
        answer.is_error && answer.text.contains(ends),
        "{}",
        answer.text
    );
}
