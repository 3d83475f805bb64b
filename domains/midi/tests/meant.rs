//! Ops that are wrong, and what each says to send instead: what was meant, or nothing.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::Desk;

const SONG: [&str; 10] = [
    "track add P instrument:piano",
    "track add E instrument:bass",
    "track add D instrument:standard-kit",
    "track add \"Piano, left\" instrument:piano",
    "track add X2",
    "track add X3",
    "note P C4,E4 at:1",
    "note E C2 at:1",
    "marker Verse at:1",
    "marker \"Verse one\" at:3",
];

/// Sees to it that each op is refused with a repair; without one where it is empty.
fn told(table: &[(&str, &str)]) {
    let mut desk = Desk::blank();
    for op in SONG {
        desk.run(op);
    }
    let mut wrong = String::new();
    for (op, wanted) in table {
        let text = desk.refused(op);
        let told = text.lines().find_map(|line| line.strip_prefix("  try: "));
        if told.unwrap_or_default() != *wanted {
            wrong += &format!("{op}\n  {}\n  wanted: {wanted}\n", text.trim_end());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn items_of_a_phrase_are_told_as_they_were_meant() {
    told(&[
        ("phrase P \"E4 C4>/e\"", "phrase P \"E4 C4/e>\""),
        ("phrase P \"C4-E4\"", "phrase P \"C4 E4\""),
        ("phrase P \"CC4 E4/h\"", "phrase P \"C4 E4/h\""),
        ("phrase P \"C4 [C4 E4 G4]/q\"", "phrase P \"C4 C4+E4+G4/q\""),
        ("phrase P C4,E4,G4/h", "phrase P C4+E4+G4/h"),
        ("phrase P \"C4 rest/q\"", "phrase P \"C4 r/q\""),
        ("phrase P \"C4:q E4\"", "phrase P \"C4/q E4\""),
        ("phrase P \"C4q E4\"", "phrase P \"C4/q E4\""),
        ("phrase P \"C4(q) E4\"", "phrase P \"C4/q E4\""),
        (
            "phrase P \"C4 kick\"",
            "track add Drums instrument:standard-kit",
        ),
        ("phrase P C4/q>>", "phrase P C4/q>"),
        ("phrase P C5/h!>", "phrase P C5/h>!"),
        ("phrase P \"(C4 E4)*10001\"", "phrase P \"(C4 E4)*10000\""),
    ]);
}
