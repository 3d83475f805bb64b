//! Property walks: random ops, batches, undos, redos, checkpoints, plans and saves, with the invariants checked at each
//! step.
//!
//! A walk that is looked at in full compares, at each step, every row, index and answer, and opens again what a save
//! would write. In brief it compares what costs the same for a document of any size: digest, content hash, next id, the
//! last ops and rows, the status; and that the state behind so many ops is the one that was there before. A long walk
//! looks in brief, and in full at each [`SAMPLE`]th step and at both ends.

mod random;
mod seen;
mod steps;
mod walker;

use std::hash::Hasher;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use super::data::say;
use crate::domain::Domain;
use crate::op::quote;
pub use random::Walk;
pub(in crate::testing) use seen::file_name;
pub(in crate::testing) use steps::Author;
pub(in crate::testing) use walker::Walker;

/// Of so many steps of a long walk, one is looked at in full.
const SAMPLE: usize = 100;

/// Walks `steps` steps on a new document with the ops that `op` makes up, right ones and wrong ones. Checks after each
/// that undo gives back what was before the op and redo what was after it, that a failed call changes nothing, that
/// a batch does what its ops do one by one, that every index is what the rows would give afresh, and that what is saved
/// opens as the same.
///
/// # Panics
/// An invariant does not hold; the seed and the step are named.
pub fn walk<M: Domain>(seed: u64, steps: usize, op: impl FnMut(&mut Walk) -> String) {
    let mut walker = Walker::<M>::new(format!("seed {seed}"), Walk::new(seed), 1);
    walker.begin(&["new".to_owned()]);
    wander(walker, steps, op);
}

/// As [`walk`], on a document that is opened from a file.
///
/// # Panics
/// An invariant does not hold; the seed and the step are named.
pub fn walk_file<M: Domain>(
    file: &Path,
    seed: u64,
    steps: usize,
    op: impl FnMut(&mut Walk) -> String,
) {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let mut walker = Walker::<M>::new(format!("{name}, seed {seed}"), Walk::new(seed), 1);
    std::fs::copy(file, walker.root().join(&*name))
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    walker.begin(&[format!("open {}", quote(&name))]);
    wander(walker, steps, op);
}

fn wander<M: Domain>(mut walker: Walker<M>, steps: usize, mut op: impl FnMut(&mut Walk) -> String) {
    for _ in 0..steps {
        walker.step(&mut op);
    }
    walker.finish();
    let tally = &walker.tally;
    assert!(
        tally.applied > 0 && tally.refused > 0,
        "it shows nothing: {tally:?}"
    );
}

/// How many ops a long walk has: what `FCP_WALK_OPS` says, else `usual`, of which it says that it is not all.
#[must_use]
pub fn walk_ops(usual: usize, all: usize) -> usize {
    let said = std::env::var("FCP_WALK_OPS").ok();
    said.and_then(|said| said.parse().ok()).unwrap_or_else(|| {
        say(&format!(
            "{usual} ops are walked to save time; FCP_WALK_OPS={all} walks all that are meant"
        ));
        usual
    })
}

/// Walks until `ops` ops were taken, from those that `op` makes up on a new document, with all that [`walk`] does, but
/// so that a step costs by what it changes: see the module. Checks that undoing all gives the bytes and the digest of the
/// start, that redoing all gives those of the end, and that a second walk with the same seed is the same one.
///
/// # Panics
/// One of these does not hold, or fewer than a fifth of the calls were taken.
pub fn long_walk<M: Domain>(seed: u64, ops: usize, op: impl Fn(&mut Walk) -> String + Sync) {
    let (first, second) = thread::scope(|scope| {
        let second = scope.spawn(|| once::<M>(seed, ops, &op));
        (once::<M>(seed, ops, &op), second.join())
    });
    let second = second.unwrap_or_else(|panic| resume_unwind(panic));
    assert!(first == second, "seed {seed}: two walks are not alike");
}

/// Walks, and answers a hash of all that was said.
fn once<M: Domain>(seed: u64, ops: usize, mut op: impl Fn(&mut Walk) -> String) -> u64 {
    let start = std::time::Instant::now();
    let mut walker = Walker::<M>::new(format!("seed {seed}"), Walk::new(seed), SAMPLE);
    // Undo is to reach the start, however long the walk.
    let begin = ["set log-limit:16384", "new"].map(str::to_owned);
    walker.begin(&begin);
    while walker.tally.applied < ops {
        let (steps, taken) = (walker.tally.steps, walker.tally.applied);
        assert!(
            steps < 1000 + taken * 5,
            "seed {seed}: {taken} ops were taken in {steps} steps"
        );
        walker.step(&mut op);
    }
    walker.finish();
    say(&format!(
        "seed {seed}: {:?} in {:.1} s, no invariant broken",
        walker.tally,
        start.elapsed().as_secs_f64()
    ));
    walker.replies.finish()
}
