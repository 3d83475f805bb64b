//! The rows that selectors match.

use super::Play;

/// The names of the rows that a query lists.
fn names(play: &mut Play, selectors: &str) -> Vec<String> {
    let text = play.ask(&format!("list {selectors}"));
    text.lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.split(' ').nth(2).unwrap().to_owned())
        .collect()
}

#[test]
fn selectors_and_together() {
    let mut play = Play::new();
    assert_eq!(names(&mut play, "@all").len(), 8);
    assert_eq!(names(&mut play, "@type:card"), ["Paint", "Hang", "Buy"]);
    assert_eq!(names(&mut play, "@type:card @in:todo"), ["Paint", "Hang"]);
    assert_eq!(names(&mut play, "@in:Todo @pts:8"), ["Hang"]);
    assert_eq!(
        names(&mut play, "@pts:5-8 @pts:8-20"),
        ["Hang"],
        "one type twice is ANDed too"
    );
    assert_eq!(names(&mut play, "@type:card @type:lane"), [""; 0]);
}

#[test]
fn alternatives_are_inside_one_selector() {
    let mut play = Play::new();
    assert_eq!(
        names(&mut play, "@type:lane|people"),
        ["Todo", "Done", "Ann", "Bob"]
    );
    assert_eq!(names(&mut play, "@color:red|white @in:Done"), ["Buy"]);
    assert_eq!(names(&mut play, "@pts:1-5|20"), ["Paint", "Buy"]);
    assert_eq!(names(&mut play, "@in:Todo|Done"), ["Paint", "Hang", "Buy"]);
    let error = play.ask_err("list @type:lane|cardd");
    assert!(error.contains("cardd"), "{error}");
    assert!(error.ends_with("try: list @type:lane|card"), "{error}");
}

#[test]
fn not_negates_any_selector() {
    let mut play = Play::new();
    assert_eq!(names(&mut play, "@type:card @not:in:Todo"), ["Buy"]);
    assert_eq!(
        names(&mut play, "@type:card @not:color:red|lightblue"),
        ["Paint", "Hang"]
    );
    assert_eq!(
        names(&mut play, "@type:card @not:recent:2"),
        ["Paint", "Hang"]
    );
    assert_eq!(names(&mut play, "@type:card @not:id:5"), ["Hang", "Buy"]);
    assert_eq!(names(&mut play, "@not:all"), [""; 0]);
    assert_eq!(names(&mut play, "@type:card @not:heavy:8"), ["Paint"]);
}

#[test]
fn ranges_include_both_ends_and_bounds_work() {
    let mut play = Play::new();
    assert_eq!(names(&mut play, "@pts:5-8"), ["Paint", "Hang"]);
    assert_eq!(names(&mut play, "@pts:>=8"), ["Hang", "Buy"]);
    assert_eq!(names(&mut play, "@pts:>8"), ["Buy"]);
    assert_eq!(names(&mut play, "@points:<8"), ["Paint"]);
    let error = play.ask_err("list @pts:8-5");
    assert_eq!(error, "! 8-5 is reversed\n  try: list @pts:5-8");
    let error = play.ask_err("list @pts:500");
    assert!(error.ends_with("try: list @pts:100"), "{error}");
}

#[test]
fn references_select_by_the_row_they_name() {
    let mut play = Play::new();
    assert_eq!(names(&mut play, "@owner:ann"), ["Paint"]);
    assert_eq!(names(&mut play, "@owner:person:Bob"), [""; 0]);
    let error = play.ask_err("list @owner:Zed");
    assert!(error.contains("Person \"Zed\" not found"), "{error}");
    let error = play.ask_err("list @in:Tood");
    assert!(error.ends_with("try: list @in:Todo"), "{error}");
}

#[test]
fn ids_are_numbers_lists_and_spans() {
    let mut play = Play::new();
    assert_eq!(names(&mut play, "@id:5"), ["Paint"]);
    assert_eq!(names(&mut play, "@id:#5,7"), ["Paint", "Buy"]);
    assert_eq!(names(&mut play, "@id:5-7"), ["Paint", "Hang", "Buy"]);
    assert_eq!(names(&mut play, "@id:5|7"), ["Paint", "Buy"]);
    assert!(play.ask_err("list @id:77").contains("#77 not found"));
    assert!(play.ask_err("list @id:x").contains("not an id"));
    assert_eq!(
        play.ask_err("list @id:7-5"),
        "! @id:7-5 is reversed\n  try: list @id:5-7"
    );
    assert_eq!(
        play.ask_err("list @id:1,7-5,2"),
        "! @id:7-5 is reversed\n  try: list @id:1,5-7,2"
    );
}

#[test]
fn recent_selects_the_rows_touched_last_newest_first() {
    let mut play = Play::new();
    play.ok("modify Hang pts:9");
    assert_eq!(names(&mut play, "@recent"), ["Hang"]);
    play.ok("modify Paint,Buy pts:9");
    play.ok("modify Ann name:Anne");
    assert_eq!(names(&mut play, "@recent"), ["Anne"]);
    let last: Vec<_> = names(&mut play, "@recent:4");
    assert_eq!(last[0], "Anne", "newest first");
    assert_eq!(last[3], "Hang");
    assert_eq!(names(&mut play, "@recent:4 @type:card").len(), 3);
    assert_eq!(names(&mut play, "@recent:2ops").len(), 3);
    assert_eq!(names(&mut play, "@recent:1ops"), ["Anne"]);
    play.ok("remove Anne");
    assert_eq!(
        names(&mut play, "@recent:1ops"),
        ["Paint"],
        "the living rows of the last op"
    );
    play.act("undo 2");
    assert_eq!(names(&mut play, "@recent:2").len(), 2);
    assert!(!names(&mut play, "@recent:2").contains(&"Ann".to_owned()));
    assert_eq!(names(&mut play, "@recent:99").len(), 8, "each row once");
    for wrong in [
        "@recent:0",
        "@recent:x",
        "@recent:-1",
        "@recent:1.5",
        "@recent:0ops",
    ] {
        let error = play.ask_err(&format!("list {wrong}"));
        assert!(error.ends_with("try: list @recent:1"), "{error}");
    }
}

#[test]
fn ops_in_a_call_see_what_the_ones_before_touched() {
    let mut play = Play::new();
    let text = play.ops(&[
        "add card A in:Todo",
        "modify @recent pts:3",
        "add card B in:Todo",
        "discard @recent:2",
    ]);
    assert!(text.contains("- 2 cards"), "{text}");
}

#[test]
fn an_unknown_selector_is_never_ignored() {
    let mut play = Play::new();
    let (message, op) = play.mend("modify @tpye:card pts:3");
    assert_eq!(message, "! no selector @tpye");
    assert_eq!(op, "modify @type:card pts:3");
    let (_, op) = play.mend("modify @color:rde pts:3");
    assert_eq!(op, "modify @color:red pts:3");
    let (message, op) = play.mend("modify @all:x @type:card pts:3");
    assert_eq!(message, "! @all takes no value");
    assert_eq!(op, "modify @all @type:card pts:3");
    let error = play.err("modify @color pts:3");
    assert!(error.contains("@color needs a value"), "{error}");
    let error = play.err("modify @zzzzz:1 pts:3");
    assert!(error.contains("no selector @zzzzz"), "{error}");
    let error = play.err("modify @color:\"\" pts:3");
    assert!(error.starts_with("! "), "{error}");
    for wrong in ["@not", "@not:", "@not:not:all", "@:x", "@type:"] {
        play.err(&format!("discard {wrong}"));
    }
    let error = play.err("link @in:Todo Buy");
    assert!(
        error.contains("link takes no selectors: @in:Todo"),
        "{error}"
    );
}

#[test]
fn selectors_that_match_nothing_fail_an_op_and_answer_a_query() {
    let mut play = Play::new();
    let error = play.err("discard @color:lightblue");
    assert!(
        error.starts_with("! @color:lightblue matches nothing; there are 3 cards"),
        "{error}"
    );
    let error = play.err("modify @type:card @in:Done @pts:1-10 pts:3");
    assert!(
        error.starts_with("! @pts:1-10 matches nothing; the selectors before it match 1 card"),
        "{error}"
    );
    assert_eq!(play.ask("list @color:lightblue"), "nothing matches");
    play.ops(&["discard @type:card"]);
    let error = play.err("discard @all");
    assert!(
        error.contains("@all matches nothing; there is nothing to select"),
        "{error}"
    );
}

#[test]
fn a_selection_of_one_kind_takes_the_rows_of_a_name_they_refer_to() {
    let mut play = Play::new();
    assert_eq!(play.ok("discard Done"), "- 1 card");
    let error = play.err("discard Bob");
    assert!(error.contains("Bob has no cards"), "{error}");
    assert_eq!(play.ok("discard Todo"), "- 2 cards");
}
