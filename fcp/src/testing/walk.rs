//! Property walks: random ops, undos, redos, checkpoints and failing batches, with the invariants checked at each step.

use std::path::Path;

use super::play::{scratch, session};
use crate::domain::Domain;
use crate::endpoint::{Endpoint, Policy};
use crate::model::{ModelExt, Part};
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

/// All that can be seen of a session, from outside and from inside.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    digest: String,
    /// What undo gives back: ops, rows, who was touched last.
    kept: Vec<String>,
    /// What an undo shows as well: that there is something to redo, what is changed, since when.
    told: Vec<String>,
    /// Every row and slot, cursors and other view state included.
    content: Vec<String>,
    /// The next id.
    ids: u32,
}

/// Queries whose answers are as before an op when it is undone.
const KEPT: &[&str] = &[
    "history 1000000",
    "list @recent",
    "list @recent:5",
    "list @recent:2ops",
    "list",
    "map",
    "stats",
    "warnings",
];

/// Queries whose answers a failed op does not change.
const TOLD: &[&str] = &["status", "diff checkpoint:c1", "diff checkpoint:c2"];

fn seen<M: Domain>(session: &mut Session<M>) -> Seen {
    let mut ask = |query: &&str| {
        let text = session.query(query).text;
        // The held batch is the one thing a rolled-back call leaves, and status says so.
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("held for amend"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let kept = KEPT.iter().map(&mut ask).collect();
    let told = TOLD.iter().map(&mut ask).collect();
    Seen {
        digest: session.digest().unwrap_or_default(),
        kept,
        told,
        content: session.model().map(content).unwrap_or_default(),
        ids: session.model().map_or(0, |model| model.ids().peek()),
    }
}

/// Checks that nothing differs, and says what does.
fn same(found: &Seen, wanted: &Seen, what: &str) {
    let lines = |seen: &Seen| -> Vec<String> {
        let answers = seen.kept.iter().chain(&seen.told).map(String::as_str);
        let answers = KEPT.iter().chain(TOLD).zip(answers);
        let answers = answers
            .flat_map(|(query, text)| text.lines().map(move |line| format!("? {query}: {line}")));
        [seen.digest.clone(), format!("next id {}", seen.ids)]
            .into_iter()
            .chain(answers)
            .chain(seen.content.iter().cloned())
            .collect()
    };
    if found == wanted {
        return;
    }
    let (found, wanted) = (lines(found), lines(wanted));
    let new = found.iter().filter(|line| !wanted.contains(line)).take(8);
    let gone = wanted.iter().filter(|line| !found.contains(line)).take(8);
    let shown: Vec<String> = gone
        .map(|line| format!("- {line}"))
        .chain(new.map(|line| format!("+ {line}")))
        .collect();
    panic!("{what}\n{}", shown.join("\n"));
}

/// Every row and slot as text.
fn content<M: Domain>(model: &M) -> Vec<String> {
    let mut lines = Vec::new();
    for (ix, shape) in M::SHAPE.parts.iter().enumerate() {
        match model.part(ix) {
            Some(Part::Value(hash)) => lines.push(format!("{} {hash:x}", shape.name)),
            Some(Part::Rows(rows)) => {
                for id in rows.ids() {
                    let fields = rows.shape().fields.iter().enumerate();
                    let fields = fields.map(|(ix, field)| {
                        let value = rows.field(id, ix);
                        let value = value.or(rows.reference(id, ix).map(|id| format!("#{id}")));
                        format!("{}:{}", field.name, value.unwrap_or_default())
                    });
                    lines.push(format!(
                        "{} #{id} {:?} in {:?} {:x} {}",
                        shape.name,
                        rows.label(id),
                        rows.parent(id),
                        rows.row_hash(id),
                        fields.collect::<Vec<_>>().join(" ")
                    ));
                }
            }
            None => {}
        }
    }
    lines
}

/// Checks that every index is what the rows would give afresh.
fn audit<M: Domain>(model: &M, at: &str) {
    for ix in 0..M::SHAPE.parts.len() {
        if let Some(Part::Rows(rows)) = model.part(ix)
            && let Err(problem) = rows.audit()
        {
            panic!("{at}: {problem}");
        }
    }
}

/// What a save would write.
fn written<M: Domain>(model: &M, at: &str) -> Vec<u8> {
    let format = M::FORMATS.first().map_or("", |format| format.name);
    model
        .write(format)
        .unwrap_or_else(|error| panic!("{at}: cannot be saved: {error}"))
}

/// Checks that a save and an open give the same content.
fn settles<M: Domain>(model: &M, at: &str) {
    let Some(format) = M::FORMATS.first() else {
        return;
    };
    let bytes = written(model, at);
    let name = format!("walk.{}", format.extensions.first().unwrap_or(&"out"));
    let again = M::read(&bytes, &name)
        .unwrap_or_else(|error| panic!("{at}: what was saved does not open: {error}"));
    let told = |model: &M| (model.counts(), model.metrics(), model.hash());
    assert_eq!(
        told(&again),
        told(model),
        "{at}: what was saved opens as something else:\n{}\nwas\n{}",
        content(&again).join("\n"),
        content(model).join("\n")
    );
}

/// Walks `steps` steps on a new document with the ops that `op` makes up, right ones and wrong ones. Checks after each
/// that undo gives back what was before the op and redo what was after it, that a failed call changes nothing, that
/// every index is what the rows would give afresh, and that what is saved opens as the same.
///
/// # Panics
/// An invariant does not hold; the seed and the step are named.
pub fn walk<M: Domain>(seed: u64, steps: usize, op: impl FnMut(&mut Walk) -> String) {
    let root = scratch();
    let mut session: Session<M> = session(root.path());
    let new = session.act("new");
    assert!(!new.is_error, "{}", new.text);
    wander(&mut session, seed, steps, op);
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
    let root = scratch();
    let name = file.file_name().unwrap_or_default();
    std::fs::copy(file, root.path().join(name))
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut session: Session<M> = session(root.path());
    let opened = session.act(&format!(
        "open {}",
        crate::op::quote(&name.to_string_lossy())
    ));
    assert!(!opened.is_error, "{}", opened.text);
    wander(&mut session, seed, steps, op);
}

fn wander<M: Domain>(
    session: &mut Session<M>,
    seed: u64,
    steps: usize,
    mut op: impl FnMut(&mut Walk) -> String,
) {
    let mut random = Walk::new(seed);
    let saved = |session: &Session<M>, at: &str| {
        session
            .model()
            .map(|model| written(model, at))
            .unwrap_or_default()
    };
    let first = seen(session);
    let bytes = saved(session, "at the start");
    let (mut applied, mut refused) = (0_usize, 0_usize);
    for step in 0..steps {
        let at = format!("seed {seed}, step {step}");
        let mut done = String::new();
        match random.below(10) {
            0..=4 => {
                let op = op(&mut random);
                let before = seen(session);
                let answer = session.run(std::slice::from_ref(&op), None);
                let after = seen(session);
                let done = format!("{op}\n{}", answer.text);
                if answer.is_error {
                    let what = format!("{at}: a failed op left a trace: {done}");
                    same(&after, &before, &what);
                    refused += 1;
                } else if after.kept[0] == before.kept[0] {
                    same(
                        &after,
                        &before,
                        &format!("{at}: no entry, yet a change: {done}"),
                    );
                } else {
                    applied += 1;
                    session.act("undo");
                    let undone = Seen {
                        told: before.told.clone(),
                        ..seen(session)
                    };
                    same(
                        &undone,
                        &before,
                        &format!("{at}: undo gave another state: {done}"),
                    );
                    session.act("redo");
                    let what = format!("{at}: redo gave another state: {done}");
                    same(&seen(session), &after, &what);
                    session
                        .model()
                        .into_iter()
                        .for_each(|model| settles(model, &format!("{at}: {done}")));
                }
            }
            5 => {
                let ops: Vec<String> = (0..=random.below(6))
                    .map(|_| op(&mut random))
                    .chain(["no such verb".to_owned()])
                    .collect();
                let before = seen(session);
                let answer = session.run(&ops, Some(Policy::Atomic));
                let what = format!("{at}: a rolled-back batch left a trace: {ops:?}");
                same(&seen(session), &before, &format!("{what}\n{}", answer.text));
            }
            6 => {
                let ops: Vec<String> = (0..=random.below(6)).map(|_| op(&mut random)).collect();
                let policy = if random.below(2) == 0 {
                    Policy::Isolate
                } else {
                    Policy::Stop
                };
                session.run(&ops, Some(policy));
                done = ops.join("; ");
            }
            7 => {
                done = match random.below(6) {
                    5 => "undo batch".to_owned(),
                    n => format!("undo {n}"),
                };
                session.act(&done);
            }
            8 => {
                done = format!("redo {}", random.below(5));
                session.act(&done);
            }
            _ => {
                let before = session.digest();
                session.act(&format!("checkpoint c{}", random.below(4)));
                let op = op(&mut random);
                match random.below(3) {
                    0 => {
                        done = format!("undo to:c{}", random.below(4));
                        session.act(&done);
                    }
                    1 => {
                        let planned = seen(session);
                        session.query(&format!("plan {op}"));
                        let what = format!("{at}: a plan left a trace: {op}");
                        same(&seen(session), &planned, &what);
                    }
                    _ => assert_eq!(session.digest(), before, "{at}: a checkpoint changed it"),
                }
            }
        }
        if let Some(model) = session.model() {
            let at = format!("{at}: {done}");
            audit(model, &at);
            settles(model, &at);
        }
    }
    session.act("undo 1000000000");
    let last = seen(session);
    let at = format!("seed {seed}: undoing everything");
    assert_eq!(last.digest, first.digest, "{at} gave another digest");
    assert_eq!(last.content, first.content, "{at} gave other rows");
    assert_eq!(last.ids, first.ids, "{at} gave another next id");
    assert!(saved(session, &at) == bytes, "{at} gave another file");
    assert!(
        applied > 0 && refused > 0,
        "seed {seed}: the walk applied {applied} ops and refused {refused}: it shows nothing"
    );
}
