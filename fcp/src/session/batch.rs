//! A call of several ops: policies, rollback, and the resending of a rolled-back batch.

use super::blocks::joined;
use super::running_batch::Course;
use super::split::split_ops;
use super::task::{Batch, is_query, query_of};
use super::unknown::unknown;
use super::{Session, no_document};
use crate::diag::{Diagnostic, Repair, short_name};
use crate::domain::Domain;
use crate::endpoint::{Answer, Policy};
use crate::op::{parse, split_verb_within};
use crate::value::nearest_word;
use crate::verb::Role;
use crate::work;

/// The words that steer a batch, as cards show them.
pub(crate) const STEERING: &[(&str, &str)] = &[
    (
        "batch atomic|isolate|stop",
        "First in a call: how it ends if an op fails.",
    ),
    (
        "amend N OP",
        "First in a call: runs the batch that was rolled back last with op N replaced.",
    ),
];

/// A parsed call: its policy and its ops.
struct Orders {
    policy: Option<Policy>,
    ops: Vec<String>,
    lines: Vec<String>,
}

impl<M: Domain> Session<M> {
    /// Runs the ops of one call.
    pub(super) fn batch(&mut self, ops: &[String], transport: Option<Policy>) -> Answer {
        let ran = self.batch_of(ops, transport);
        let mut answer = ran.answer;
        if let (true, Some(digest)) = (ran.has_digest, self.digest()) {
            answer.text = match answer.text.is_empty() {
                true => digest,
                false => format!("{}\n{digest}", answer.text),
            };
        }
        answer
    }

    /// Runs ops as one batch, and answers the queries among them.
    pub(super) fn batch_of(&mut self, ops: &[String], transport: Option<Policy>) -> Batch {
        if self.document.is_none() {
            return Batch::refused(no_document("! "), false);
        }
        let orders = match self.orders(ops) {
            Ok(orders) => orders,
            Err(error) => return Batch::refused(refusal(&error), true),
        };
        let policy = orders
            .policy
            .or(self.settings.batch)
            .or(transport)
            .unwrap_or(M::BATCH);
        let limits = self.settings.limits();
        let registry = self.registry.clone();
        let Some(document) = self.document.as_mut() else {
            return Batch::refused(no_document("! "), false);
        };

        document.log.begin_batch();
        let savepoint = document.savepoint();
        // The edits, and each query with the number of edits before it.
        let (mut edits, mut queries) = (Vec::with_capacity(orders.ops.len()), Vec::new());
        for line in orders.ops {
            match is_query(&line) {
                true => queries.push((edits.len(), line)),
                false => edits.push(line),
            }
        }
        let mut course = Course::new(document, &edits, policy, self.settings.reply_options());
        let mut blocks = Vec::new();
        let mut queries = queries.iter().peekable();
        let mut next = 0;
        while next < edits.len() || queries.peek().is_some() {
            let Some((_, line)) = queries.next_if(|(before, _)| *before == next) else {
                if let (false, Some(document)) = (course.is_over(), self.document.as_mut()) {
                    document.step(&registry, &mut course, (&edits, next), limits);
                }
                next += 1;
                continue;
            };
            let query = query_of(line);
            if course.is_over() || (policy == Policy::Atomic && !course.failures.is_empty()) {
                let why = match work::over() {
                    Some(_) => "the call has no steps left",
                    None => "an op before it failed",
                };
                let query = shown(query);
                course.report.line(format!("? {query} (not asked: {why})"));
                continue;
            }
            let answer = self.ask_one(query);
            if course
                .report
                .line(format!("? {}\n{}", shown(query), answer.text))
            {
                blocks.extend(answer.blocks);
            }
        }
        let Some(document) = self.document.as_mut() else {
            return Batch::refused(no_document("! "), false);
        };
        let run = course.finish(document, &edits);
        let mut lines = orders.lines;
        lines.extend(run.lines);
        if run.rolled_back {
            document.rollback(savepoint);
            if edits.len() > 1 {
                self.held = Some(edits);
            }
        } else {
            // The log may drop entries as soon as the savepoint is released.
            let touched = document.touched(run.entries);
            let odd = document.odd(run.entries, limits);
            document.release(savepoint);
            if run.entries > 0 {
                self.held = None;
                let mut new = document.findings.update(&mut document.model, &touched);
                new.extend(odd);
                lines.extend(self.settings.page_warnings(new));
            }
        }
        Batch {
            answer: Answer {
                text: lines.join("\n"),
                is_error: run.failed,
                blocks,
            },
            has_digest: true,
            ends: run.rolled_back || (policy == Policy::Stop && run.error.is_some()),
        }
    }

    /// Takes the words that steer the batch off the front of the ops.
    fn orders(&self, ops: &[String]) -> Result<Orders, Diagnostic> {
        let mut orders = Orders {
            policy: None,
            ops: Vec::new(),
            lines: Vec::new(),
        };
        let mut amendments: Vec<(usize, String)> = Vec::new();
        let mut rest = ops;
        while let Some((first, tail)) = rest.split_first() {
            let Ok((verb, words)) = split_verb_within(first, self.settings.limits()) else {
                break;
            };
            if self.registry.owns_verb(&verb.text) {
                break;
            }
            match &*verb.text {
                "batch" => {
                    let word = words.trim();
                    orders.policy = Some(Policy::of(word).ok_or_else(|| {
                        let near =
                            nearest_word(word, ["atomic", "isolate", "stop"]).unwrap_or("atomic");
                        let shown = shown(word);
                        let error = Diagnostic::new(format!(
                            "batch \"{shown}\" is not one of atomic, isolate, stop"
                        ));
                        // On its own, the word would be a call without ops.
                        match tail {
                            [] => error.or_syntax("batch atomic|isolate|stop"),
                            _ => error.or_try(format!("batch {near}")),
                        }
                    })?);
                    orders.lines.push(format!(
                        "= batch {}",
                        orders.policy.map_or("", Policy::word)
                    ));
                }
                "amend" => amendments.push(self.amendment(words)?),
                _ => break,
            }
            rest = tail;
        }
        orders.ops = rest.to_vec();
        if !amendments.is_empty() {
            if let Some(op) = rest.first() {
                return Err(Diagnostic::new(format!(
                    "amend sends the held batch again as a whole; {} does not belong to it",
                    shown(op)
                )));
            }
            orders.ops = self.held.clone().unwrap_or_default();
            for (at, op) in amendments {
                orders.ops[at] = op;
            }
        }
        if orders.ops.is_empty() {
            return Err(
                Diagnostic::new("no ops were sent").or_syntax("VERB [TYPE] TARGET [key:value]…")
            );
        }
        Ok(orders)
    }

    fn amendment(&self, words: &str) -> Result<(usize, String), Diagnostic> {
        let syntax = "amend N OP";
        let held = self.held.as_ref().ok_or_else(|| {
            Diagnostic::new("no batch is held: only one that was rolled back, with nothing done since, can be amended")
        })?;
        let (n, op) = words
            .split_once(char::is_whitespace)
            .ok_or_else(|| Diagnostic::new("amend needs a number and an op").or_syntax(syntax))?;
        let n: usize = n.parse().map_err(|_| {
            Diagnostic::new(format!("{} is not a number", shown(n))).or_syntax(syntax)
        })?;
        let at = n.checked_sub(1).filter(|at| *at < held.len());
        let at = at.ok_or_else(|| {
            Diagnostic::new(format!("the held batch has ops 1 to {}", held.len()))
        })?;
        Ok((at, op.trim().to_owned()))
    }

    /// The reply and changes that a call's ops would cause. Leaves the document as it was.
    pub(super) fn plan(&mut self, text: &str) -> Result<Answer, Diagnostic> {
        let ops = split_ops(text);
        if ops.is_empty() {
            return Err(Diagnostic::new("plan needs an op").or_syntax("plan OP[; OP…]"));
        }
        let planned = |mut error: Diagnostic| {
            if let Repair::Try(op) | Repair::Untried(op) = &mut error.repair
                && !op.starts_with(['!', '?'])
            {
                *op = format!("plan {op}");
            }
            error
        };
        let orders = match self.orders(&ops) {
            Ok(orders) => orders,
            // The repair of a faulty op is a plan too.
            Err(error) if ops.len() == 1 => return Err(planned(error)),
            Err(error) => {
                return Err(Diagnostic {
                    repair: Repair::None,
                    ..error
                }
                .or_syntax("plan OP[; OP…]"));
            }
        };
        let policy = orders.policy.or(self.settings.batch).unwrap_or(M::BATCH);
        let limits = self.settings.limits();
        let registry = &self.registry;
        let Some(document) = self.document.as_mut() else {
            return Ok(no_document("! "));
        };
        let savepoint = document.savepoint();
        let reply_options = self.settings.reply_options();
        let mut run = document.run(registry, &orders.ops, (policy, reply_options), limits);
        let alone = ops.len() == 1;
        if let Some(error) = run.error.take().filter(|_| alone) {
            document.rollback(savepoint);
            return Err(planned(error));
        }
        let mut lines = orders.lines;
        lines.append(&mut run.lines);
        let mut digest = document.digest();
        if !run.rolled_back {
            let touched = document.touched(run.entries);
            let mut findings = document.findings.clone();
            let new = findings.update(&mut document.model, &touched);
            lines.extend(self.settings.page_warnings(new));
        }
        document.rollback(savepoint);
        if run.rolled_back {
            digest = document.digest();
        }
        lines.push(format!("would leave {digest}"));
        Ok(Answer {
            text: super::query::fitting(&lines),
            is_error: run.failed,
            ..Answer::default()
        })
    }

    /// The error for a query's unknown first word.
    pub(super) fn unknown_query(&self, query: &str) -> Diagnostic {
        match parse(query) {
            Ok(op) => unknown(&self.registry, Role::Query, &op, "query"),
            Err(error) => error.into(),
        }
    }
}

/// An answer that applied nothing.
fn refusal(error: &Diagnostic) -> Answer {
    Answer {
        text: error.to_string(),
        is_error: true,
        ..Answer::default()
    }
}

/// A text for a message: at most 60 characters.
pub(super) fn shown(op: &str) -> String {
    short_name(&joined(op))
}
