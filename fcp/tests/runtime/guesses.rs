//! Malformed ops, and the benchmark that counts the repairs of such ops.

use super::Play;
use super::board::Board;
use fcp::testing::{Least, Slip, slips};

#[test]
fn other_notations_are_repaired() {
    for (wrong, meant) in [
        // Extra text around the op.
        ("`add lane X`", "add lane X"),
        ("```\nadd lane X\n```", "add lane X"),
        ("! add lane X", "add lane X"),
        ("- add lane X", "add lane X"),
        ("2. add lane X", "add lane X"),
        ("$ add lane X", "add lane X"),
        ("board add lane X", "add lane X"),
        ("add card X in:Todo pts:3;", "add card X in:Todo pts:3"),
        // Another notation.
        (
            r#"{"verb": "add", "type": "card", "name": "X", "in": "Todo", "pts": 3}"#,
            "add card X in:Todo pts:3",
        ),
        (
            r#"{"op": "add", "args": {"type": "lane", "name": "Y Z"}}"#,
            "add lane \"Y Z\"",
        ),
        ("add(type=\"lane\", name=\"X\")", "add lane X"),
        ("add('lane', 'X')", "add lane X"),
        (
            "board.add(\"card\", \"X\", in=\"Todo\")",
            "add card X in:Todo",
        ),
        ("rename Hang “Big hang”", "rename Hang \"Big hang\""),
        ("add lane “X”", "add lane \"X\""),
        // Words split differently.
        ("modify Hang --pts 3", "modify Hang pts:3"),
        ("modify Hang --pts=3", "modify Hang pts:3"),
        ("modify Hang pts=3", "modify Hang pts:3"),
        ("modify Hang pts = 3", "modify Hang pts:3"),
        ("modify Hang pts: 3", "modify Hang pts:3"),
        ("modify Hang pts :3", "modify Hang pts:3"),
        ("modify Hang pts 3", "modify Hang pts:3"),
        (
            "modify Hang, pts:3, color:red",
            "modify Hang pts:3 color:red",
        ),
        ("modify Hang, Buy pts:3", "modify Hang,Buy pts:3"),
        ("modify Hang pts:(3)", "modify Hang pts:3"),
        ("modify @Hang pts:3", "modify Hang pts:3"),
        ("modify color:red pts:3", "modify @color:red pts:3"),
        // Another word.
        ("del Buy", "remove Buy"),
        ("modify Hang colour:red", "modify Hang color:red"),
        ("modify carb:Hang pts:3", "modify card:Hang pts:3"),
        ("modify @colr:red pts:3", "modify @color:red pts:3"),
        // A superfluous word, a superfluous unit.
        ("modify Hang please pts:3", "modify Hang pts:3"),
        ("modify Hang pts:3pt", "modify Hang pts:3"),
        // A missing space.
        ("modify@color:red pts:3", "modify @color:red pts:3"),
        (
            "modify @color:red@not:pts:2 pts:3",
            "modify @color:red @not:pts:2 pts:3",
        ),
    ] {
        let mut play = Play::new();
        assert_eq!(play.mend(wrong).1, meant, "{wrong}");
    }
}

#[test]
fn missing_words_are_filled_in_if_unambiguous() {
    let mut play = Play::empty();
    play.ops(&["add lane Todo", "add card Paint in:Todo"]);
    // Target rows are never guessed.
    for op in ["modify pts:3", "remove", "discard", "copy pts:3", "title"] {
        let text = play.err(op);
        assert!(text.contains("\n  syntax: "), "{op}: {text}");
    }
}

#[test]
fn words_that_select_rows_are_never_dropped() {
    for op in [
        "discard@color:blue",
        "modify @color:red@pts:77 pts:3",
        "discard card @all",
        "discard x @all",
        "modify @all card pts:3",
        "modify @all 2 pts:3",
    ] {
        let text = Play::new().err(op);
        assert!(text.contains("\n  syntax: "), "{op}: {text}");
        assert!(!text.contains("try: "), "{op}: {text}");
    }
}

#[test]
fn possible_names_are_never_dropped() {
    for op in [
        "discard Pai @all",
        "discard Pant @all",
        "remove Hag @all",
        "discard Todo @all",
    ] {
        let mut play = Play::new();
        let text = play.err(op);
        assert!(!text.contains("try: discard @all"), "{op}: {text}");
        assert!(!text.contains("try: remove @all"), "{op}: {text}");
    }
}

#[test]
fn guesses_end_if_a_call_fails_a_thousand_times() {
    let mut play = Play::new();
    play.act("set reply-limit:1024");
    let ops: Vec<String> = (0..1_000).map(|n| format!("`add lane X{n}`")).collect();
    let ops: Vec<&str> = ops.iter().map(String::as_str).collect();
    let answer = play.run(&ops, Some(fcp::endpoint::Policy::Isolate));
    assert!(answer.is_error);
    let tried = answer.text.matches("\n  try: ").count();
    assert_eq!(tried, 512);
}

fn slip(wrong: &str, meant: &str) -> Slip {
    Slip {
        kind: "any",
        wrong: wrong.to_owned(),
        meant: meant.to_owned(),
    }
}

const NOTHING_DUE: Least = Least {
    tried: 0.0,
    worked: 0.0,
    meant: 0.0,
};

#[test]
#[should_panic(expected = "1 taken for something else")]
fn the_benchmark_detects_wrong_effects() {
    let slips_made = [slip("add lane Y", "add lane X")];
    slips::<Board>("add lane Todo", &slips_made, NOTHING_DUE);
}

#[test]
#[should_panic(expected = "1 rows touched beyond what was meant")]
fn the_benchmark_detects_changes_of_other_rows() {
    // The repair fits the sent op, but the intended op concerns another lane.
    let slips_made = [slip("renam Todo X", "rename Done X")];
    slips::<Board>("add lane Todo\nadd lane Done", &slips_made, NOTHING_DUE);
}

#[test]
#[should_panic(expected = "0.0 % of the refused are repaired as meant")]
fn the_benchmark_detects_wrong_repairs() {
    let slips_made = [slip("renam Todo X", "rename Todo Y")];
    let least = Least {
        meant: 1.0,
        ..NOTHING_DUE
    };
    slips::<Board>("add lane Todo", &slips_made, least);
}
