//! `UPDATE`, `DELETE` and `INSERT`, by the verbs and setters of the domain.

use std::collections::HashMap;

use super::fault::{named, no_column, statement_error, value_error, writable};
use super::folded;
use super::values::{Groups, together};
use crate::diag::{Diagnostic, Repair, Result, Span};
use crate::domain::Domain;
use crate::model::Row;
use crate::op::{parse, quote, spell_param};
use crate::reply::{Reply, Sign};
use crate::session::document::Document;
use crate::sql::write::{Write, read};
use crate::sql::{Column, Source, Table};
use crate::table::Set;
use crate::value::Cell;
use crate::verb::Registry;

/// Rows by their number in a table, each with the row of the model and the new values of columns.
type Changed = Vec<(i64, Option<Row>, Vec<Option<Cell>>)>;

impl<M: Domain> Document<M> {
    /// Does a statement that writes.
    pub(super) fn write(&mut self, registry: &Registry<M>, text: &str) -> Result<Reply> {
        let write = read(text).map_err(|fault| fault.diagnostic(text, str::to_owned))?;
        let tables = Table::all(registry);
        match write {
            Write::Update { table, sets, sql } => {
                let table = named(&tables, &table, text)?;
                self.update(registry, table, (&sets, &sql), text)
            }
            Write::Delete { table, sql } => {
                let table = named(&tables, &table, text)?;
                self.delete(registry, table, &sql, text)
            }
            Write::Insert {
                table,
                columns,
                sql,
            } => {
                let table = named(&tables, &table, text)?;
                self.insert(registry, table, (&columns, &sql), text)
            }
        }
    }

    fn update(
        &mut self,
        registry: &Registry<M>,
        table: &Table<M>,
        (sets, sql): (&[(String, Span)], &str),
        text: &str,
    ) -> Result<Reply> {
        let mut columns: Vec<&Column> = Vec::new();
        for (name, _) in sets {
            columns.push(writable(table, name, text)?);
        }
        let state = self.log.state_id();
        let found = self
            .tables
            .rows(&self.model, registry, state, (&table.name, sql));
        let (written, rows) = found.map_err(|fault| statement_error(&fault, text, sql))?;
        let matched = written.rows.len();
        let mut changed: Changed = Vec::new();
        let mut places: HashMap<i64, usize> = HashMap::new();
        for ((number, cells), row) in written.rows.into_iter().zip(rows) {
            let values: Vec<Option<Cell>> = cells
                .chunks(2)
                .map(|pair| match pair {
                    [before, after] if !after.equals(before) => Some(after.clone()),
                    _ => None,
                })
                .collect();
            match places.get(&number).and_then(|at| changed.get(*at)) {
                Some((_, _, own)) if *own == values => {}
                Some(_) => {
                    return Err(Diagnostic::new(format!(
                        "a row of {} is matched several times, with different values; its FROM needs a narrower WHERE",
                        table.name
                    )));
                }
                None => {
                    places.insert(number, changed.len());
                    changed.push((number, row, values));
                }
            }
        }
        changed.retain(|(_, _, values)| values.iter().any(Option::is_some));
        if changed.is_empty() {
            let what = match matched {
                0 => format!("0 rows of {} match", table.name),
                1 => "1 row has these values already".to_owned(),
                n => format!("{n} rows have these values already"),
            };
            return Ok(Reply::new(Sign::Unchanged, what));
        }
        let structs = match columns.iter().any(|column| column.own) {
            true => crate::sql::Tables::structs(&self.model, table),
            false => Vec::new(),
        };
        let wrong = |name: &str, error: Diagnostic| {
            let span = sets
                .iter()
                .find(|(own, _)| own.eq_ignore_ascii_case(name))
                .map(|(_, span)| *span);
            value_error(error, span, text)
        };
        let mut replies = self.modify(registry, &columns, &changed, &wrong)?;
        for (number, _, values) in &changed {
            let at = usize::try_from(*number).unwrap_or(0).saturating_sub(1);
            for (column, value) in columns.iter().zip(values) {
                let (true, Some(value), Some(row)) = (column.own, value, structs.get(at)) else {
                    continue;
                };
                let Source::Own(def) = table.source else {
                    continue;
                };
                if let Some(Set::Own(set)) =
                    def.columns.get(column.ix).and_then(|own| own.set.as_ref())
                {
                    set(&mut self.model, row.own(), value)
                        .map_err(|error| wrong(&column.name, error))?;
                }
            }
        }
        let count = changed.len();
        let list: Vec<String> = columns
            .iter()
            .enumerate()
            .map(|(ix, column)| {
                spread(
                    &column.name,
                    changed
                        .iter()
                        .filter_map(|(_, _, values)| values.get(ix)?.as_ref()),
                )
            })
            .collect();
        let line = Reply::new(
            Sign::Changed,
            format!("{}: {}", rows_of(table, count), list.join(", ")),
        );
        if replies.len() == 1 && count == 1 {
            return Ok(replies.remove(0));
        }
        let rows = changed.iter().rev().filter_map(|(_, row, _)| *row);
        Ok(folded(line, &replies).about(rows.collect::<Vec<_>>()))
    }

    /// Sets the columns that `modify` sets: once for all rows that are given the same.
    fn modify(
        &mut self,
        registry: &Registry<M>,
        columns: &[&Column],
        changed: &Changed,
        wrong: &dyn Fn(&str, Diagnostic) -> Diagnostic,
    ) -> Result<Vec<Reply>> {
        let mut groups = Groups::new();
        for (_, row, values) in changed {
            let mut words = Vec::with_capacity(columns.len());
            for (column, value) in columns.iter().zip(values) {
                words.push(match (column.key, value) {
                    (Some(_), Some(Cell::Null)) if !column.optional => {
                        return Err(Diagnostic::new(format!("{} cannot be NULL", column.name)));
                    }
                    (Some(_), Some(Cell::Null)) => Some("none".to_owned()),
                    (Some(_), Some(cell)) => cell.word().map(Into::into),
                    _ => None,
                });
            }
            if words.iter().all(Option::is_none) {
                continue;
            }
            let row = row
                .ok_or_else(|| Diagnostic::new("these rows stand for none that modify changes"))?;
            groups.add(row, words);
        }
        let groups = groups.into_groups();
        for (ix, column) in columns.iter().enumerate() {
            if let Some(key) = column.key {
                together::<M>(key, groups.iter().filter_map(|group| group.words.get(ix)))?;
            }
        }
        let mut replies = Vec::new();
        for group in groups {
            let mut op = "modify @all".to_owned();
            let mut set = Vec::new();
            for (column, word) in columns.iter().zip(&group.words) {
                if let (Some(key), Some(word)) = (column.key, word) {
                    op.push(' ');
                    op.push_str(&spell_param(key, word));
                    set.push(&*column.name);
                }
            }
            let inner = parse(&op).map_err(|error| Diagnostic::new(error.error))?;
            let reply = self
                .plain(registry, &inner, Some(&group.rows))
                .map_err(|error| {
                    // The repair of a single value is that value.
                    let fix = match (&error.repair, set.as_slice(), columns) {
                        (Repair::Try(mended), [name], _) => {
                            let key = columns
                                .iter()
                                .find(|column| column.name == *name)
                                .and_then(|column| column.key);
                            let op = parse(mended).ok();
                            op.and_then(|op| Some(op.param(key?)?.value.to_string()))
                        }
                        _ => None,
                    };
                    let repair = fix.map_or(Repair::None, Repair::Add);
                    wrong(
                        set.first().copied().unwrap_or_default(),
                        Diagnostic { repair, ..error },
                    )
                })?;
            replies.push(reply);
        }
        Ok(replies)
    }

    fn delete(
        &mut self,
        registry: &Registry<M>,
        table: &Table<M>,
        sql: &str,
        text: &str,
    ) -> Result<Reply> {
        let state = self.log.state_id();
        let found = self
            .tables
            .rows(&self.model, registry, state, (&table.name, sql));
        let (written, rows) = found.map_err(|fault| statement_error(&fault, text, sql))?;
        if written.rows.is_empty() {
            return Ok(Reply::new(
                Sign::Unchanged,
                format!("0 rows of {} match", table.name),
            ));
        }
        if let Source::Own(def) = table.source
            && let Some(delete) = def.delete
        {
            let structs = crate::sql::Tables::structs(&self.model, table);
            for (number, _) in &written.rows {
                let at = usize::try_from(*number).unwrap_or(0).saturating_sub(1);
                if let Some(row) = structs.get(at) {
                    delete(&mut self.model, row.own())?;
                }
            }
            return Ok(Reply::new(
                Sign::Removed,
                rows_of(table, written.rows.len()),
            ));
        }
        let mut picked: Vec<Row> = rows.into_iter().flatten().collect();
        picked.sort_unstable();
        picked.dedup();
        let is_entity = table.is_entity() && !picked.is_empty();
        if !is_entity {
            return Err(Diagnostic::new(format!(
                "rows of {} cannot be deleted",
                table.name
            )));
        }
        let inner = parse("remove @all").map_err(|error| Diagnostic::new(error.error))?;
        let reply = self
            .plain(registry, &inner, Some(&picked))
            .map_err(|error| Diagnostic {
                repair: Repair::None,
                span: None,
                ..error
            })?;
        Ok(reply)
    }

    fn insert(
        &mut self,
        registry: &Registry<M>,
        table: &Table<M>,
        (columns, sql): (&[String], &str),
        text: &str,
    ) -> Result<Reply> {
        let template = match table.source {
            Source::Own(def) => def.insert,
            Source::Kind(_) => Some(""),
            Source::Changes => None,
        };
        let Some(template) = template else {
            return Err(Diagnostic::new(format!(
                "rows of {} cannot be added",
                table.name
            )));
        };
        for name in columns {
            if table.column(name).is_none() {
                return Err(no_column(table, name, text));
            }
        }
        let state = self.log.state_id();
        let found = self.tables.ask(&self.model, registry, state, sql);
        let found = found.map_err(|fault| statement_error(&fault, text, sql))?;
        if found.columns.len() != columns.len() {
            return Err(Diagnostic::new(format!(
                "{} columns are named, and {} values given",
                columns.len(),
                found.columns.len()
            )));
        }
        let mut replies = Vec::new();
        let total = found.rows.len();
        for (ix, cells) in found.rows.iter().enumerate() {
            let value = |name: &str| {
                let own = columns
                    .iter()
                    .position(|column| column.eq_ignore_ascii_case(name))?;
                cells.get(own)?.word()
            };
            let op = match table.source {
                Source::Kind(part) => added::<M>(table, part, &value),
                Source::Own(_) | Source::Changes => from_template(template, &value),
            };
            let inner = parse(&op).map_err(|error| Diagnostic::new(error.error))?;
            let reply = self.plain(registry, &inner, None).map_err(|error| {
                let at = if total > 1 {
                    format!("row {} of {total}: ", ix + 1)
                } else {
                    String::new()
                };
                Diagnostic {
                    repair: Repair::None,
                    span: None,
                    ..Diagnostic::new(format!("{at}{}", error.message))
                }
            })?;
            replies.push(reply);
        }
        Ok(match replies.len() {
            0 => Reply::new(
                Sign::Unchanged,
                "the question yields no rows, so nothing was added",
            ),
            1 => replies.remove(0),
            n => folded(Reply::new(Sign::Created, rows_of(table, n)), &replies),
        })
    }
}

/// `3 rows of notes`
fn rows_of<M: Domain>(table: &Table<M>, count: usize) -> String {
    let rows = if count == 1 { "row" } else { "rows" };
    format!("{count} {rows} of {}", table.name)
}

/// The op that adds a row of a kind.
fn added<'v, M: Domain>(
    table: &Table<M>,
    part: usize,
    value: &dyn Fn(&str) -> Option<std::borrow::Cow<'v, str>>,
) -> String {
    let kind = M::SHAPE
        .parts
        .get(part)
        .and_then(|part| part.shape)
        .map_or("", |shape| shape.kind);
    let mut op = format!("add {kind}");
    for column in &table.columns {
        if let (Some(key), Some(value)) = (column.key, value(&column.name)) {
            op.push(' ');
            op.push_str(&spell_param(key, &value));
        }
    }
    op
}

/// The op of a template, without the words whose columns are not given.
fn from_template<'v>(
    template: &str,
    value: &dyn Fn(&str) -> Option<std::borrow::Cow<'v, str>>,
) -> String {
    let words = template.split(' ').filter_map(|word| {
        let Some((before, rest)) = word.split_once('{') else {
            return Some(word.to_owned());
        };
        let (name, after) = rest.split_once('}')?;
        let value = value(name)?;
        Some(match before.strip_suffix(':') {
            Some(key) if after.is_empty() => spell_param(key, &value),
            _ if before.is_empty() && after.is_empty() => quote(&value).into_owned(),
            _ => format!("{before}{value}{after}"),
        })
    });
    words.collect::<Vec<_>>().join(" ")
}

/// `minutes 60 to 240`
fn spread<'c>(name: &str, cells: impl Iterator<Item = &'c Cell> + Clone) -> String {
    let number = |cell: &Cell| match cell {
        #[allow(clippy::cast_precision_loss)]
        Cell::Integer(whole) => Some(*whole as f64),
        Cell::Real(number) => Some(*number),
        _ => None,
    };
    let numbers: Option<Vec<f64>> = cells.clone().map(number).collect();
    let shown = |number: f64| Cell::Real(number).word().unwrap_or_default().into_owned();
    match (numbers, cells.clone().next()) {
        (Some(numbers), Some(_)) => {
            let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            match low < high {
                true => format!("{name} {} to {}", shown(low), shown(high)),
                false => format!("{name} {}", shown(low)),
            }
        }
        (None, Some(first)) if cells.clone().all(|cell| cell == first) => {
            let text: String = first.shown().chars().take(60).collect();
            format!("{name} {text}")
        }
        _ => format!("{name} {} values", cells.count()),
    }
}
