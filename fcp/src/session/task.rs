//! A whole task in one call: ops, `? QUERY` and `! ACTION` lines, in order.
//!
//! Ops between two actions are one batch under its policy. A batch that is rolled back, or an
//! action that fails, ends the call, so that a failed edit is never saved. A query that uses up the
//! call's steps ends it too: the ops since the last action are then taken back.

use super::Session;
use super::batch::shown;
use super::document::{Document, Savepoint};
use super::settings::is_setting;
use crate::domain::Domain;
use crate::endpoint::{Answer, Policy};
use crate::op::{OpWord, parse, split_verb};
use crate::sql::write_statement::statements;
use crate::verb::Role;
use crate::work;

/// The most bytes of a call's answers to queries.
const ANSWERS: usize = 60 * 1024;

/// The actions that need no sign: they discard nothing. Ops before a rejected `save` would be rolled
/// back, and the repair would save what the file had before.
const UNSIGNED: [&str; 4] = ["checkpoint", "export", "open", "save"];

/// Whether a line sets the session and nothing else: errors of limits name such lines.
fn sets_only<M: Domain>(line: &str) -> bool {
    let is_setting = |word: &OpWord<'_>| {
        let OpWord::Param(param) = word else {
            return false;
        };
        is_setting::<M>(&param.key)
    };
    parse(line).is_ok_and(|op| !op.words.is_empty() && op.words.iter().all(is_setting))
}

/// The steps of a query that is not asked; others count theirs.
const UNASKED: usize = 100;

/// The steps of an action besides those that it counts itself: it reads or writes a file.
const AN_ACTION: usize = 4_000;

/// The lines of a call with a line for each statement of SQL, if a line has several.
fn apart(lines: &[String]) -> Option<Vec<String>> {
    let signed = |line: &str| {
        let (sign, text) = match is_query(line) {
            true => ("? ", query_of(line)),
            false => ("", line),
        };
        let own = |text: &str| format!("{sign}{text}");
        let parts = statements(text);
        (parts.len() > 1).then(|| parts.into_iter().map(own).collect::<Vec<_>>())
    };
    if !lines.iter().any(|line| signed(line).is_some()) {
        return None;
    }
    let parts = lines
        .iter()
        .flat_map(|line| signed(line).unwrap_or_else(|| vec![line.clone()]));
    Some(parts.collect())
}

/// The next part of a call.
enum Part<'c> {
    /// Ops, with the queries among them.
    Batch(&'c [String]),
    /// A query before the first op, or between two actions.
    Query(&'c str),
    /// A session action.
    Action(&'c str),
}

impl<M: Domain> Session<M> {
    /// Runs a call of the edit tool.
    pub(super) fn task(&mut self, lines: &[String], transport: Option<Policy>) -> Answer {
        let apart = apart(lines);
        let lines = apart.as_deref().unwrap_or(lines);
        let is_action = |line: &String| self.action_of(line).is_some();
        if !lines.iter().any(|line| is_query(line) || is_action(line)) {
            return self.batch(lines, transport);
        }
        let (steering, rest) = self.steering(lines);
        // The policy holds until another one leads a later batch.
        let mut steering = steering.to_vec();
        let (mut texts, mut blocks) = (Vec::new(), Vec::new());
        let (mut at, mut bytes, mut ended) = (0, 0_usize, false);
        let (mut failed, mut count, mut dropped) = (0_usize, 0, 0_usize);
        let budget = self.settings.budget();
        // Savepoint before the ops since the last action, while these can still be taken back.
        let mut since = None;
        let mut kept = false;
        while !ended && let Some(part) = self.part(rest, at) {
            let mut answer = match part {
                Part::Query(line) => {
                    at += 1;
                    self.asked(query_of(line), bytes)
                }
                Part::Action(action) => {
                    at += 1;
                    match work::spend(AN_ACTION) {
                        Err(spent) => Answer {
                            text: format!("! {spent}"),
                            is_error: true,
                            ..Answer::default()
                        },
                        Ok(()) => {
                            kept |= self.keep(since.take());
                            if kept {
                                work::keep();
                            }
                            self.reported = std::mem::take(&mut texts);
                            let (answer, _) = self.act_one(action);
                            texts = std::mem::take(&mut self.reported);
                            ended = answer.is_error;
                            if !ended {
                                kept = true;
                                work::keep();
                            }
                            self.signed(answer, "! ", Role::Action)
                        }
                    }
                }
                Part::Batch(ops) => {
                    at += ops.len();
                    if since.is_none() {
                        since = self.document.as_mut().map(Document::savepoint);
                    }
                    let (own, ops) = self.steering(ops);
                    if !own.is_empty() {
                        steering = own.to_vec();
                    }
                    let ops: Vec<String> = steering.iter().chain(ops).cloned().collect();
                    let batch = self.batch_of(&ops, transport);
                    ended = batch.ends;
                    batch.answer
                }
            };
            if let Some(spent) = work::over() {
                ended = true;
                if !answer.is_error {
                    answer.text.push_str(&format!("\n! {spent}"));
                }
                answer.text.push_str(&self.taken_back(since.take(), kept));
            }
            failed += usize::from(answer.is_error);
            count += 1;
            let text = budget.lines(&answer.text);
            // Keeps a little more than is shown, so that the last lines are included.
            if bytes > 2 * budget.bytes() && !ended {
                dropped += 1;
                continue;
            }
            bytes += text.len();
            texts.push(text.into_owned());
            blocks.extend(answer.blocks);
        }
        self.keep(since);
        if dropped > 0 {
            texts.push(format!("… {dropped} more replies"));
        }
        let left = rest.len() - at.min(rest.len());
        if ended && left > 0 {
            let lines = crate::reply::count(left, "line");
            texts.push(format!("! the call ended here: {lines} not run"));
        }
        texts.retain(|text| !text.is_empty());
        texts.extend(self.digest());
        Answer {
            text: texts.join("\n"),
            is_error: ended || failed == count,
            blocks,
        }
    }

    /// Keeps the changes since a savepoint. Returns whether there were any.
    fn keep(&mut self, since: Option<Savepoint>) -> bool {
        let (Some(since), Some(document)) = (since, self.document.as_mut()) else {
            return false;
        };
        let done = document.entries_since(&since) > 0;
        document.release(since);
        done
    }

    /// Takes back the changes since a savepoint after the call ran out of steps. Returns the line
    /// that reports it.
    fn taken_back(&mut self, since: Option<Savepoint>, kept: bool) -> String {
        let mut text = String::new();
        if let (Some(since), Some(document)) = (since, self.document.as_mut()) {
            let entries = document.entries_since(&since);
            let touched = document.touched(entries);
            document.rollback(since);
            if entries > 0 {
                document.findings.update(&mut document.model, &touched);
                text.push_str("\n! the ops since the last action are rolled back");
            }
        }
        if kept {
            text.push_str("\n! what the call did up to its last action is kept");
        }
        text
    }

    /// Splits off the leading ops that set how a batch ends: they apply to each batch of the call.
    fn steering<'c>(&self, lines: &'c [String]) -> (&'c [String], &'c [String]) {
        let steers = |line: &&String| {
            let verb = split_verb(line).map(|(verb, _)| verb.text.into_owned());
            verb.is_ok_and(|verb| verb == "batch" && !self.registry.owns_verb("batch"))
        };
        let count = lines.iter().take_while(steers).count();
        lines.split_at(count)
    }

    /// The next part of a call.
    fn part<'c>(&self, lines: &'c [String], at: usize) -> Option<Part<'c>> {
        let rest = lines.get(at..)?;
        let first = rest.first()?;
        if let Some(action) = self.action_of(first) {
            return Some(Part::Action(action));
        }
        // Queries before the first op or after the last do not belong to a batch.
        if is_query(first) {
            return Some(Part::Query(first));
        }
        let end = rest.iter().position(|line| self.action_of(line).is_some());
        let own = rest.get(..end.unwrap_or(rest.len()))?;
        let last = own.iter().rposition(|line| !is_query(line))?;
        own.get(..=last).map(Part::Batch)
    }

    /// The action on a line: marked by its sign, or one of those that are understood without it.
    fn action_of<'c>(&self, line: &'c str) -> Option<&'c str> {
        let line = line.trim();
        if let Some(action) = line.strip_prefix('!') {
            return Some(action.trim());
        }
        let word = line.split_whitespace().next()?;
        let is_known = UNSIGNED.contains(&word) && !self.registry.owns_verb(word);
        (is_known || word == "set" && sets_only::<M>(line)).then_some(line)
    }

    /// An error whose repair can be sent to the edit tool as it is: there, queries and actions need
    /// their sign.
    fn signed(&self, answer: Answer, sign: &str, role: Role) -> Answer {
        if !answer.is_error {
            return answer;
        }
        let belongs = |repair: &str| {
            let word = repair.split_whitespace().next().unwrap_or_default();
            let phrases = self.registry.phrases(role);
            let first = |phrase: &str| phrase.split(' ').next() == Some(word);
            phrases.iter().any(|phrase| first(phrase)) || role == Role::Query && is_query(repair)
        };
        let lines = answer.text.lines().map(|line| {
            let repair = line.strip_prefix("  try: ");
            match repair.filter(|repair| !repair.starts_with(['!', '?']) && belongs(repair)) {
                Some(repair) => format!("  try: {sign}{repair}"),
                None => line.to_owned(),
            }
        });
        Answer {
            text: lines.collect::<Vec<_>>().join("\n"),
            ..answer
        }
    }

    /// The answer to a query, below the query itself.
    fn asked(&mut self, query: &str, bytes: usize) -> Answer {
        if bytes > ANSWERS {
            // The call ends at its next check.
            let _ = work::spend(UNASKED);
            return Answer {
                text: format!(
                    "? {} (not asked: the answers before it fill the reply)",
                    shown(query)
                ),
                ..Answer::default()
            };
        }
        let answer = self.ask_one(query);
        let answer = self.signed(answer, "? ", Role::Query);
        Answer {
            text: format!("? {}\n{}", shown(query), answer.text),
            ..answer
        }
    }
}

/// Returns whether a line among ops is a query: by its sign, or because it is an SQL question.
pub(super) fn is_query(line: &str) -> bool {
    line.trim_start().starts_with('?') || crate::sql::write_statement::is_question(line)
}

/// A query without its sign.
pub(super) fn query_of(line: &str) -> &str {
    line.trim_start().trim_start_matches('?').trim()
}

/// The outcome of a batch.
pub(super) struct Batch {
    /// The answer, without the digest.
    pub answer: Answer,
    /// Whether the digest follows.
    pub has_digest: bool,
    /// Whether it ends the call: it was rolled back, or it stopped at an error.
    pub ends: bool,
}

impl Batch {
    /// A batch that was rejected before any op ran.
    pub const fn refused(answer: Answer, has_digest: bool) -> Self {
        Self {
            answer,
            has_digest,
            ends: true,
        }
    }
}
