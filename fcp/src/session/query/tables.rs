//! Queries in SQL, and the tables and columns they can use.

use super::page::{ANSWER_BYTES, Page, cut};
use super::{text, words};
use crate::diag::{Diagnostic, Result, one_line};
use crate::domain::Domain;
use crate::endpoint::{Answer, Spelling};
use crate::op::{ParsedOp, quote};
use crate::reply::Listing;
use crate::session::Session;
use crate::session::batch::shown;
use crate::session::blocks::joined;
use crate::sql::write_statement::{is_question, is_write};
use crate::sql::write_statement::{statements, without_comments};
use crate::sql::{Reads, Table, is_open, on_one_line, tables_of};
use crate::value::{Cell, nearest_word};
use crate::verb::Role;
use crate::work;

/// A look at a table may take one in this many of the steps that the call has left, and at most this many.
const PART: u64 = 4;
const MOST: u64 = 5_000_000;

/// The syntax line of SQL that asks.
pub(super) const QUESTION: &str =
    "SELECT EXPR, … FROM TABLE [WHERE …] [GROUP BY …] [ORDER BY …] [LIMIT N]";

impl<M: Domain> Session<M> {
    /// Splits a call into queries, one per line or statement. An SQL statement may have several
    /// lines.
    pub(super) fn several(&self, query: &str) -> Vec<String> {
        let mut queries: Vec<String> = Vec::new();
        for line in query.lines() {
            let begins = self.begins_query(line);
            match queries.last_mut() {
                Some(last) if is_open(last) || (is_sql(last) && !begins) => {
                    last.push('\n');
                    last.push_str(line);
                }
                _ if without_comments(line).is_empty() => {}
                _ => queries.push(line.to_owned()),
            }
        }
        if queries.is_empty() {
            queries.push(query.to_owned());
        }
        let parts = queries.iter().flat_map(|query| {
            let text = query.trim_start().trim_start_matches('?').trim_start();
            match statements(text) {
                parts if parts.len() > 1 => parts.into_iter().map(str::to_owned).collect(),
                _ => vec![query.clone()],
            }
        });
        parts.collect()
    }

    /// Returns whether a line begins a query rather than continuing an SQL statement.
    fn begins_query(&self, line: &str) -> bool {
        let line = line.trim_start();
        let first = line
            .trim_start_matches('?')
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_lowercase();
        line.starts_with('?')
            || matches!(&*first, "select" | "with")
            || is_write(line)
            || self.registry.phrases(Role::Query).contains(&&*first)
    }

    /// Answers several queries, each below its own line.
    pub(super) fn ask_all(&mut self, queries: &[String]) -> Answer {
        let (mut lines, mut blocks, mut failed) = (Vec::new(), Vec::new(), 0);
        for query in queries {
            let answer = self.ask_one(query);
            failed += usize::from(answer.is_error);
            let query = query.trim().trim_start_matches('?').trim_start();
            lines.push(cut(
                &format!("? {}", one_line(&joined(query))),
                ANSWER_BYTES / 8,
            ));
            lines.push(answer.text);
            blocks.extend(answer.blocks);
        }
        let is_error = failed == queries.len();
        if is_error {
            lines.insert(0, format!("! all {failed} queries failed"));
        }
        Answer {
            text: lines.join("\n"),
            is_error,
            blocks,
        }
    }

    /// Answers an SQL statement.
    pub(super) fn answer_sql(&mut self, query: &str) -> Result<Answer> {
        let Some(document) = &self.document else {
            return Ok(super::no_document("! "));
        };
        if is_write(query) {
            let error = Diagnostic::new("queries only read; this is an op of the edit tool");
            return Err(
                match crate::session::computed::syntax(&self.registry, query) {
                    Some(syntax) => error.or_syntax(syntax),
                    None => error,
                },
            );
        }
        let (page, statement) = Page::behind::<M>(query);
        let page = page.within(self.settings.budget());
        let found = document.view(&self.registry).page(statement, page.lines());
        let found = found.map_err(|fault| fault.diagnostic(statement, str::to_owned))?;
        let mut listing = Listing::lines(found.rows.len(), found.lines());
        listing.head = vec![found.head()];
        let again = format!("{}{}", on_one_line(statement), page.key::<M>());
        let is_within = page.first_line() <= found.rows.len().max(1);
        let mut answer = page.of_query(listing, again);
        let is_cut = answer
            .text
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("… "));
        if is_within && !is_cut {
            answer.text.push('\n');
            answer.text.push_str(&found.count());
        }
        if found.rows.is_empty()
            && let Some(hint) = self.absent(statement)
        {
            answer.text.push_str(&format!("\n? {}", one_line(&hint)));
        }
        Ok(answer)
    }

    /// Why a statement has no rows, if it compares a column with a text that none has.
    fn absent(&self, statement: &str) -> Option<String> {
        let document = self.document.as_ref()?;
        let tables = Table::all(&self.registry).into_iter();
        let mut tables = tables.filter(|table| Reads::of(statement).any(&[&table.name]));
        let view = document.view(&self.registry);
        let found = in_part(|| tables.find_map(|table| view.absent(&table, statement)));
        // Only with the value that was meant: nothing may be the answer.
        found.and_then(|(hint, meant)| meant.map(|_| hint))
    }

    /// Answers a statement about a file in a style: the subcommand `sql`.
    pub(in crate::session) fn sql_answer(
        &mut self,
        statement: &str,
        style: Spelling,
    ) -> Result<Answer> {
        let Some(document) = &mut self.document else {
            return Ok(super::no_document("! "));
        };
        document.prepare_changes(&self.registry, statement);
        if is_write(statement) || !is_question(statement) {
            return Err(Diagnostic::new(
                "sql takes SELECT or WITH; edits are ops, as `run` plays them",
            ));
        }
        let found = document.view(&self.registry).ask(statement);
        let found = found.map_err(|fault| fault.diagnostic(statement, str::to_owned))?;
        Ok(text(found.text(style)))
    }

    /// The tables, or the columns of one.
    pub(super) fn tables(&mut self, op: &ParsedOp<'_>) -> Result<Answer> {
        let wanted = words(op, "tables [NAME]", &[], 1)?;
        let tables = tables_of(&self.registry);
        let Some(name) = wanted.first() else {
            let lines = tables.into_iter().map(|table| {
                let count = match self.count(&table.name) {
                    _ if self.document.is_none() => String::new(),
                    Some(rows) => format!(" {rows} rows"),
                    None => " more rows than are counted".to_owned(),
                };
                format!("{}{count}", table.outline)
            });
            let lines: Vec<String> = lines.collect();
            return Ok(self.page(op)?.of(Listing::of(lines), op));
        };
        let Some(table) = tables
            .iter()
            .find(|table| table.name.eq_ignore_ascii_case(name))
        else {
            let names: Vec<&str> = tables.iter().map(|table| &*table.name).collect();
            let error = Diagnostic::new(format!(
                "no table {} (tables: {})",
                shown(name),
                names.join(", ")
            ));
            return Err(match nearest_word(name, names) {
                Some(near) => error.or_try(format!("tables {}", quote(near))),
                None => error.or_try("tables"),
            });
        };
        let mut lines = vec![format!("{}: {}", table.name, table.doc)];
        let sample = self.sample(&table.name);
        for (ix, column) in table.columns.iter().enumerate() {
            let value = sample.get(ix).filter(|value| !value.is_empty());
            lines.push(format!(
                "  {column}{}",
                value.map_or(String::new(), |value| format!(" (here: {value})"))
            ));
        }
        Ok(self.page(op)?.of(Listing::of(lines), op))
    }

    /// The number of rows in a table.
    fn count(&self, table: &str) -> Option<String> {
        let document = self.document.as_ref()?;
        let statement = format!("SELECT count(*) FROM \"{table}\"");
        let view = document.view(&self.registry);
        let found = in_part(|| view.ask(&statement)).ok()?;
        Some(found.rows.first()?.first()?.shown().into_owned())
    }

    /// The first value of each column of a table, or its range if it has numbers; empty for one
    /// that has no value.
    fn sample(&self, table: &str) -> Vec<String> {
        let Some(document) = &self.document else {
            return Vec::new();
        };
        let view = document.view(&self.registry);
        let ask = |statement: &str| in_part(|| view.ask(statement)).ok();
        let Some(none) = ask(&format!("SELECT * FROM \"{table}\" LIMIT 0")) else {
            return Vec::new();
        };
        let samples = none.columns.iter().map(|column| {
            format!(
                "min(\"{column}\"), max(\"{column}\"), typeof(max(\"{column}\")), \
                 (SELECT \"{column}\" FROM \"{table}\" WHERE \"{column}\" IS NOT NULL LIMIT 1)"
            )
        });
        let samples = samples.collect::<Vec<_>>().join(", ");
        let found = ask(&format!("SELECT {samples} FROM \"{table}\""));
        let cells = found.and_then(|found| found.rows.into_iter().next());
        let mut values = Vec::new();
        for sample in cells.unwrap_or_default().chunks(4) {
            values.push(match sample {
                [.., Cell::Null] => String::new(),
                [low, high, kind, _] if ["integer", "real"].contains(&&*kind.shown()) => {
                    format!("{} to {}", low.shown(), high.shown())
                }
                [.., first] => cut(&one_line(&first.shown()), 60),
                [] => String::new(),
            });
        }
        values
    }
}

/// Looks at a table within a part of the call's steps: one whose rows are too many must not end the
/// call.
fn in_part<T>(look: impl FnOnce() -> T) -> T {
    let part = (work::left() / PART).min(MOST);
    let found = work::within(part, look);
    let taken = work::last().min(part);
    // The call has that many left.
    let _ = work::spend(usize::try_from(taken).unwrap_or(0));
    found
}

/// Returns whether a text is an SQL statement, or begins like one.
fn is_sql(text: &str) -> bool {
    let first = text.trim_start().trim_start_matches('?').trim_start();
    let first = first.split_whitespace().next().unwrap_or_default();
    ["select", "with"]
        .iter()
        .any(|word| first.eq_ignore_ascii_case(word))
}
