//! Resolving names to rows.

use super::Play;

fn called(names: &[&str]) -> Play {
    let mut play = Play::empty();
    play.ok("add lane Box");
    for name in names {
        play.ok(&format!("add card \"{name}\" in:Box"));
    }
    play
}

/// The id of the row that a query finds for a name.
fn id(play: &mut Play, name: &str) -> String {
    let text = play.ask(&format!("describe {name}"));
    text.split(' ').next().unwrap().to_owned()
}

#[test]
fn the_first_level_with_one_hit_wins() {
    let mut play = called(&["Paint", "paint", "PAINT it", "pain-t"]);
    assert_eq!(id(&mut play, "Paint"), "#2");
    assert_eq!(id(&mut play, "paint"), "#3");
    assert_eq!(
        id(&mut play, "Pain-T"),
        "#5",
        "letter by letter but for case comes first"
    );
}

#[test]
fn a_name_resolves_by_case_then_folding_then_prefix() {
    let mut play = called(&["Paint", "Hang It", "Grand Piano", "Grand-Organ"]);
    assert_eq!(id(&mut play, "PAINT"), "#2");
    assert_eq!(id(&mut play, "hang_it"), "#3");
    assert_eq!(id(&mut play, "grandp"), "#4");
    assert_eq!(id(&mut play, "\"Grand Piano\""), "#4");
    assert_eq!(id(&mut play, "card:grandpiano"), "#4");
    assert_eq!(id(&mut play, "#4"), "#4");
    assert_eq!(id(&mut play, "card:#4"), "#4");
    assert_eq!(id(&mut play, "card:\"Grand Piano\""), "#4");
}

#[test]
fn several_hits_at_a_level_are_an_error_that_lists_them() {
    let mut play = called(&["ab", "AB", "a-b", "x y", "Xy", "prefix one", "prefix two"]);
    for (name, candidates) in [
        ("Ab", ["ab", "AB"]),
        ("\"A b\"", ["ab", "AB"]),
        ("XY", ["x y", "Xy"]),
        ("pre", ["prefix one", "prefix two"]),
    ] {
        if name == "XY" {
            // Only the letter case differs: `Xy` is the only match at its level.
            assert_eq!(id(&mut play, name), "#6");
            continue;
        }
        let error = play.ask_err(&format!("describe {name}"));
        for candidate in candidates {
            assert!(error.contains(candidate), "{name}: {error}");
        }
    }
}

#[test]
fn every_candidate_of_an_ambiguous_name_resolves() {
    let mut play = Play::empty();
    play.ops(&[
        "add lane \"Two Words\"",
        "add person \"Two Words\"",
        "add card \"Two Words\" in:lane:\"Two Words\"",
        "add card \"Two Words\" in:#1",
        "add card \"@all\" in:#1",
        "add person \"@all\"",
        "add person \"lane:x\"",
        "add card \"lane:x\" in:#1",
        "add person \"#3\"",
        "add card \"#3\" in:#1",
        "add person \"a,b\"",
        "add card \"a,b\" in:#1",
        "add person \"->\"",
        "add card \"->\" in:#1",
        "add person \"say \\\"hi\\\"\"",
        "add card \"say \\\"hi\\\"\" in:#1",
    ]);
    for name in [
        "\"Two Words\"",
        "\"@all\"",
        "\"lane:x\"",
        "\"a,b\"",
        "\"->\"",
        "\"say \\\"hi\\\"\"",
    ] {
        let error = play.ask_err(&format!("describe {name}"));
        let (message, repair) = error
            .split_once("\n  try: ")
            .unwrap_or_else(|| panic!("{error}"));
        play.ask(repair);
        let list = message
            .split_once("could be ")
            .unwrap_or_else(|| panic!("{error}"))
            .1;
        for candidate in list.split(", ") {
            play.ask(&format!("describe {candidate}"));
        }
        let (_, op) = play.mend(&format!("modify {name} name:x"));
        play.ok(&op);
        play.act("undo");
    }
}

#[test]
fn rows_that_share_a_name_are_numbered() {
    let mut play = called(&["Lead", "lead", "Lead", "Solo"]);
    assert_eq!(id(&mut play, "Lead~1"), "#2");
    assert_eq!(
        id(&mut play, "Lead~2"),
        "#4",
        "counted among those that share it letter by letter"
    );
    assert_eq!(id(&mut play, "lead"), "#3");
    let (message, op) = play.mend("discard Lead");
    assert_eq!(message, "! \"Lead\" could be Lead~1, Lead~2");
    assert_eq!(op, "discard Lead~1");
    assert!(play.ask("list").contains("#4 card Lead~2 "));
    let (message, _) = play.mend("discard Lead~3");
    assert!(message.contains("Lead~3"), "{message}");
    // A row of another kind with the same name does not shift the numbers.
    play.ok("add person Lead");
    let error = play.ask_err("describe Lead");
    assert!(
        error.contains("card:Lead~1, card:Lead~2, person:Lead"),
        "{error}"
    );
    assert_eq!(id(&mut play, "card:Lead~2"), "#4");
    assert_eq!(
        id(&mut play, "Lead~2"),
        "#4",
        "only cards have a second Lead"
    );
}

#[test]
fn a_row_that_is_called_like_a_number_of_another_is_itself() {
    let mut play = called(&["Lead", "Lead", "Lead~2"]);
    assert_eq!(
        id(&mut play, "Lead~2"),
        "#4",
        "letter by letter comes first"
    );
    let error = play.ask_err("describe Lead");
    assert!(error.contains("Lead~1, #3"), "{error}");
}

#[test]
fn a_name_that_nothing_has_names_the_nearest() {
    let mut play = called(&["Paint", "Print", "Point", "Plinth", "Zebra"]);
    let error = play.err("modify Piant pts:3");
    assert!(error.contains("not found"), "{error}");
    assert!(error.contains("Paint"), "{error}");
    let (message, op) = play.mend("modify Zebar pts:3");
    assert_eq!(message, "! Row \"Zebar\" not found");
    assert_eq!(op, "modify Zebra pts:3");
    let error = play.err("modify qqqqqq pts:3");
    assert!(
        error.contains("\n  syntax: modify SEL KEY:VALUE…"),
        "{error}"
    );
}

#[test]
fn ops_that_make_missing_rows_are_offered() {
    let mut play = called(&["Paint"]);
    let (message, op) = play.mend("modify Paint owner:Zed");
    assert_eq!(message, "! Person \"Zed\" not found");
    assert_eq!(op, "add person Zed");
}

#[test]
fn a_verb_that_deletes_takes_no_prefix() {
    let mut play = called(&["Paint", "Hang It", "Stay"]);
    for verb in ["remove", "discard"] {
        let (message, op) = play.mend(&format!("{verb} Pai"));
        assert_eq!(
            message,
            "! \"Pai\" only begins like Paint, which is not enough to delete it"
        );
        assert_eq!(op, format!("{verb} Paint"));
        let (message, _) = play.mend(&format!("{verb} Piant"));
        assert!(message.contains("not found"), "{message}");
        let (_, op) = play.mend(&format!("{verb} Stay,Pai"));
        assert_eq!(op, format!("{verb} Stay,Paint"));
        let (_, op) = play.mend(&format!("{verb} @in:Bo"));
        assert_eq!(op, format!("{verb} @in:Box"));
        let (_, op) = play.mend(&format!("{verb} @type:car"));
        assert_eq!(op, format!("{verb} @type:card"));
    }
    play.ok("remove hang_it");
    play.ok("remove PAINT");
    play.ok("remove @type:CARDS");
}

#[test]
fn types_resolve_by_the_same_cascade() {
    let mut play = called(&[]);
    assert_eq!(play.ok("add LANE A"), "+ lane A");
    assert_eq!(play.ok("add lanes B"), "+ lane B");
    assert_eq!(play.ok("add la C"), "+ lane C");
    let error = play.err("add l D");
    assert!(error.contains("\"l\" could be lane, link"), "{error}");
    let (_, op) = play.mend("add laen D");
    assert_eq!(op, "add lane D");
    let error = play.err("add zebra D");
    assert!(
        error.contains("lane, card, person, remark, link"),
        "{error}"
    );
}

#[test]
fn a_qualified_name_is_valid_wherever_a_reference_is() {
    let mut play = Play::new();
    play.ok("link card:Hang card:\"Buy\"");
    play.ok("modify card:Buy owner:person:Ann in:lane:\"Todo\"");
    let error = play.err("modify Buy owner:lane:Todo");
    assert!(
        error.contains("lane:Todo is a lane, and a person is wanted here"),
        "{error}"
    );
    let error = play.err("link #1 Buy");
    assert!(
        error.contains("#1 is a lane, and a card is wanted here"),
        "{error}"
    );
    let error = play.err("link #99 Buy");
    assert!(error.contains("#99 not found"), "{error}");
    assert!(play.ask("load lane:Todo").starts_with("Todo: "));
    assert!(
        play.ask("list @in:lane:Done").contains("nothing"),
        "nothing is left there"
    );
}

#[test]
fn a_repair_keeps_the_given_kind() {
    let mut play = called(&["Paint", "Two Words"]);
    play.ops(&[
        "add person Paint",
        "add person \"Two Words\"",
        "add lane \"Two Words\"",
    ]);
    for (op, repair) in [
        ("modify card:Piant pts:3", "modify card:Paint pts:3"),
        ("modify card:Piant,card:\"x\" pts:3", ""),
        (
            "modify card:\"Two Wrods\" pts:3",
            "modify card:\"Two Words\" pts:3",
        ),
        (
            "modify \"Two Words\" name:x",
            "modify lane:\"Two Words\" name:x",
        ),
        (
            "modify card:Paint owner:\"Two Wrods\"",
            "modify card:Paint owner:person:\"Two Words\"",
        ),
        ("discard card:Two", "discard card:\"Two Words\""),
        ("modify @in:lane:\"Two Wrods\" pts:3", ""),
    ] {
        let error = play.err(op);
        match error.split_once("\n  try: ") {
            Some((_, found)) if !repair.is_empty() => assert_eq!(found, repair),
            found => assert!(repair.is_empty() && found.is_none(), "{op}: {error}"),
        }
    }
    assert!(
        play.ask("list @owner:person:\"Two Words\"")
            .contains("nothing matches")
    );
}

#[test]
fn quoted_text_is_a_name_and_nothing_else() {
    let mut play = called(&["#2", "*", "Other"]);
    assert_eq!(id(&mut play, "\"#2\""), "#2");
    assert_eq!(id(&mut play, "\"*\""), "#3");
    assert_eq!(id(&mut play, "#3"), "#3");
    play.ok("rename #2 \"#4\"");
    assert_eq!(id(&mut play, "\"#4\""), "#2");
    assert_eq!(id(&mut play, "#4"), "#4");
}

#[test]
fn a_name_that_holds_a_comma_is_tried_as_one_name_first() {
    let mut play = called(&["a,b", "a", "b", "c d"]);
    assert_eq!(play.ask("list a,b").lines().count(), 1);
    assert_eq!(play.ask("list b,a").lines().count(), 2);
    assert_eq!(
        play.ask("list \"b,c d\"").lines().count(),
        2,
        "a list that holds blanks is quoted whole"
    );
    assert_eq!(play.ask("list b,b,b").lines().count(), 1);
    let error = play.ask_err("list b,zz");
    assert!(error.contains("\"zz\" not found"), "{error}");
}

#[test]
fn names_next_to_selectors_are_refused() {
    let mut play = Play::new();
    let error = play.err("modify Paint @all pts:3");
    assert!(
        error.contains("Paint and selectors both name rows"),
        "{error}"
    );
    assert!(
        !error.contains("try: modify @all"),
        "a repair may not widen what was meant: {error}"
    );
    let error = play.err("discard Paint @all");
    assert!(!error.contains("try: discard @all"), "{error}");
    let error = play.err("discard");
    assert!(error.starts_with("! discard needs SEL"), "{error}");
}
