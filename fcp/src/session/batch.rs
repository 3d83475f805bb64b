//! A call of several ops: policies, rollback, and the resending of a rolled-back batch.

use super::document::unknown;
use super::settings::{policy, policy_word};
use super::{Session, no_document};
use crate::diag::Diagnostic;
use crate::domain::Domain;
use crate::endpoint::{Answer, Policy};
use crate::op::{OpWord, parse, split_verb};
use crate::value::{fold, nearest_word};
use crate::verb::Role;

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
        if self.document.is_none() {
            return no_document("! ");
        }
        let orders = match self.orders(ops) {
            Ok(orders) => orders,
            Err(error) => return self.refusal(&error),
        };
        let policy = orders
            .policy
            .or(self.settings.batch)
            .or(transport)
            .unwrap_or(M::BATCH);
        let limits = self.settings.limits();
        let registry = &self.registry;
        let Some(document) = self.document.as_mut() else {
            return no_document("! ");
        };

        document.log.begin_batch();
        let state = document.log.undoable();
        let savepoint = document.savepoint();
        let mut lines = orders.lines;
        let mut failed: Vec<usize> = Vec::new();
        let mut done = 0_usize;
        for (ix, op) in orders.ops.iter().enumerate() {
            match document.apply(registry, op, limits) {
                Ok(reply) => {
                    lines.push(reply.to_string());
                    done += 1;
                }
                Err(error) => {
                    let error = document.mend(registry, error, limits);
                    let maker = error
                        .missing
                        .as_ref()
                        .and_then(|name| maker(&orders.ops, &failed, name));
                    failed.push(ix);
                    lines.push(match maker.filter(|_| policy == Policy::Atomic) {
                        Some(maker) => format!("! {} needs op {}", shown(op), maker + 1),
                        None => error.to_string(),
                    });
                    if policy == Policy::Stop {
                        break;
                    }
                }
            }
        }

        let total = orders.ops.len();
        let rolled_back = policy == Policy::Atomic && !failed.is_empty();
        if rolled_back {
            document.rollback(savepoint);
            if total > 1 {
                lines.push(format!(
                    "! batch rolled back: {} of {total} failed",
                    numbers(&failed)
                ));
                self.held = Some(orders.ops);
            } else {
                self.held = None;
            }
        } else {
            document.release(savepoint);
            let run = done + failed.len();
            if run < total {
                lines.push(format!(
                    "! stopped: {} of {total} failed, {} not run",
                    numbers(&failed),
                    total - run
                ));
            }
            let changed = document.log.undoable().saturating_sub(state);
            if changed > 0 {
                self.held = None;
                let touched = document.touched(changed);
                let new = document.findings.update(&document.model, &touched);
                lines.extend(self.settings.page_warnings(new));
            }
        }
        lines.push(document.digest());
        Answer {
            text: lines.join("\n"),
            is_error: rolled_back || (done == 0 && !failed.is_empty()),
            ..Answer::default()
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
            let Ok((verb, words)) = split_verb(first) else {
                break;
            };
            if self.registry.owns_verb(&verb.text) {
                break;
            }
            match &*verb.text {
                "batch" => {
                    let word = words.trim();
                    orders.policy = Some(policy(word).ok_or_else(|| {
                        let near =
                            nearest_word(word, ["atomic", "isolate", "stop"]).unwrap_or("atomic");
                        Diagnostic::new(format!(
                            "batch \"{word}\" is not one of atomic, isolate, stop"
                        ))
                        .or_try(format!("batch {near}"))
                    })?);
                    orders
                        .lines
                        .push(format!("= batch {}", orders.policy.map_or("", policy_word)));
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
            .map_err(|_| Diagnostic::new(format!("{n} is no number")).or_syntax(syntax))?;
        let at = n.checked_sub(1).filter(|at| *at < held.len());
        let at = at.ok_or_else(|| {
            Diagnostic::new(format!("the held batch has ops 1 to {}", held.len()))
        })?;
        Ok((at, op.trim().to_owned()))
    }

    /// An answer that applied nothing.
    fn refusal(&self, error: &Diagnostic) -> Answer {
        let digest = self
            .document
            .as_ref()
            .map(|document| format!("\n{}", document.digest()));
        Answer {
            text: format!("{error}{}", digest.unwrap_or_default()),
            is_error: true,
            ..Answer::default()
        }
    }

    /// What ops would answer and change. The document is as before when this returns.
    pub(super) fn plan(&mut self, text: &str) -> Result<Vec<String>, Diagnostic> {
        let limits = self.settings.limits();
        let ops = split_ops(text);
        if ops.is_empty() {
            return Err(Diagnostic::new("plan needs an op").or_syntax("plan OP[; OP…]"));
        }
        let registry = &self.registry;
        let Some(document) = self.document.as_mut() else {
            return Ok(Vec::new());
        };
        let savepoint = document.savepoint();
        let mut lines = Vec::new();
        let mut failure = None;
        for op in &ops {
            match document.apply(registry, op, limits) {
                Ok(reply) => lines.push(reply.to_string()),
                Err(error) => {
                    let error = document.mend(registry, error, limits);
                    lines.push(error.to_string());
                    failure = Some(error);
                }
            }
        }
        lines.push(format!("would leave {}", document.digest()));
        document.rollback(savepoint);
        match failure {
            Some(error) if ops.len() == 1 => Err(error),
            _ => Ok(lines),
        }
    }

    /// The error of a first word that no query is called by.
    pub(super) fn unknown_query(&self, query: &str) -> Diagnostic {
        match parse(query) {
            Ok(op) => unknown(&self.registry, Role::Query, &op, "query"),
            Err(error) => error.into(),
        }
    }
}

/// Ops between `;`: only one that stands alone, or ends a word, separates.
fn split_ops(text: &str) -> Vec<String> {
    let mut ops = vec![String::new()];
    let mut quote = None;
    let mut previous = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends = chars.peek().is_none_or(|next| next.is_whitespace());
        match (quote, c) {
            (None, ';') if ends => ops.push(String::new()),
            (None, '"' | '\'') if previous.is_whitespace() || previous == ':' => {
                quote = Some(c);
                push(&mut ops, c);
            }
            (Some(open), _) if c == open && previous != '\\' => {
                quote = None;
                push(&mut ops, c);
            }
            _ => push(&mut ops, c),
        }
        previous = c;
    }
    ops.iter()
        .map(|op| op.trim().to_owned())
        .filter(|op| !op.is_empty())
        .collect()
}

fn push(ops: &mut [String], c: char) {
    if let Some(last) = ops.last_mut() {
        last.push(c);
    }
}

/// The failed op that was to make the row called `name`.
fn maker(ops: &[String], failed: &[usize], name: &str) -> Option<usize> {
    let name = fold(name);
    failed.iter().copied().find(|ix| {
        let Some(Ok(op)) = ops.get(*ix).map(|op| parse(op)) else {
            return false;
        };
        op.words.iter().any(|word| match word {
            OpWord::Positional(word) => fold(&word.text) == name,
            OpWord::Param(param) => {
                matches!(&*param.key, "id" | "name" | "as") && fold(&param.value) == name
            }
            _ => false,
        })
    })
}

fn numbers(failed: &[usize]) -> String {
    let list: Vec<String> = failed
        .iter()
        .take(20)
        .map(|ix| (ix + 1).to_string())
        .collect();
    let more = if failed.len() > 20 {
        format!(" and {} more", failed.len() - 20)
    } else {
        String::new()
    };
    format!(
        "{} {}{more}",
        if failed.len() == 1 { "op" } else { "ops" },
        list.join(", ")
    )
}

/// An op for a message: at most 60 characters.
fn shown(op: &str) -> String {
    let cut: String = op.trim().chars().take(60).collect();
    let more = if cut.len() < op.trim().len() {
        "…"
    } else {
        ""
    };
    format!("{}{more}", crate::reply::one_line(&cut))
}
