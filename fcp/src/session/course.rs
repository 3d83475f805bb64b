//! A batch on its way: its ops one after the other, and how it ended.

use std::collections::HashMap;

use super::batch::shown;
use super::document::Document;
use super::echo::{Telling, Told};
use super::mend::Spare;
use crate::diag::Diagnostic;
use crate::domain::Domain;
use crate::endpoint::Policy;
use crate::op::{Limits, OpWord, parse};
use crate::value::fold;
use crate::verb::Registry;
use crate::work;

/// A batch on its way.
pub(super) struct Course {
    pub(super) told: Told,
    policy: Policy,
    pub(super) failures: Vec<usize>,
    /// The names that failed ops were perhaps to make, folded, and the first of those ops.
    makers: HashMap<String, usize>,
    done: usize,
    /// The op that failed last, the state in which it did, and what was said of it.
    again: Option<(String, u64, String)>,
    last: Option<Diagnostic>,
    spare: Spare,
    before: usize,
}

impl Course {
    pub(super) fn new<M: Domain>(document: &Document<M>, policy: Policy, telling: Telling) -> Self {
        Self {
            told: Told::new(telling),
            policy,
            failures: Vec::new(),
            makers: HashMap::new(),
            done: 0,
            again: None,
            last: None,
            spare: Spare::new(),
            before: document.log.undoable(),
        }
    }

    /// Whether no further op is run.
    pub(super) fn is_over(&self) -> bool {
        self.policy == Policy::Stop && !self.failures.is_empty() || work::over().is_some()
    }

    /// The failed op that was to make the row that is missing. In other batches than atomic ones each error stands for
    /// itself.
    fn maker(&self, missing: Option<&str>) -> Option<usize> {
        let name = missing.filter(|_| self.policy == Policy::Atomic)?;
        self.makers.get(&fold(name)).copied()
    }

    /// What was said of an op that failed last, where it is sent again and nothing changed meanwhile.
    fn known(&self, op: &str, state: u64) -> Option<(String, Diagnostic)> {
        let (known, before, said) = self.again.as_ref()?;
        let same = known == op && *before == state;
        let error = self.last.clone().filter(|_| same)?;
        Some((said.clone(), error))
    }

    /// Notes an op that failed. One that misses a row was not to make it.
    fn fail(&mut self, op: &str, ix: usize, error: Diagnostic) {
        if self.policy == Policy::Atomic {
            let missing = error.missing.as_deref().map(fold);
            for name in names(op) {
                if missing.as_ref() != Some(&name) {
                    self.makers.entry(name).or_insert(ix);
                }
            }
        }
        self.failures.push(ix);
        self.last = Some(error);
    }

    /// Tells how it ended.
    pub(super) fn finish<M: Domain>(mut self, document: &Document<M>, ops: &[String]) -> Ran {
        let total = ops.len();
        // A call that takes too long changes nothing, whatever the policy.
        let over = work::over();
        let rolled_back =
            over.is_some() || self.policy == Policy::Atomic && !self.failures.is_empty();
        let run = self.done + self.failures.len();
        if let Some(spent) = over {
            // A query or a repair may have taken the steps, and then no op says so.
            if total > 1 || self.done == total && total > 0 {
                let ops = if total == 1 { "op" } else { "ops" };
                self.told.verdict(format!(
                    "! batch rolled back after {run} of {total} {ops}: {spent}"
                ));
            }
        } else if rolled_back && total > 1 {
            self.told.verdict(format!(
                "! batch rolled back: {} of {total} failed",
                numbers(&self.failures)
            ));
        } else if run < total {
            self.told.verdict(format!(
                "! stopped: {} of {total} failed, {} not run",
                numbers(&self.failures),
                total - run
            ));
        }
        Ran {
            lines: self.told.into_lines(),
            rolled_back,
            failed: rolled_back || (self.done == 0 && !self.failures.is_empty()),
            entries: document.log.undoable().saturating_sub(self.before),
            error: self.last,
        }
    }
}

/// What became of the ops of a call.
pub(super) struct Ran {
    /// The replies, and what became of them all.
    pub(super) lines: Vec<String>,
    /// The call is to be taken back.
    pub(super) rolled_back: bool,
    /// Nothing was applied, because of errors.
    pub(super) failed: bool,
    /// How many entries the log has more.
    pub(super) entries: usize,
    /// The error of the last op that failed.
    pub(super) error: Option<Diagnostic>,
}

impl<M: Domain> Document<M> {
    /// Runs ops one after the other. Taking them back, where that is due, is left to the caller.
    pub(super) fn run(
        &mut self,
        registry: &Registry<M>,
        ops: &[String],
        (policy, telling): (Policy, Telling),
        limits: Limits,
    ) -> Ran {
        let mut course = Course::new(self, policy, telling);
        for ix in 0..ops.len() {
            if course.is_over() {
                break;
            }
            self.step(registry, &mut course, (ops, ix), limits);
        }
        course.finish(self, ops)
    }

    /// Runs one op of several.
    pub(super) fn step(
        &mut self,
        registry: &Registry<M>,
        course: &mut Course,
        (ops, ix): (&[String], usize),
        limits: Limits,
    ) {
        let Some(op) = ops.get(ix) else { return };
        if let Some((said, known)) = course.known(op, self.log.state_id()) {
            course.told.failed(ix, &said);
            course.fail(op, ix, known);
            return;
        }
        match self.apply(registry, op, limits) {
            Ok(reply) => {
                course.told.done(registry, (op, limits), &reply);
                course.done += 1;
            }
            Err(error) => {
                let error = match work::over() {
                    Some(_) => error,
                    None => self.mend(registry, op, error, limits, &mut course.spare),
                };
                let said = match course.maker(error.missing.as_deref()) {
                    Some(maker) => format!("! {} needs op {}", shown(op), maker + 1),
                    None => error.to_string(),
                };
                course.told.failed(ix, &said);
                course.again = Some((op.clone(), self.log.state_id(), said));
                course.fail(op, ix, error);
            }
        }
    }
}

/// The names that an op gives: its bare words, and what it is called.
fn names(op: &str) -> Vec<String> {
    let Ok(op) = parse(op) else {
        return Vec::new();
    };
    let names = op.words.iter().filter_map(|word| match word {
        OpWord::Positional(word) => Some(fold(&word.text)),
        OpWord::Param(param) => {
            matches!(&*param.key, "id" | "name" | "as").then(|| fold(&param.value))
        }
        _ => None,
    });
    names.collect()
}

fn numbers(failures: &[usize]) -> String {
    let list: Vec<String> = failures
        .iter()
        .take(20)
        .map(|ix| (ix + 1).to_string())
        .collect();
    let more = if failures.len() > 20 {
        format!(" and {} more", failures.len() - 20)
    } else {
        String::new()
    };
    format!(
        "{} {}{more}",
        if failures.len() == 1 { "op" } else { "ops" },
        list.join(", ")
    )
}
