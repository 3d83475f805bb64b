//! Songs that differ have different digests, whatever differs; equal songs have equal ones.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::support::Desk;
use crate::support::smf_build::{END, file};

/// A song whose events are at few ticks.
fn song() -> Desk {
    let track = |channel: u8| {
        let (cc, on, off) = (0xb0 | channel, 0x90 | channel, 0x80 | channel);
        [
            &[0, 0xc0 | channel, 5, 0, cc, 7, 90, 0, cc, 7, 80][..],
            &[0, on, 60, 64, 0, on, 64, 64],
            &[
                96, off, 60, 64, 0, off, 64, 64, 0, on, 60, 64, 96, off, 60, 64,
            ],
            END,
        ]
        .concat()
    };
    Desk::on(&file(1, 96, &[END, &track(0), &track(1)]))
}

#[test]
fn order_and_ends_are_in_the_digest() {
    for statement in [
        "UPDATE events SET nth=1 WHERE kind='cc' AND value=80 AND ch=1",
        "UPDATE events SET nth=1 WHERE kind='program' AND ch=1; UPDATE events SET nth=9 WHERE kind='program' AND ch=1",
        "UPDATE notes SET nth=9 WHERE pitch=60 AND tick=0 AND ch=2",
        "UPDATE events SET tick=99999 WHERE kind='end' AND track IS NOT NULL",
        "UPDATE events SET tick=99999 WHERE kind='end' AND track IS NULL",
    ] {
        let mut desk = song();
        let before = desk.digest();
        for op in statement.split("; ") {
            desk.run(op);
        }
        let after = desk.digest();
        assert_ne!(before, after, "{statement}");
        desk.settles(statement);
        desk.act("undo batch");
        desk.act("redo");
        assert_eq!(desk.digest(), after, "{statement}");
    }
}

#[test]
fn equal_songs_have_equal_digests_after_any_ops() {
    for ops in [
        &["note 1 G4 at:1.1", "cc 1 pan 3 at:1.1"][..],
        &["bars insert 1 at:1", "bars delete 1"],
        &["track copy 1 as:New", "track remove 1"],
        &["track move 2 to:1", "note 1 C5 at:2.1"],
        &["UPDATE notes SET vel=vel+1", "UPDATE notes SET tick=tick+5"],
        &["DELETE FROM notes", "note 2 C4 at:3.1"],
        &["each \"SELECT ref FROM notes\" \"modify {ref} vel:+1\""],
    ] {
        let mut desk = song();
        let before = desk.digest();
        for op in ops {
            desk.run(op);
            desk.settles(op);
        }
        desk.act(&format!("undo {}", ops.len()));
        assert_eq!(desk.digest(), before, "{ops:?}");
    }
    for action in ["save as:one.mid smf:0", "new", "new \"T\" key:Am"] {
        let mut desk = song();
        desk.act(action);
        desk.settles(action);
    }
}

#[test]
fn the_order_of_two_chunks_is_told_apart() {
    let track = |first: [u8; 3], second: [u8; 3]| {
        let delta = &[0][..];
        [delta, &first, delta, &second, END].concat()
    };
    let (one, two) = ([0xb0, 7, 90], [0xb0, 7, 80]);
    let digest =
        |first: &[u8], second: &[u8]| Desk::on(&file(1, 96, &[END, first, second])).digest();
    let (up, down) = (track(one, two), track(two, one));
    assert_ne!(digest(&up, &down), digest(&down, &up));
}
