//! Random ops, right and wrong, on new songs and on files, with the invariants of `fcp::testing::walk` at each step.

#[path = "walk/kinds.rs"]
mod kinds;
#[path = "walk/ops.rs"]
mod ops;
#[path = "walk/words.rs"]
mod words;

use std::path::Path;

use fcp::testing::{long_walk, walk, walk_file, walk_ops};
use fcp_midi::Song;
use ops::{op, probable, started};
use words::of;

#[test]
fn new_songs_hold_together_on_any_walk() {
    for seed in 1..=6 {
        let mut begun = 0;
        walk::<Song>(seed, 120, |random| started(random, &mut begun));
    }
}

#[test]
fn files_hold_together_on_any_walk() {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    for (seed, name) in [
        (11, "foreign.mid"),
        (12, "patterns.mid"),
        (13, "frames.mid"),
        (14, "broken.mid"),
        (15, "foreign.mid"),
        (16, "wrapped.rmi"),
    ] {
        walk_file::<Song>(&files.join(name), seed, 50, op);
    }
}

/// Notes that move together take each other's places, and leave them in another order when that is undone.
const CHAIN: &[&str] = &[
    "track add Piano",
    "note Piano C4,E4 at:1.1",
    "note Piano E4 at:1.2",
    "note Piano C4 at:1.3",
    "modify @all at:+q",
    "modify @all at:-q",
    "modify @all at:+q ch:500",
    "modify @pitch:C4 at:+e dur:e",
    "transpose @all +4",
    "transpose @all -4",
];

#[test]
fn notes_that_take_each_others_places_go_back_to_their_own() {
    for seed in 1..=3 {
        walk::<Song>(seed, 80, |random| of(random, CHAIN).to_owned());
    }
}

#[test]
fn many_ops_are_undone_and_redone_to_the_byte() {
    long_walk::<Song>(9, walk_ops(500, 100_000), probable);
}
