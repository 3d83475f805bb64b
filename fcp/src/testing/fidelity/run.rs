//! Many sessions in turn.

use std::path::Path;
use std::time::Instant;

use super::author::Author;
use super::check::Complaint;
use super::play::{Play, Sample, agree};
use super::reading::{Fact, Judge};
use super::report::{Finding, Outcome};
use super::shrink::shrink;
use crate::domain::Domain;
use crate::script::Call;
use crate::testing::{Walk, files, say};

/// The most faults that are shrunk and shown for the same judge and the same verb of the last op.
const SHOWN: usize = 2;

/// A session ends when its file has grown by this many bytes.
const GROWTH: usize = 20_000;

/// A file of more than this many bytes has a session only in one of this many rounds: one with
/// 100,000 events takes as long as all small files.
const LARGE: (usize, usize) = (50_000, 10);

/// The number of ops between progress messages of a long run.
const REPORTED_EVERY: usize = 10_000;

/// The size of a run.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The seed: it determines the sessions.
    pub seed: u64,
    /// The total number of ops.
    pub ops: usize,
    /// The number of ops of a session.
    pub session: usize,
    /// The number of ops between comparisons of the account; it is also compared at the end.
    pub every: usize,
    /// On average, one in this many ops is a statement that writes.
    pub sql: usize,
}

impl Effort {
    /// A short run for tests.
    pub const TEST: Self = Self {
        seed: 1,
        ops: 400,
        session: 12,
        every: 4,
        sql: 5,
    };

    /// A short run of only statements that write.
    pub const SQL: Self = Self {
        seed: 1,
        ops: 4000,
        session: 12,
        every: 6,
        sql: 1,
    };
}

/// Plays a session on a file through the domain's program, and returns the saved file.
pub type Outside<'a> = dyn FnMut(&Sample, &[Call]) -> Result<Vec<u8>, String> + 'a;

/// Every file in a folder and its subfolders that the domain can open, by extension.
#[must_use]
pub fn samples<M: Domain>(folder: &Path) -> Vec<Sample> {
    let endings: Vec<&str> = M::FORMATS
        .iter()
        .flat_map(|format| format.extensions)
        .copied()
        .collect();
    let found = files(folder, &endings).into_iter().filter_map(|path| {
        let name = path
            .strip_prefix(folder)
            .unwrap_or(&path)
            .display()
            .to_string();
        Some(Sample {
            name,
            bytes: std::fs::read(&path).ok()?,
            begun: Vec::new(),
        })
    });
    found.collect()
}

/// A sample, and the judges' readings of it.
struct Known<'a> {
    sample: &'a Sample,
    readings: Vec<Option<Vec<Fact>>>,
}

/// Plays sessions on all samples in turn until `effort` is spent. `outside` also plays every n-th
/// session through the program.
pub fn fidelity<M: Domain>(
    samples: &[Sample],
    judges: &mut [Box<dyn Judge>],
    effort: Effort,
    mut outside: Option<(usize, &mut Outside<'_>)>,
) -> Outcome {
    let start = Instant::now();
    let mut outcome = Outcome::default();
    let mut play = Play::<M>::new();
    let known = known(samples, judges, &mut play, &mut outcome);
    let mut author = Author::<M>::new(effort.sql);
    let mut random = Walk::new(effort.seed);
    let is_due = |turn: usize| {
        let is_large = known[turn % known.len()].sample.bytes.len() > LARGE.0;
        !is_large || (turn / known.len()).is_multiple_of(LARGE.1)
    };
    let mut turns = (0..usize::MAX).filter(|turn| is_due(*turn));
    while outcome.tried < effort.ops && !known.is_empty() {
        let turn = turns.next().unwrap_or_default();
        let known = &known[turn % known.len()];
        outcome.sessions += 1;
        let tried = outcome.tried;
        let mut calls = Vec::new();
        let mut done = session(
            &mut play,
            &mut author,
            &mut random,
            known,
            judges,
            effort,
            &mut calls,
            &mut outcome,
        );
        if let (Ok(saved), Some((every, outside))) = (&done, &mut outside)
            && outcome.sessions.is_multiple_of(*every)
        {
            outcome.outside += 1;
            match outside(known.sample, &calls) {
                Ok(other) if other == *saved => {}
                Ok(_) => {
                    done = Err(Complaint::new(
                        "program",
                        "the program saves another file than the session",
                    ));
                }
                Err(problem) => done = Err(Complaint::new("program", problem)),
            }
        }
        if outcome.tried / REPORTED_EVERY > tried / REPORTED_EVERY {
            let seconds = start.elapsed().as_secs();
            say(&format!("{} ops, {seconds} s", outcome.tried));
        }
        if let Err(complaint) = done {
            found(
                &mut play,
                &author,
                known,
                judges,
                effort.seed,
                complaint,
                calls,
                &mut outcome,
            );
        }
    }
    outcome.written = author.written();
    outcome.verbs = author.counts;
    outcome.time = start.elapsed();
    outcome
}

/// The samples that open, with the judges' readings.
fn known<'a, M: Domain>(
    samples: &'a [Sample],
    judges: &mut [Box<dyn Judge>],
    play: &mut Play<M>,
    outcome: &mut Outcome,
) -> Vec<Known<'a>> {
    let mut all = Vec::new();
    for sample in samples {
        if play.open(sample).is_err() {
            outcome.unopened += 1;
            continue;
        }
        let bytes = M::unpack(sample.bytes.clone(), M::FILE_LIMIT).unwrap_or_default();
        let mut readings: Vec<_> = judges
            .iter_mut()
            .map(|judge| judge.read(&bytes).ok())
            .collect();
        // A judge that reads the original file differently from another proves nothing on it.
        while let Err(complaint) = agree(judges, &readings, &bytes) {
            let doubtful = judges
                .iter()
                .position(|judge| judge.name() == complaint.judge);
            let Some(reading) = doubtful.and_then(|at| readings.get_mut(at)) else {
                break;
            };
            *reading = None;
        }
        for (judge, _) in judges
            .iter()
            .zip(&readings)
            .filter(|(_, reading)| reading.is_none())
        {
            *outcome.unread.entry(judge.name()).or_default() += 1;
        }
        all.push(Known { sample, readings });
    }
    outcome.files = all.len();
    all
}

/// Plays one session and returns the file it saved at the end.
#[allow(clippy::too_many_arguments, reason = "the run in pieces")]
fn session<M: Domain>(
    play: &mut Play<M>,
    author: &mut Author<M>,
    random: &mut Walk,
    known: &Known<'_>,
    judges: &mut [Box<dyn Judge>],
    effort: Effort,
    calls: &mut Vec<Call>,
    outcome: &mut Outcome,
) -> Result<Vec<u8>, Complaint> {
    play.open(known.sample)
        .map_err(|problem| Complaint::new("open", problem))?;
    author.next();
    for step in 1..=effort.session {
        let call = match random.below(16) {
            0 => Call::Action(format!("undo {}", random.below(3) + 1)),
            1 => Call::Action("redo".to_owned()),
            _ => Call::Ops(vec![author.op(random, &play.session)]),
        };
        calls.push(call.clone());
        let ended = play.call(&call, judges, &known.readings)?;
        match &call {
            Call::Ops(ops) => {
                let refused = ended.answer.is_error;
                outcome.tried += 1;
                outcome.applied += usize::from(ended.applied > 0);
                outcome.refused += usize::from(refused);
                let answer = refused.then_some(ended.answer.text.as_str());
                author.learn(&ops[0], ended.applied > 0, answer);
            }
            _ => outcome.undone += ended.applied,
        }
        // A refused call changes nothing: replays omit it.
        if ended.applied == 0 {
            calls.pop();
        }
        // Documents that grow without bound show nothing new, and are slow.
        if play
            .written("")
            .is_some_and(|file| file.len() > known.sample.bytes.len() * 2 + GROWTH)
        {
            break;
        }
        if step % effort.every == 0 {
            outcome.compared(play.accounted(judges, &known.readings)?);
        }
    }
    outcome.compared(play.accounted(judges, &known.readings)?);
    play.saved(known.sample, judges, &known.readings)
}

/// Counts a fault, and searches for the fewest calls that show it.
#[allow(clippy::too_many_arguments, reason = "the run in pieces")]
fn found<M: Domain>(
    play: &mut Play<M>,
    author: &Author<M>,
    known: &Known<'_>,
    judges: &mut [Box<dyn Judge>],
    seed: u64,
    complaint: Complaint,
    calls: Vec<Call>,
    outcome: &mut Outcome,
) {
    match &*complaint.judge {
        "account" | "bytes" => outcome.unaccounted += 1,
        _ => {}
    }
    let count = outcome
        .disagreements
        .entry(complaint.judge.clone())
        .or_default();
    *count += 1;
    let verb = calls.iter().rev().find_map(|call| match call {
        Call::Ops(ops) => author.phrase(ops.first()?),
        _ => None,
    });
    let kind = (complaint.judge.clone(), verb);
    let shown = outcome.kinds.entry(kind).or_default();
    *shown += 1;
    if *shown > SHOWN {
        return;
    }
    let mut last = complaint.clone();
    let judge = complaint.judge;
    let calls = shrink(calls, |calls| match replay(play, known, judges, calls) {
        Err(complaint) if complaint.judge == judge => {
            last = complaint;
            true
        }
        _ => false,
    });
    let finding = Finding {
        file: known.sample.name.clone(),
        seed,
        complaint: last,
        calls,
    };
    let is_known = |old: &Finding| old.complaint == finding.complaint && old.calls == finding.calls;
    if !outcome.findings.iter().any(is_known) {
        // Printed at once, so that an interrupted run has shown its findings.
        say(&format!("{finding}\n"));
        outcome.findings.push(finding);
    }
}

/// Plays calls on a sample with every check after each.
fn replay<M: Domain>(
    play: &mut Play<M>,
    known: &Known<'_>,
    judges: &mut [Box<dyn Judge>],
    calls: &[Call],
) -> Result<(), Complaint> {
    play.open(known.sample)
        .map_err(|problem| Complaint::new("open", problem))?;
    for call in calls {
        play.call(call, judges, &known.readings)?;
        play.accounted(judges, &known.readings)?;
    }
    play.saved(known.sample, judges, &known.readings).map(drop)
}
