//! Property walks: random ops, undos, redos, checkpoints and failing batches, with the invariants checked at each step.

use super::play::{scratch, session};
use crate::domain::Domain;
use crate::endpoint::{Endpoint, Policy};
use crate::session::Session;

/// A source of numbers that gives the same walk for the same seed.
#[derive(Clone, Debug)]
pub struct Walk(u64);

impl Walk {
    /// A walk of its own for each seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `limit`; 0 if that is 0. SplitMix64.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let z = z ^ (z >> 31);
        if limit == 0 {
            0
        } else {
            (z % limit as u64) as usize
        }
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> Option<&'a T> {
        let ix = self.below(from.len());
        from.get(ix).copied()
    }
}

/// All that an outsider can see of a session.
fn seen<M: Domain>(session: &mut Session<M>) -> (String, Vec<String>) {
    let digest = session.digest().unwrap_or_default();
    let views = [
        "history 1000000",
        "list @recent",
        "list @recent:5",
        "list @recent:2ops",
        "status",
        "list",
    ];
    (
        digest,
        views
            .iter()
            .map(|query| session.query(query).text)
            .collect(),
    )
}

/// Walks `steps` steps with the ops that `op` makes up, right ones and wrong ones, and checks after each that
/// undo gives back what was before the op, redo what was after it, and a failed call what was before it.
///
/// # Panics
/// An invariant does not hold; the seed and the step are named.
pub fn walk<M: Domain>(seed: u64, steps: usize, mut op: impl FnMut(&mut Walk) -> String) {
    let root = scratch();
    let mut session: Session<M> = session(root.path());
    let mut random = Walk::new(seed);
    let new = session.act("new");
    assert!(!new.is_error, "{}", new.text);
    let first = seen(&mut session);
    let (mut applied, mut refused) = (0_usize, 0_usize);
    for step in 0..steps {
        let at = format!("seed {seed}, step {step}");
        match random.below(10) {
            0..=4 => {
                let op = op(&mut random);
                let before = seen(&mut session);
                let answer = session.run(std::slice::from_ref(&op), None);
                if answer.is_error {
                    assert_eq!(
                        seen(&mut session),
                        before,
                        "{at}: a failed op left a trace: {op}\n{}",
                        answer.text
                    );
                    refused += 1;
                } else if session.query("history 1000000").text == before.1[0] {
                    assert_eq!(
                        seen(&mut session),
                        before,
                        "{at}: an op without an entry changed something: {op}"
                    );
                } else {
                    applied += 1;
                    let after = seen(&mut session);
                    session.act("undo");
                    let undone = seen(&mut session);
                    assert_eq!(undone.0, before.0, "{at}: undo gave another digest: {op}");
                    assert_eq!(
                        undone.1[..4],
                        before.1[..4],
                        "{at}: undo gave another history: {op}"
                    );
                    assert_eq!(undone.1[5], before.1[5], "{at}: undo gave other rows: {op}");
                    session.act("redo");
                    assert_eq!(
                        seen(&mut session),
                        after,
                        "{at}: redo gave another state: {op}"
                    );
                }
            }
            5 => {
                let ops: Vec<String> = (0..=random.below(6))
                    .map(|_| op(&mut random))
                    .chain(["no such verb".to_owned()])
                    .collect();
                let before = seen(&mut session);
                let answer = session.run(&ops, Some(Policy::Atomic));
                let mut after = seen(&mut session);
                // The held batch is the one thing a rolled-back call leaves, and status says so.
                let held = |text: &str| {
                    text.lines()
                        .filter(|line| !line.starts_with("held for amend"))
                        .collect::<Vec<_>>()
                        .join("\n")
                };
                let mut before = before;
                before.1[4] = held(&before.1[4]);
                after.1[4] = held(&after.1[4]);
                assert_eq!(
                    after, before,
                    "{at}: a rolled-back batch left a trace: {ops:?}\n{}",
                    answer.text
                );
            }
            6 => {
                let ops: Vec<String> = (0..=random.below(6)).map(|_| op(&mut random)).collect();
                session.run(&ops, Some(Policy::Isolate));
            }
            7 => {
                session.act(&format!("undo {}", random.below(5)));
            }
            8 => {
                session.act(&format!("redo {}", random.below(5)));
            }
            _ => {
                let before = session.digest();
                session.act(&format!("checkpoint c{}", random.below(4)));
                if random.below(2) == 0 {
                    session.act(&format!("undo to:c{}", random.below(4)));
                } else {
                    assert_eq!(
                        session.digest(),
                        before,
                        "{at}: a checkpoint changed the digest"
                    );
                }
            }
        }
    }
    session.act("undo 1000000000");
    let last = seen(&mut session);
    assert_eq!(
        last.0, first.0,
        "seed {seed}: undoing everything gave another digest"
    );
    assert_eq!(
        last.1[5], first.1[5],
        "seed {seed}: undoing everything gave other rows"
    );
    assert!(
        applied > 0 && refused > 0,
        "seed {seed}: the walk applied {applied} ops and refused {refused}: it shows nothing"
    );
}
