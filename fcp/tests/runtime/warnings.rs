//! Structural warnings.

use super::Play;

/// The `?` lines of a reply.
fn warned(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("? ")).collect()
}

#[test]
fn a_call_shows_only_new_warnings() {
    let mut play = Play::empty();
    play.ok("add lane Todo");
    let text = play.ops(&["add person Ann"]);
    assert_eq!(warned(&text), ["? Ann owns nothing"]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[2].starts_with('['), "warnings come before the digest");
    assert_eq!(
        warned(&play.ops(&["add card A in:Todo"])),
        [""; 0],
        "it is not news"
    );
    assert_eq!(
        warned(&play.ops(&["add card B in:Todo pts:99 owner:Ann"])),
        ["? #4 B is huge"]
    );
    assert_eq!(play.ask("warnings"), "? #4 B is huge (huge)");
    assert_eq!(
        warned(&play.ops(&["modify B pts:98"])),
        [""; 0],
        "it was huge before"
    );
    assert_eq!(
        warned(&play.ops(&["modify B pts:1", "modify B pts:99"])),
        [""; 0],
        "before and after the call count, not what lies between"
    );
}

#[test]
fn former_owners_of_a_row_are_checked_too() {
    let mut play = Play::empty();
    play.ops(&[
        "add lane Todo",
        "add person Ann",
        "add person Bob",
        "add card A in:Todo owner:Ann",
    ]);
    let text = play.ops(&["modify A owner:Bob"]);
    assert_eq!(warned(&text), ["? Ann owns nothing"]);
    assert_eq!(play.ask("warnings"), "? Ann owns nothing (idle)");
    let text = play.ops(&["discard A"]);
    assert_eq!(warned(&text), ["? Bob owns nothing"]);
    let text = play.act("undo 2");
    assert_eq!(warned(&text), [""; 0]);
    assert_eq!(play.ask("warnings"), "? Bob owns nothing (idle)");
    let text = play.act("redo");
    assert_eq!(warned(&text), ["? Ann owns nothing"]);
}

#[test]
fn at_most_five_are_shown_the_weightiest_first() {
    let mut play = Play::empty();
    let text = play.ops(&[
        "add lane L",
        "add person A",
        "add person B",
        "add person C",
        "add person D",
        "add person E",
        "add card X in:L pts:99",
        "add card Y in:L pts:99",
    ]);
    let found = warned(&text);
    assert_eq!(found.len(), 6, "{text}");
    assert_eq!(found[0], "? #7 X is huge");
    assert_eq!(found[5], "? … 2 more (query \"warnings\")");
    assert_eq!(play.ask("warnings").lines().count(), 7);
    assert_eq!(play.ask("warnings huge").lines().count(), 2);
    play.act("save as:./w.board");
    let text = play.act("open w.board");
    assert_eq!(warned(&text).len(), 6, "{text}");
    assert!(warned(&text)[5].starts_with("? … 2 more"));
}

#[test]
fn a_hidden_code_is_not_shown_after_ops() {
    let mut play = Play::empty();
    play.act("set warn:-idle");
    assert_eq!(warned(&play.ops(&["add person Ann"])), [""; 0]);
    assert_eq!(
        play.ask("warnings"),
        "? Ann owns nothing (idle)",
        "asking shows it"
    );
    play.act("set warn:+idle");
    assert_eq!(
        warned(&play.ops(&["add person Bob"])),
        ["? Bob owns nothing"]
    );
    assert_eq!(
        play.ask_err("warnings hgue"),
        "! no warning hgue; there are huge, idle\n  try: warnings huge"
    );
}

#[test]
fn a_call_that_was_rolled_back_warns_of_nothing() {
    let mut play = Play::empty();
    let answer = play.run(&["add person Ann", "break"], None);
    assert_eq!(warned(&answer.text), [""; 0]);
    assert_eq!(play.ask("warnings"), "no warnings");
    assert_eq!(
        warned(&play.ops(&["add person Ann"])),
        ["? Ann owns nothing"]
    );
}

#[test]
fn a_warning_stays_on_its_line() {
    let mut play = Play::empty();
    play.ok("add person \"a\u{2028}b\"");
    let text = play.ask("warnings");
    assert!(!text.contains('\u{2028}'), "{text}");
}
