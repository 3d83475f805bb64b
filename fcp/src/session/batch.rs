//! A call of several ops: policies, rollback, and the resending of a rolled-back batch.

use std::collections::HashMap;

use super::blocks::joined;
use super::document::Document;
use super::echo::{Telling, Told};
use super::mend::Spare;
use super::split::split_ops;
use super::task::{Batch, is_query, query_of};
use super::unknown::unknown;
use super::{Session, no_document};
use crate::diag::{Diagnostic, Repair};
use crate::domain::Domain;
use crate::endpoint::{Answer, Policy};
use crate::op::{Limits, OpWord, parse, split_verb_within};
use crate::value::{fold, nearest_word};
use crate::verb::{Registry, Role};
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

/// A call taken apart: how it was told to end, and its ops.
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
        let edits: Vec<String> = orders
            .ops
            .iter()
            .filter(|op| !is_query(op))
            .cloned()
            .collect();
        let mut course = Course::new(document, policy, self.settings.telling());
        let (mut blocks, mut next) = (Vec::new(), 0);
        for line in &orders.ops {
            if !is_query(line) {
                if let (false, Some(document)) = (course.is_over(), self.document.as_mut()) {
                    document.step(&registry, &mut course, (&edits, next), limits);
                }
                next += 1;
                continue;
            }
            let query = query_of(line);
            if course.is_over() || (policy == Policy::Atomic && !course.failures.is_empty()) {
                course.told.line(format!(
                    "? {} (not asked: an op before it failed)",
                    shown(query)
                ));
                continue;
            }
            let answer = self.ask_one(query);
            if course
                .told
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
            // The log may let go of entries as soon as the savepoint is released.
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

    /// Takes the words that steer the batch off its front.
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
                        // On its own it would be a call without ops.
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
        let n: usize = n
            .parse()
            .map_err(|_| Diagnostic::new(format!("{} is no number", shown(n))).or_syntax(syntax))?;
        let at = n.checked_sub(1).filter(|at| *at < held.len());
        let at = at.ok_or_else(|| {
            Diagnostic::new(format!("the held batch has ops 1 to {}", held.len()))
        })?;
        Ok((at, op.trim().to_owned()))
    }

    /// What the ops of a call would answer and change. The document is as before when this returns.
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
            // An order that is wrong is mended inside the plan.
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
        let telling = self.settings.telling();
        let mut run = document.run(registry, &orders.ops, (policy, telling), limits);
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

    /// The error of a first word that no query is called by.
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

/// A batch on its way.
struct Course {
    told: Told,
    policy: Policy,
    failures: Vec<usize>,
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
    fn new<M: Domain>(document: &Document<M>, policy: Policy, telling: Telling) -> Self {
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
    fn is_over(&self) -> bool {
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
    fn finish<M: Domain>(mut self, document: &Document<M>, ops: &[String]) -> Ran {
        let total = ops.len();
        // A call that takes too long changes nothing, whatever the policy.
        let over = work::over().is_some();
        let rolled_back = over || self.policy == Policy::Atomic && !self.failures.is_empty();
        let run = self.done + self.failures.len();
        if rolled_back && total > 1 {
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
struct Ran {
    /// The replies, and what became of them all.
    lines: Vec<String>,
    /// The call is to be taken back.
    rolled_back: bool,
    /// Nothing was applied, because of errors.
    failed: bool,
    /// How many entries the log has more.
    entries: usize,
    /// The error of the last op that failed.
    error: Option<Diagnostic>,
}

impl<M: Domain> Document<M> {
    /// Runs ops one after the other. Taking them back, where that is due, is left to the caller.
    fn run(
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
    fn step(
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

/// A text for a message: at most 60 characters.
pub(super) fn shown(op: &str) -> String {
    let line = joined(op);
    let cut: String = line.chars().take(60).collect();
    let more = if cut.len() < line.len() { "…" } else { "" };
    format!("{}{more}", crate::reply::one_line(&cut))
}
