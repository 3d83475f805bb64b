//! Key aftertouch moves with its notes, and can be selected and changed by its pitch.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

use crate::support::Desk;

fn song() -> Desk {
    let mut desk = Desk::blank();
    for op in [
        "track add Pad",
        "track add Bass",
        "note Pad C4,E4 at:1 dur:h",
        "note Pad C4 at:3 dur:h",
        "touch Pad 50 pitch:C4 at:1.2",
        "touch Pad 60 pitch:E4 at:1.2",
        "touch Pad 70 pitch:C4 at:3.2",
        "touch Pad 90 at:1.2",
    ] {
        desk.run(op);
    }
    desk
}

/// The key aftertouch as listed, without ids.
fn touches(desk: &mut Desk) -> Vec<String> {
    let text = desk.ask("list @type:touch");
    let lines = text.lines().map(|line| line.rsplit_once(" #").unwrap().0);
    lines.map(str::to_owned).collect()
}

#[test]
fn key_aftertouch_moves_with_its_notes() {
    let table: &[(&str, &[&str])] = &[
        (
            "transpose @all +2",
            &[
                "1.2 touch 50 on D4 Pad",
                "1.2 touch 60 on F#4 Pad",
                "3.2 touch 70 on D4 Pad",
            ],
        ),
        (
            "transpose @range:1 +2",
            &[
                "1.2 touch 50 on D4 Pad",
                "1.2 touch 60 on F#4 Pad",
                "3.2 touch 70 on C4 Pad",
            ],
        ),
        (
            "transpose @pitch:E4 -1",
            &[
                "1.2 touch 50 on C4 Pad",
                "1.2 touch 60 on D#4 Pad",
                "3.2 touch 70 on C4 Pad",
            ],
        ),
        (
            "move @range:1 by:+1bar",
            &[
                "2.2 touch 50 on C4 Pad",
                "2.2 touch 60 on E4 Pad",
                "3.2 touch 70 on C4 Pad",
            ],
        ),
        (
            "move @pitch:E4 to:5 on:Bass",
            &[
                "1.2 touch 50 on C4 Pad",
                "3.2 touch 70 on C4 Pad",
                "5.2 touch 60 on E4 Bass",
            ],
        ),
        (
            "modify @pitch:E4 pitch:G4 at:+q",
            &[
                "1.2 touch 50 on C4 Pad",
                "1.3 touch 60 on G4 Pad",
                "3.2 touch 70 on C4 Pad",
            ],
        ),
        (
            "modify @type:touch @pitch:C4 pitch:D4",
            &[
                "1.2 touch 50 on D4 Pad",
                "1.2 touch 60 on E4 Pad",
                "3.2 touch 70 on D4 Pad",
            ],
        ),
        (
            "copy @pitch:E4 to:5 transpose:+1",
            &[
                "1.2 touch 50 on C4 Pad",
                "1.2 touch 60 on E4 Pad",
                "3.2 touch 70 on C4 Pad",
                "5.2 touch 60 on F4 Pad",
            ],
        ),
        (
            "repeat @range:1 @pitch:E4 times:1 every:4bar",
            &[
                "1.2 touch 50 on C4 Pad",
                "1.2 touch 60 on E4 Pad",
                "3.2 touch 70 on C4 Pad",
                "5.2 touch 60 on E4 Pad",
            ],
        ),
        (
            "move @type:touch by:+1bar",
            &[
                "2.2 touch 50 on C4 Pad",
                "2.2 touch 60 on E4 Pad",
                "4.2 touch 70 on C4 Pad",
            ],
        ),
        (
            "modify @type:touch|note at:+q",
            &[
                "1.3 touch 50 on C4 Pad",
                "1.3 touch 60 on E4 Pad",
                "3.3 touch 70 on C4 Pad",
            ],
        ),
        (
            "bars move 3 to:1",
            &[
                "1.2 touch 70 on C4 Pad",
                "2.2 touch 50 on C4 Pad",
                "2.2 touch 60 on E4 Pad",
            ],
        ),
        (
            "track split Pad by:pitch:D4",
            &[
                "1.2 touch 60 on E4 Pad",
                "1.2 touch 50 on C4 Pad-2",
                "3.2 touch 70 on C4 Pad-2",
            ],
        ),
    ];
    for (op, expected) in table {
        let mut desk = song();
        let reply = desk.run(op);
        let mut found = touches(&mut desk);
        found.retain(|line| line.contains(" on "));
        assert_eq!(found, *expected, "{reply}");
        desk.settles(op);
    }
}

#[test]
fn replies_name_the_aftertouch_that_follows_and_that_stays() {
    let mut desk = song();
    let reply = desk.run("transpose @all +2");
    assert!(reply.contains("(3 key touches with them)"), "{reply}");
    desk.run("touch Pad 20 pitch:A5 at:2");
    let reply = desk.run("transpose @all +2");
    assert!(
        reply.contains("(1 key touch of no note left; modify @type:touch pitch:)"),
        "{reply}"
    );
    let refused = desk.refused("modify @type:touch @range:1 pitch:D4");
    assert!(
        refused.contains(
            "Touch 90 on Pad at 1.2 presses all keys of its channel, so it has no pitch:"
        ),
        "{refused}"
    );
    let refused = desk.refused("modify @type:touch dur:q");
    assert!(refused.contains("which has no dur:"), "{refused}");
}
