//! The verbs of every domain.

use super::Play;

#[test]
fn add_makes_a_row_and_reports_it() {
    let mut play = Play::new();
    assert_eq!(
        play.ok("add card Wash in:Todo"),
        "+ card Wash in:Todo pts:1 color:white"
    );
    assert_eq!(
        play.ok("add card name:Dry in:lane:Done points:3 color:CRIMSON owner:ann"),
        "+ card Dry in:Done pts:3 color:red owner:Ann"
    );
    assert_eq!(play.ok("add Per Cid"), "+ person Cid");
}

#[test]
fn add_reports_missing_wrong_and_extra_words() {
    let mut play = Play::new();
    let error = play.err("add card Wash");
    assert!(error.starts_with("! add card needs in:"), "{error}");
    assert!(
        error.contains("\n  syntax: add card NAME in:LANE"),
        "{error}"
    );
    let (message, op) = play.mend("add card Wash in:Todo pts:0");
    assert_eq!(message, "! pts:0 is below 1");
    assert_eq!(op, "add card Wash in:Todo pts:1");
    let (message, op) = play.mend("add card Wash in:Todo PTS:3 colr:red");
    assert!(
        message.contains("PTS:") && message.contains("colr:"),
        "{message}"
    );
    assert_eq!(op, "add card Wash in:Todo pts:3 color:red");
    let (_, op) = play.mend("add card Wash the car in:Todo");
    assert_eq!(op, "add card \"Wash the car\" in:Todo");
    let error = play.err("add link");
    assert!(error.contains("add link needs from:"), "{error}");
    let (message, op) = play.mend("add crad Wash in:Todo");
    assert!(message.contains("crad"), "{message}");
    assert_eq!(op, "add card Wash in:Todo");
    let (message, op) = play.mend("add card Wash in:Todo in:Todo");
    assert!(
        message.contains("in: is given twice, at bytes 14 and 22"),
        "{message}"
    );
    assert_eq!(op, "add card Wash in:Todo");
    // Either of two values may be the one that was meant.
    let error = play.err("add card Wash in:Todo in:Done");
    assert!(
        error.contains("in: is given twice") && !error.contains("try:"),
        "{error}"
    );
}

#[test]
fn a_name_with_control_characters_is_refused_with_a_clean_one() {
    let mut play = Play::new();
    let (message, op) = play.mend("add lane \"To\\ndo\"");
    assert_eq!(message, "! a name holds no control characters");
    assert_eq!(op, "add lane \"To do\"");
    let (_, op) = play.mend("modify Todo name:\"To\\u0007do\"");
    assert_eq!(op, "modify Todo name:\"To do\"");
    let (_, op) = play.mend("rename Todo \"To\\ndo\"");
    assert_eq!(op, "rename Todo \"To do\"");
}

#[test]
fn modify_sets_fields_of_one_row_or_many() {
    let mut play = Play::new();
    assert_eq!(
        play.ok("modify Paint pts:9 owner:Bob"),
        "* card Paint in:Todo pts:9 color:white owner:Bob"
    );
    assert_eq!(
        play.ok("modify @type:card pts:7"),
        "* Modified 3 rows: pts:7"
    );
    assert_eq!(play.ok("modify @type:card pts:7"), "= nothing changed");
    assert_eq!(
        play.ok("modify Paint,Hang pts:6"),
        "* Modified 2 rows: pts:6"
    );
    assert_eq!(
        play.ok("modify Paint owner:none"),
        "* card Paint in:Todo pts:6 color:white"
    );
    let error = play.err("modify Paint");
    assert!(error.contains("modify needs KEY:VALUE"), "{error}");
    let error = play.err("modify pts:3");
    assert!(error.starts_with("! modify needs SEL"), "{error}");
    let (_, op) = play.mend("modify Paint in:none");
    assert!(op.starts_with("modify Paint in:"), "{op}");
}

#[test]
fn modify_of_a_wrong_value_changes_no_row() {
    let mut play = Play::new();
    let before = play.ask("list");
    let (_, op) = play.mend("modify @type:card color:red pts:101");
    assert_eq!(op, "modify @type:card color:red pts:100");
    assert_eq!(play.ask("list"), before);
    // Lanes have no points; the op does not set some rows and skip others.
    let error = play.err("modify @all pts:3");
    assert!(error.contains("lane has no pts:"), "{error}");
    assert_eq!(play.ask("list"), before);
}

#[test]
fn copy_names_the_copy_after_the_original() {
    let mut play = Play::new();
    assert_eq!(
        play.ok("copy Paint pts:2"),
        "+ card Paint-2 in:Todo pts:2 color:white owner:Ann"
    );
    assert_eq!(
        play.ok("copy Paint-2"),
        "+ card Paint-3 in:Todo pts:2 color:white owner:Ann"
    );
    assert_eq!(
        play.ok("copy Hang name:Nail in:Done"),
        "+ card Nail in:Done pts:8 color:white"
    );
    assert_eq!(play.ok("copy Hang,Buy"), "@ 2 copies: Hang-2, Buy-2");
}

#[test]
fn many_copies_are_counted_and_some_are_named() {
    let mut play = Play::new();
    play.ok("fill Done 30");
    let reply = play.ok("copy @in:Done");
    assert!(reply.starts_with("@ 31 copies: Buy-2, c1-"), "{reply}");
    assert!(reply.ends_with(" and 11 more"), "{reply}");
}

#[test]
fn rename_gives_another_name() {
    let mut play = Play::new();
    assert_eq!(
        play.ok("rename Paint \"Paint it\""),
        "* card Paint -> Paint it"
    );
    assert_eq!(
        play.ok("rename \"Paint it\" \"Paint it\""),
        "= card Paint it already has this name"
    );
    assert_eq!(play.ok("rename @recent Brush"), "* card Paint it -> Brush");
    let error = play.err("rename @type:card X");
    assert!(error.starts_with("! rename takes one row"), "{error}");
    let error = play.err("rename Brush");
    assert!(error.contains("rename needs NAME"), "{error}");
    play.ok("add remark text:hi on:Brush");
    let error = play.err("rename @recent X");
    assert!(
        error.starts_with("! a remark has no name of its own"),
        "{error}"
    );
}

#[test]
fn remove_also_removes_the_rows_that_belong_to_a_row() {
    let mut play = Play::new();
    play.ok("add remark text:soon on:Buy");
    assert_eq!(
        play.ok("remove Done"),
        "- Removed lane Done\n  with 1 card, 1 remark"
    );
    assert_eq!(play.ask("list @type:remark"), "nothing matches");
    assert_eq!(play.ok("remove Ann,Bob"), "- Removed 2 people");
    assert!(!play.ask("describe Paint").contains("owner"));
}

#[test]
fn remove_refuses_while_a_row_that_stays_needs_the_one_that_goes() {
    let mut play = Play::new();
    let (message, op) = play.mend("remove Paint");
    assert!(message.starts_with("! card Paint is used by "), "{message}");
    assert_eq!(op, "remove #8");
    play.ok(&op);
    play.ok("remove Paint");
    play.ok("link Hang Buy");
    // A row that is removed too does not need it any more.
    assert_eq!(
        play.ok("remove @type:card|link"),
        "- Removed 2 cards, 1 link"
    );
}

#[test]
fn a_row_cannot_belong_to_itself() {
    // No kind of row here can belong to its own kind, unlike the drawing's groups; so only a remark
    // without a card is tried.
    let mut play = Play::new();
    assert_eq!(play.ok("add remark text:hi"), "+ remark #9 text:hi");
}

#[test]
fn a_copy_of_a_nameless_row_is_nameless() {
    let mut play = Play::new();
    play.ok("add remark text:hi on:Buy");
    assert_eq!(play.ok("copy @recent"), "+ remark #10 text:hi on:Buy");
}

#[test]
fn every_verb_and_action_of_the_board_is_as_its_examples_say() {
    fcp::testing::conformance::<super::Board>("/nowhere");
}

#[test]
fn repeat_makes_copies_one_step_further_each() {
    let mut play = Play::new();
    play.ok("modify Paint day:10");
    assert_eq!(
        play.ok("repeat Paint count:3 every:7"),
        "@ 3 copies of Paint: Paint-2, Paint-3, Paint-4"
    );
    let days = play.ask("list @day:11-31");
    for (name, day) in [("Paint-2", 17), ("Paint-3", 24), ("Paint-4", 31)] {
        assert!(
            days.contains(&format!("card {name} in:Todo pts:5 color:white day:{day}")),
            "{days}"
        );
    }
    assert_eq!(
        play.ok("repeat Paint count:1 every:-9 name:\"Paint {n}\" note:\"coat {n}\""),
        "+ card Paint 2 in:Todo pts:5 color:white day:1 owner:Ann note:\"coat 2\""
    );
    let undone = play.act("undo 2");
    assert!(
        undone.starts_with("* undone 2 ops: repeat, repeat\n"),
        "{undone}"
    );
    assert_eq!(play.ask("list @day:11-31"), "nothing matches");
}

#[test]
fn repeat_reports_a_position_too_far_and_a_valid_one() {
    let mut play = Play::new();
    play.ok("modify Paint day:350");
    for (wrong, message, meant) in [
        (
            "repeat Paint count:3 every:7",
            "! copy 3 of Paint would be beyond what day: can be",
            "repeat Paint count:2 every:7",
        ),
        (
            "repeat Paint count:1 every:1.2",
            "! every:1.2 is not a whole number",
            "repeat Paint count:1 every:1",
        ),
        (
            "repeat Paint count:0 every:1",
            "! count:0 is below 1",
            "repeat Paint count:1 every:1",
        ),
        (
            "repeat Paint count:1 evry:1",
            "! repeat has no evry:",
            "repeat Paint count:1 every:1",
        ),
    ] {
        assert_eq!(
            play.mend(wrong),
            (message.to_owned(), meant.to_owned()),
            "{wrong}"
        );
    }
    for (wrong, message) in [
        (
            "repeat Hang count:1 every:1",
            "! Hang has no day to go on from",
        ),
        (
            "repeat Todo count:1 every:1",
            "! lanes have no position to go on from; copy makes one",
        ),
        (
            "repeat Paint count:1 every:1 day:3",
            "! every: already places the copies; leave out day:",
        ),
        ("repeat Paint every:1", "! repeat needs count:N"),
        ("repeat Paint count:1", "! repeat needs every:STEP"),
    ] {
        let error = play.err(wrong);
        assert!(error.starts_with(message), "{wrong}: {error}");
    }
    play.ok("fill Todo 100");
    play.ok("modify @in:Todo day:1");
    let error = play.err("repeat @in:Todo count:10000 every:0");
    assert!(error.contains("an op makes at most 100000"), "{error}");
}
