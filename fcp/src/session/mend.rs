//! Repairs that were tried out before they are shown.

use std::time::{Duration, Instant};

use super::document::Document;
use crate::diag::{Diagnostic, Repair, Result, breaks};
use crate::domain::Domain;
use crate::op::Limits;
use crate::reply::Reply;
use crate::verb::{Guesses, Registry};

impl<M: Domain> Document<M> {
    /// What an op would answer. The document is as before when this returns.
    pub(super) fn rehearse(
        &mut self,
        registry: &Registry<M>,
        text: &str,
        limits: Limits,
    ) -> Result<Reply> {
        let savepoint = self.savepoint();
        let result = self.apply(registry, text, limits);
        self.rollback(savepoint);
        result
    }

    /// An error whose repair has been tried out: an op in another form that works as it is, else its `try:` line, mended
    /// as far as it must be, else the first guess that works, else the syntax.
    pub(super) fn mend(
        &mut self,
        registry: &Registry<M>,
        op: &str,
        mut error: Diagnostic,
        limits: Limits,
        spare: &mut Spare,
    ) -> Diagnostic {
        // What was too dear to try once is not tried many times.
        if matches!(error.repair, Repair::Untried(_)) {
            return error;
        }
        let guesses = if spare.is_left() {
            crate::verb::guesses(registry, &self.model, op, &error)
        } else {
            Guesses::default()
        };
        let mut works = |document: &mut Self, guesses: &[String]| {
            guesses.iter().find_map(|guess| {
                let guess = on_one_line(guess)?;
                let rehearse = || document.rehearse(registry, &guess, limits).ok();
                spare.on(1, rehearse)?.map(|_| guess)
            })
        };
        if let Some(found) = works(self, &guesses.form) {
            error.repair = Repair::Try(found);
            return error;
        }
        let repair = self.mended(registry, error.repair.clone(), limits);
        if matches!(repair, Repair::Try(_)) {
            error.repair = repair;
            return error;
        }
        if let Some(found) = works(self, &guesses.gaps) {
            error.repair = Repair::Try(found);
            return error;
        }
        let first = |op: &str| op.split_whitespace().next().map(str::to_owned);
        for guess in &guesses.form {
            let mend = || self.mended(registry, Repair::Try(guess.clone()), limits);
            // What a guess leads to is that op, mended, and no other one.
            if let Some(Repair::Try(found)) = spare.on(STEPS, mend)
                && first(&found) == first(guess)
            {
                error.repair = Repair::Try(found);
                return error;
            }
        }
        error.repair = repair;
        error
    }

    /// A repair that works, or what is said where there is none.
    fn mended(&mut self, registry: &Registry<M>, repair: Repair, limits: Limits) -> Repair {
        mended(repair, |op| match self.rehearse(registry, op, limits) {
            Ok(_) => Repair::Try(op.to_owned()),
            // What says to send itself again says nothing.
            Err(next) if [Repair::None, Repair::Try(op.to_owned())].contains(&next.repair) => {
                let parsed = crate::op::parse(op).ok();
                let found = parsed.and_then(|op| registry.verb(&op));
                found.map_or(Repair::None, |found| Repair::Syntax(found.verb.syntax()))
            }
            Err(next) => next.repair,
        })
    }
}

/// How many guesses are tried in one call: errors are to be mended, not to be paid for.
const GUESSES: usize = 512;

/// How long guesses are tried in one call. Only ops on very much come to it.
const TIME: Duration = Duration::from_secs(1);

/// How many steps lead from a repair to one that works.
const STEPS: usize = 4;

/// What is left for trying guesses in one call.
pub(super) struct Spare {
    guesses: usize,
    time: Duration,
}

impl Spare {
    /// That of a call.
    pub const fn new() -> Self {
        Self {
            guesses: GUESSES,
            time: TIME,
        }
    }

    const fn is_left(&self) -> bool {
        self.guesses > 0 && !self.time.is_zero()
    }

    /// Tries something that is as dear as so many guesses, if that is left.
    fn on<T>(&mut self, guesses: usize, attempt: impl FnOnce() -> T) -> Option<T> {
        if !self.is_left() {
            return None;
        }
        let start = Instant::now();
        let found = attempt();
        self.guesses = self.guesses.saturating_sub(guesses);
        self.time = self.time.saturating_sub(start.elapsed());
        Some(found)
    }
}

/// A repair that works: what `rehearse` answers to a text is that text again if it works, or what would mend it.
pub(super) fn mended(repair: Repair, mut rehearse: impl FnMut(&str) -> Repair) -> Repair {
    let mut last = repair;
    for _ in 0..STEPS {
        let Repair::Try(text) = &last else {
            return last;
        };
        let Some(text) = on_one_line(text) else {
            return Repair::None;
        };
        // A repair for another tool cannot be tried here.
        if text.starts_with("! ") || text.starts_with("? ") {
            return Repair::Try(text);
        }
        match rehearse(&text) {
            Repair::Try(next) if next == text => return Repair::Try(text),
            next => last = next,
        }
    }
    match last {
        Repair::Syntax(line) => Repair::Syntax(line),
        _ => Repair::None,
    }
}

/// An op, query or action spelled on one line, if it can be.
fn on_one_line(text: &str) -> Option<String> {
    if !text.contains(breaks) {
        return Some(text.to_owned());
    }
    let (sign, text) = match text.strip_prefix("! ").or(text.strip_prefix("? ")) {
        Some(rest) => text.split_at(text.len() - rest.len()),
        None => ("", text),
    };
    let line = crate::op::parse_action(text).ok()?.to_string();
    (!line.contains(breaks)).then(|| format!("{sign}{line}"))
}
