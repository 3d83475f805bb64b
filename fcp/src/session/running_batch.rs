//! A running batch: its ops in turn, and its outcome.

use std::collections::HashMap;

use super::actions::file::saved_elsewhere;
use super::batch::shown;
use super::document::Document;
use super::echo::{ReplyOptions, Report};
use super::numbered::Numbered;
use super::repair_trial::Spare;
use crate::diag::Diagnostic;
use crate::domain::Domain;
use crate::endpoint::Policy;
use crate::op::{Limits, OpWord, parse};
use crate::sql;
use crate::value::fold;
use crate::verb::Registry;
use crate::work;

/// A running batch.
pub(super) struct Course {
    pub(super) report: Report,
    policy: Policy,
    pub(super) failures: Vec<usize>,
    /// Folded names that failed ops may have been about to make, with the first of those ops.
    makers: HashMap<String, usize>,
    done: usize,
    /// The op that failed last, the state before it, and its reported error.
    again: Option<(String, u64, String)>,
    last: Option<Diagnostic>,
    spare: Spare,
    before: usize,
    numbered: Numbered,
}

impl Course {
    pub(super) fn new<M: Domain>(
        document: &Document<M>,
        ops: &[String],
        policy: Policy,
        reply_options: ReplyOptions,
    ) -> Self {
        Self {
            report: Report::new(reply_options),
            policy,
            failures: Vec::new(),
            makers: HashMap::new(),
            done: 0,
            again: None,
            last: None,
            spare: Spare::new(),
            before: document.log.undoable(),
            numbered: Numbered::of(&document.model, ops.iter()),
        }
    }

    /// Returns whether the batch runs no further op.
    pub(super) fn is_over(&self) -> bool {
        self.policy == Policy::Stop && !self.failures.is_empty() || work::over().is_some()
    }

    /// The failed op that would have made the missing row. Outside atomic batches, each error is
    /// independent.
    fn maker(&self, missing: Option<&str>) -> Option<usize> {
        let name = missing.filter(|_| self.policy == Policy::Atomic)?;
        self.makers.get(&fold(name)).copied()
    }

    /// The last reported error, if the same op is sent again and nothing has changed since.
    fn known(&self, op: &str, state: u64) -> Option<(String, Diagnostic)> {
        let (known, before, error_text) = self.again.as_ref()?;
        let same = known == op && *before == state;
        let error = self.last.clone().filter(|_| same)?;
        Some((error_text.clone(), error))
    }

    /// Records a failed op. An op that lacks a row cannot have been the one to make it.
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

    /// Ends the batch and reports its outcome.
    pub(super) fn finish<M: Domain>(mut self, document: &Document<M>, ops: &[String]) -> Ran {
        let total = ops.len();
        // A call that takes too long changes nothing, whatever its policy.
        let over = work::over();
        let rolled_back =
            over.is_some() || self.policy == Policy::Atomic && !self.failures.is_empty();
        let run = self.done + self.failures.len();
        if let Some(spent) = over {
            // A query or a repair may have used up the steps; then no op reports it.
            if total > 1 || self.done == total && total > 0 {
                let ops = crate::reply::count(total, "op");
                self.report
                    .verdict(format!("! batch rolled back after {run} of {ops}: {spent}"));
            }
        } else if rolled_back && total > 1 {
            self.report.verdict(format!(
                "! batch rolled back: {} of {total} failed",
                numbers(&self.failures)
            ));
        } else if run < total {
            self.report.verdict(format!(
                "! stopped: {} of {total} failed, {} not run",
                numbers(&self.failures),
                total - run
            ));
        }
        Ran {
            lines: self.report.into_lines(),
            rolled_back,
            failed: rolled_back || (self.done == 0 && !self.failures.is_empty()),
            entries: document.log.undoable().saturating_sub(self.before),
            error: self.last,
        }
    }
}

/// The outcome of a call's ops.
pub(super) struct Ran {
    /// The replies, and the overall outcome.
    pub(super) lines: Vec<String>,
    /// Whether the call must be rolled back.
    pub(super) rolled_back: bool,
    /// Whether errors kept all ops from being applied.
    pub(super) failed: bool,
    /// The number of entries added to the log.
    pub(super) entries: usize,
    /// The error of the last op that failed.
    pub(super) error: Option<Diagnostic>,
}

impl<M: Domain> Document<M> {
    /// Runs ops in turn. The caller rolls them back if needed.
    pub(super) fn run(
        &mut self,
        registry: &Registry<M>,
        ops: &[String],
        (policy, reply_options): (Policy, ReplyOptions),
        limits: Limits,
    ) -> Ran {
        let mut course = Course::new(self, ops, policy, reply_options);
        for ix in 0..ops.len() {
            if course.is_over() {
                break;
            }
            self.step(registry, &mut course, (ops, ix), limits);
        }
        course.finish(self, ops)
    }

    /// Runs one op of a batch.
    pub(super) fn step(
        &mut self,
        registry: &Registry<M>,
        course: &mut Course,
        (ops, ix): (&[String], usize),
        limits: Limits,
    ) {
        let Some(op) = ops.get(ix) else { return };
        if let Some((error_text, known)) = course.known(op, self.log.state_id()) {
            course.report.failed(ix, &error_text);
            course.fail(op, ix, known);
            return;
        }
        let applied = match course.numbered.moved(&self.model, op) {
            Some(error) => Err(error),
            None => self.apply(registry, op, limits),
        };
        match applied {
            Ok(reply) => {
                course.report.done(registry, (op, limits), &reply);
                course.done += 1;
            }
            Err(error) => {
                let error = match work::over() {
                    Some(_) => error,
                    None => {
                        let spare = &mut course.spare;
                        self.mend(registry, op, error, limits, spare).or_look()
                    }
                };
                let error = saved_elsewhere::<M>(self.file.as_ref(), error);
                let error_text = match course.maker(error.missing.as_deref()) {
                    Some(maker) => format!("! {} needs op {}", shown(op), maker + 1),
                    None => error.to_string(),
                };
                course.report.failed(ix, &error_text);
                course.again = Some((op.clone(), self.log.state_id(), error_text));
                course.fail(op, ix, error);
            }
        }
    }
}

/// The names in an op: its bare words and its name parameters, or the texts of a statement.
fn names(op: &str) -> Vec<String> {
    if sql::write_statement::is_write(op) {
        let literals = sql::literals(op).into_iter();
        return literals.map(|(_, text)| fold(&text)).collect();
    }
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
