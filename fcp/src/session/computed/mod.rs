//! Ops whose rows or values are computed by SQL: `KEY:=EXPR`, `each`, and `UPDATE`, `DELETE`,
//! `INSERT`; and `copy … set`, which makes the rows that it changes.
//!
//! Everything is computed before anything changes. Then the domain's own verbs are called, once for
//! all rows with the same values; their changes are one log entry.

mod adding;
mod bounds;
mod copied;
mod each;
mod fault;
mod own_table;
mod shared;
mod spellings;
mod template;
mod values;
mod write;

pub(super) use copied::with_set;
pub(super) use spellings::{quoted, signed};

use indexmap::IndexMap;

use super::document::Document;
use super::settings::refused;
use super::unknown::{editing, verb};
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::op::{Limits, Param, ParsedOp, Quoted, parse, parse_within};
use crate::reply::Reply;
use crate::sql::write_statement::is_write;
use crate::verb::{Param as VerbParam, Registry};

/// The ops of this module, as cards show them.
pub(crate) const COMPUTED: &[(&str, &str)] = &[
    (
        "UPDATE TABLE SET COLUMN=EXPR, … [WHERE …]",
        "SQL that writes: the rows and values are computed, and set as modify sets them.",
    ),
    (
        "INSERT INTO TABLE(COLUMN, …) VALUES (…)|SELECT …",
        "Adds rows as add does.",
    ),
    (
        "DELETE FROM TABLE [WHERE …]",
        "Removes rows as remove does.",
    ),
    (
        "each \"SELECT …\" \"OP with {column}\"",
        "One op for each row of a question, as one step; {{ is a brace.",
    ),
    (
        COPY,
        "Copies rows, then changes the copies as modify does, by computed values too.",
    ),
];

/// Forms inside statements and ops, as cards show them.
pub(crate) const EXPRESSIONS: &[(&str, &str)] = &[
    (
        "KEY:=EXPR",
        "A value computed for each selected row from its columns as they were; NULL leaves a row as it is.",
    ),
    (
        "WITH NAME AS (SELECT …) …",
        "A question with a name, before SELECT, UPDATE, INSERT or DELETE.",
    ),
    (
        "REGEXP 'PATTERN'",
        "COLUMN REGEXP 'PATTERN': whether a text has a match of a regular expression.",
    ),
];

/// The syntax of `copy` with changes to the copies.
const COPY: &str = "copy SEL … set KEY:VALUE …";

/// The syntax of `each`.
const EACH: &str = "each \"SELECT …\" \"OP with {column}\"";

/// The number of inner replies shown.
const SHOWN: usize = 3;

/// The syntax of an op with computed rows or values; `None` for any other op.
pub(super) fn syntax<M: Domain>(registry: &Registry<M>, text: &str) -> Option<String> {
    if is_write(text) {
        let word = text.split_whitespace().next().unwrap_or_default();
        let begins = |syntax: &&str| {
            let first = syntax.split(' ').next();
            first.is_some_and(|own| own.eq_ignore_ascii_case(word))
        };
        let own = COMPUTED.iter().map(|(syntax, _)| *syntax).find(begins);
        let syntax = own.unwrap_or("UPDATE|DELETE FROM|INSERT INTO TABLE …");
        return Some(syntax.to_owned());
    }
    let first = text.trim_start().get(..4).unwrap_or_default();
    let is_copy = first.eq_ignore_ascii_case("copy") && text.contains("set");
    if !text.contains(":=") && !first.eq_ignore_ascii_case("each") && !is_copy {
        return None;
    }
    let op = parse(text).ok()?;
    if is_each(registry, &op) {
        return Some(EACH.to_owned());
    }
    if copied::set_word(registry, &op).is_some() {
        return Some(COPY.to_owned());
    }
    let verb = registry.verb(&op)?.verb;
    op.params().any(is_computed).then(|| verb.syntax())
}

fn is_each<M: Domain>(registry: &Registry<M>, op: &ParsedOp<'_>) -> bool {
    op.verb.text == "each" && !registry.owns_verb("each")
}

/// Returns whether a parameter is written with `:=`.
fn is_computed(param: &Param<'_>) -> bool {
    param.quoted != Quoted::Whole && param.value.starts_with('=') && param.value.len() > 1
}

impl<M: Domain> Document<M> {
    /// Runs an op of any form, without logging.
    pub(super) fn act(
        &mut self,
        registry: &Registry<M>,
        text: &str,
        limits: Limits,
    ) -> Result<Reply> {
        if is_write(text) {
            if text.len() > limits.bytes {
                // The parser checks the length of an op.
                parse_within(text, limits).map_err(|error| refused(error, "! "))?;
            }
            return self.write(registry, text.trim());
        }
        let op = parse_within(text, limits).map_err(|error| refused(error, "! "))?;
        if is_each(registry, &op) {
            return self.each(registry, &op, limits);
        }
        self.tables.left_out.take();
        let reply = match copied::set_word(registry, &op) {
            Some(set) => self.copy_and_set(registry, &op, set, limits)?,
            None if op.params().any(is_computed) => self.compute(registry, &op)?,
            None => self.plain(registry, &op, None)?,
        };
        Ok(self.with_left_out(&op, reply))
    }

    /// Makes changes, all at once if rows could conflict and the domain supports it. In that case
    /// it also returns lines for the reply; the replies of the single changes predate them.
    fn together<T>(
        &mut self,
        meet: bool,
        change: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, Option<Vec<String>>)> {
        if !meet || !self.model.begin_together() {
            return Ok((change(self)?, None));
        }
        let (done, notes) = self.ended(M::end_together, change)?;
        Ok((done, Some(notes)))
    }

    /// Makes changes that the domain gathers until their `end`, which also returns lines for the
    /// reply.
    fn ended<T>(
        &mut self,
        end: fn(&mut M, bool) -> Result<Vec<String>>,
        change: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, Vec<String>)> {
        let done = change(self);
        // For a failed change, this discards what was gathered, which cannot fail.
        let notes = end(&mut self.model, done.is_ok());
        Ok((done?, notes?))
    }

    /// A reply line, and below it some of the affected rows in their present state.
    fn as_they_are(&self, line: Reply, rows: &[Row], notes: Vec<String>) -> Reply {
        let there = rows.iter().copied().filter(|row| self.model.has(*row));
        let there: Vec<Row> = there.collect();
        // Rows may be taken in by others.
        let gone = match rows.len() - there.len() {
            0 => None,
            1 => Some("- 1 of these rows is gone".to_owned()),
            n => Some(format!("- {n} of these rows are gone")),
        };
        let mut line = line.about(rows.iter().rev().copied());
        let shown = there.iter().take(SHOWN);
        for text in shown.filter_map(|row| self.model.line(*row)) {
            line = line.note(format!("* {text}"));
        }
        let more = there.len().saturating_sub(SHOWN);
        let more = (more > 0).then(|| format!("… {more} more"));
        let lines = more.into_iter().chain(gone).chain(notes);
        lines.fold(line, Reply::note)
    }

    /// Calls the verb of an op.
    fn plain(
        &mut self,
        registry: &Registry<M>,
        op: &ParsedOp<'_>,
        picked: Option<&[Row]>,
    ) -> Result<Reply> {
        let found = verb(registry, op)?;
        let run = editing(&found)?;
        self.call(registry, op, found, run, picked)
    }
}

/// The parameters of the verb of an op, if it has one.
fn params<M: Domain>(registry: &Registry<M>, op: &ParsedOp<'_>) -> &'static [VerbParam] {
    registry.verb(op).map_or(&[], |found| found.verb.params)
}

/// An op that was made here. Its errors have no place, since it was not sent.
fn made(text: &str) -> Result<ParsedOp<'_>> {
    parse(text).map_err(|error| Diagnostic::new(error.error))
}

/// The replies of inner ops, folded: a line, and some of their texts below it.
fn folded(line: Reply, replies: &[Reply]) -> Reply {
    let mut texts: IndexMap<String, usize> = IndexMap::new();
    for reply in replies {
        let text = format!("{} {}", reply.sign().char(), reply.text());
        if texts.len() < SHOWN || texts.contains_key(&text) {
            *texts.entry(text).or_default() += 1;
        }
    }
    let rows = replies.iter().flat_map(Reply::rows).copied();
    let line = line.about(rows);
    let shown: usize = texts.values().sum();
    let line = texts.into_iter().fold(line, |line, own| match own {
        (text, 1) => line.note(text),
        (text, times) => line.note(format!("{text} ({times} times)")),
    });
    match replies.len().saturating_sub(shown) {
        0 => line,
        more => line.note(format!("… {more} more")),
    }
}
