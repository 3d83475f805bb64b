//! `UPDATE`, `DELETE` and `INSERT`, by the verbs and setters of the domain.

use std::any::Any;
use std::cell::LazyCell;
use std::collections::HashMap;

use super::adding::{distinct, spread};
use super::bounds::{about, fixed_column, held, of_text};
use super::fault::{
    REMOVES, by_one_op, is_param, named, negative, no_text, of_statement, otherwise, selector_of,
    statement_error, undeletable, value_error, writable,
};
use super::folded;
use super::through::kind_of;
use super::values::{Groups, meets, spec_of, spell};
use crate::diag::{Diagnostic, Repair, Result, Span};
use crate::domain::Domain;
use crate::model::Row;
use crate::op::{parse, spell_param};
use crate::reply::{Reply, Sign};
use crate::session::document::Document;
use crate::sql::write::{Write, read};
use crate::sql::{Column, Source, Table};
use crate::table::{AnyRow, Set};
use crate::value::{Cell, SqlType, Unit};
use crate::verb::Registry;

/// Rows by their number in a table, each with its row of the model and the new column values.
pub(super) type Changed = Vec<(i64, Option<Row>, Vec<Option<Cell>>)>;

impl<M: Domain> Document<M> {
    /// Runs a statement that writes.
    pub(super) fn write(&mut self, registry: &Registry<M>, text: &str) -> Result<Reply> {
        let write = read(text).map_err(|fault| fault.diagnostic(text, str::to_owned))?;
        let tables = Table::all(registry);
        match write {
            Write::Update { table, sets, sql } => {
                let table = named(&tables, &table, text)?;
                self.update(registry, (&tables, table), (&sets, &sql), text)
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
        (tables, table): (&[Table<M>], &Table<M>),
        (sets, sql): (&[(String, Span)], &str),
        text: &str,
    ) -> Result<Reply> {
        let mut columns: Vec<&Column> = Vec::new();
        let rows = || {
            selector_of(&table.name, text, |limit| {
                self.reaches(registry, table, limit)
            })
        };
        for (name, span) in sets {
            let value = (*span, sets.len() == 1, &rows as &dyn Fn() -> String);
            let column = writable((tables, table), name, value, text);
            columns.push(column.map_err(|error| {
                let op = by_one_op(table, sets, (text, &rows)).filter(|_| sets.len() > 1);
                match op {
                    Some(op) => error.or_try(op),
                    None => error,
                }
            })?);
        }
        let state = self.log.state_id();
        let found = self
            .tables
            .rows(&self.model, registry, state, (&table.name, sql));
        let (written, rows) = found.map_err(|fault| statement_error(&fault, text, sql))?;
        let matched = written.rows.len();
        let mut changed: Changed = Vec::new();
        let mut places: HashMap<i64, usize> = HashMap::new();
        let followed = followed::<M>(tables, &columns);
        // They may take a pass over the document.
        let decimals = columns.iter().map(|column| {
            LazyCell::new(|| self.model.decimals(column.key.unwrap_or(&column.name)))
        });
        let decimals: Vec<_> = decimals.collect();
        for ((number, cells), row) in written.rows.into_iter().zip(rows) {
            let differs = |ix: usize| match cells.get(2 * ix..2 * ix + 2) {
                Some([before, after]) => !after.equals(before),
                _ => false,
            };
            let is_set = |(ix, others): (usize, &Vec<usize>)| {
                let [before, after] = cells.get(2 * ix..2 * ix + 2)? else {
                    return None;
                };
                let follows = *after != Cell::Null && others.iter().any(|other| differs(*other));
                let after = match (after, decimals.get(ix)) {
                    (Cell::Real(_), Some(decimals)) if differs(ix) => after.rounded(**decimals),
                    _ => after.clone(),
                };
                (follows || !after.equals(before)).then_some(after)
            };
            let values: Vec<Option<Cell>> = followed.iter().enumerate().map(is_set).collect();
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
        let shown_as: (&Table<M>, Vec<&str>) =
            (table, columns.iter().map(|column| &*column.name).collect());
        let other = match columns
            .iter()
            .all(|column| column.own || column.key.is_some())
        {
            true => None,
            false => Some(self.through(tables, table, &columns, &mut changed)?),
        };
        let (table, columns, structs) = match other {
            Some(other) => other,
            None if columns.iter().any(|column| column.own) => {
                let structs = crate::sql::Tables::structs(&self.model, table);
                (table, columns, structs)
            }
            None => (table, columns, Vec::new()),
        };
        distinct_in(table, &columns, &changed, &structs)?;
        self.check_updates((table, &columns), (sets, text), &changed, &structs)?;
        let wrong = |name: &str, error: Diagnostic| {
            let ix = columns.iter().position(|column| column.name == name);
            let span = ix.and_then(|ix| sets.get(ix)).map(|(_, span)| *span);
            let is_whole = ix
                .and_then(|ix| columns.get(ix))
                .is_some_and(|own| own.sql == SqlType::Integer);
            let is_fraction = |values: &[Option<Cell>]| match ix.and_then(|ix| values.get(ix)) {
                Some(Some(Cell::Real(number))) => number.fract() != 0.0,
                _ => false,
            };
            let set = ix
                .and_then(|ix| sets.get(ix))
                .map(|(name, span)| (&**name, *span));
            if let Some(set) = set
                && is_whole
                && let Some(error) = of_text(table, set, text, &error)
            {
                return error;
            }
            if let (Some(set), Some(ix)) = (set, ix) {
                let values = changed.iter();
                let values = values.filter_map(|(.., values)| values.get(ix)?.as_ref()?.number());
                if let Some(fixed) = held(set.1, text, &error, values) {
                    return Diagnostic::new(about(name, error).message).or_try(fixed);
                }
            }
            match span.filter(|span| span.of(text).parse::<f64>().is_err()) {
                Some(span)
                    if is_whole && changed.iter().any(|(.., values)| is_fraction(values)) =>
                {
                    let rounded = format!("round({})", span.of(text));
                    Diagnostic::new(error.message).or_try(span.replace(text, &rounded))
                }
                _ => value_error(about(name, error), span, (text, &shown_as.0.name)),
            }
        };
        let meet = columns
            .iter()
            .any(|column| column.own || column.key.is_some_and(meets::<M>));
        let ((mut replies, notes), joint_notes) = self.together(meet, |document| {
            let replies = document.modify(registry, (&columns, sets, text), &changed, &wrong)?;
            let mut notes = Vec::new();
            for (number, _, values) in &changed {
                let at = usize::try_from(*number).unwrap_or(0).saturating_sub(1);
                for (column, value) in columns.iter().zip(values) {
                    let (true, Some(value), Some(row)) = (column.own, value, structs.get(at))
                    else {
                        continue;
                    };
                    let Source::Own(def) = table.source else {
                        continue;
                    };
                    if let Some(Set::Own(set)) =
                        def.columns.get(column.ix).and_then(|own| own.set.as_ref())
                    {
                        set(&mut document.model, row.own(), value)
                            .map_err(|error| wrong(&column.name, error))?;
                    }
                }
            }
            // All rows at once, in the order of the table's columns: a row is moved to its new
            // place before its order there is set.
            let mut at_once: Vec<(usize, &Column)> = columns.iter().copied().enumerate().collect();
            at_once.sort_by_key(|(_, column)| column.ix);
            for (ix, column) in at_once {
                let Source::Own(def) = table.source else {
                    break;
                };
                let set = def.columns.get(column.ix).and_then(|own| own.set.as_ref());
                let Some(Set::All(set)) = set else { continue };
                let rows = changed.iter().filter_map(|(number, _, values)| {
                    let at = usize::try_from(*number).ok()?.checked_sub(1)?;
                    Some((structs.get(at)?.own(), values.get(ix)?.as_ref()?))
                });
                let rows: Vec<(&dyn Any, &Cell)> = rows.collect();
                if !rows.is_empty() {
                    let own_notes = set(&mut document.model, &rows);
                    notes.extend(own_notes.map_err(|error| wrong(&column.name, error))?);
                }
            }
            Ok((replies, notes))
        })?;
        let count = changed.len();
        let (named_in, names) = shown_as;
        let list = names.iter().enumerate().filter_map(|(ix, name)| {
            let values = changed.iter();
            let values = values.filter_map(|(_, _, values)| values.get(ix)?.as_ref());
            values.clone().next().map(|_| spread(name, values))
        });
        let list: Vec<String> = list.collect();
        let line = Reply::new(
            Sign::Changed,
            format!("{}: {}", rows_of(named_in, count), list.join(", ")),
        );
        if let Some(joint_notes) = joint_notes {
            let rows: Vec<Row> = changed.iter().filter_map(|(_, row, _)| *row).collect();
            let joint_notes = notes.into_iter().chain(joint_notes).collect();
            return Ok(self.as_they_are(line, &rows, joint_notes));
        }
        if replies.len() == 1 && count == 1 {
            return Ok(replies.remove(0));
        }
        let rows = changed.iter().rev().filter_map(|(_, row, _)| *row);
        let reply = folded(line, &replies).about(rows.collect::<Vec<_>>());
        Ok(notes.into_iter().fold(reply, Reply::note))
    }

    /// Sets the columns that `modify` sets: once for all rows with the same values.
    fn modify(
        &mut self,
        registry: &Registry<M>,
        (columns, sets, text): (&[&Column], &[(String, Span)], &str),
        changed: &Changed,
        wrong: &dyn Fn(&str, Diagnostic) -> Diagnostic,
    ) -> Result<Vec<Reply>> {
        let mut groups = Groups::new();
        let verb = registry.verbs().find(|verb| verb.phrase == "modify");
        let params = verb.map_or(&[][..], |verb| verb.params);
        let unit = |key: &str| spec_of(params, key)?.unit;
        let units: Vec<Option<Unit>> = columns
            .iter()
            .map(|column| column.key.and_then(unit))
            .collect();
        for (_, row, values) in changed {
            let mut words = Vec::with_capacity(columns.len());
            for ((column, value), (unit, (_, span))) in
                columns.iter().zip(values).zip(units.iter().zip(sets))
            {
                words.push(match (column.key, value) {
                    (Some(_), Some(Cell::Null)) if !column.optional => {
                        return Err(Diagnostic::new(format!("{} cannot be NULL", column.name)));
                    }
                    (Some(_), Some(Cell::Null)) => Some("none".to_owned()),
                    (Some(key), Some(cell @ (Cell::Integer(_) | Cell::Real(_)))) => {
                        if let (None, Some(error)) = (unit, negative(params, key, cell)) {
                            return Err(wrong(&column.name, error));
                        }
                        let word = cell.word().unwrap_or_default();
                        // A column of numbers has its unit. In one of texts a number may be in
                        // either.
                        match unit {
                            Some(unit) if column.sql == SqlType::Text => {
                                return Err(no_text(unit, &word, *span, text));
                            }
                            Some(unit) => Some(format!("{}{word}", unit.prefix)),
                            None => Some(word.into_owned()),
                        }
                    }
                    (Some(_), Some(cell)) => cell.word().map(Into::into),
                    _ => None,
                });
            }
            if words.iter().all(Option::is_none) {
                continue;
            }
            let row = row.ok_or_else(|| Diagnostic::new("modify cannot change these rows"))?;
            groups.add(row, words);
        }
        let groups = groups.into_groups();
        let mut replies = Vec::new();
        for group in groups {
            let mut op = "modify @all".to_owned();
            let mut set = Vec::new();
            for (column, word) in columns.iter().zip(&group.words) {
                if let (Some(key), Some(word)) = (column.key, word) {
                    op.push(' ');
                    op.push_str(&spell(&self.model, params, key, word));
                    set.push(&*column.name);
                }
            }
            let inner = parse(&op).map_err(|error| Diagnostic::new(error.error))?;
            let reply = self
                .plain(registry, &inner, Some(&group.rows))
                .map_err(|error| {
                    // The repair of a single value is a value.
                    let fixed = match &error.repair {
                        Repair::Try(mended) => fixed_column(&inner, mended, (columns, &set)),
                        _ => None,
                    };
                    let added = match &error.repair {
                        Repair::Add(words) if is_param(words) => Some(words.clone()),
                        Repair::Try(mended) => parse(mended).ok().and_then(|mended| {
                            let mut new = mended
                                .params()
                                .filter(|own| inner.param(&own.key).is_none());
                            let param = new
                                .next()
                                .filter(|_| mended.words.len() > inner.words.len());
                            param.map(|own| spell_param(&own.key, &own.value))
                        }),
                        _ => None,
                    };
                    let at = fixed.as_ref().map(|(name, _)| *name);
                    let fix = fixed.map(|(_, value)| value);
                    let repair = added.or(fix).map_or(Repair::None, Repair::Add);
                    wrong(
                        at.or_else(|| set.first().copied()).unwrap_or_default(),
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
                    delete(&mut self.model, row.own())
                        .map_err(|error| of_statement(error, text))?;
                }
            }
            return Ok(Reply::new(
                Sign::Removed,
                rows_of(table, written.rows.len()),
            ));
        }
        if let Source::Own(def) = table.source
            && let Some(delete) = def.delete_all
        {
            let structs = crate::sql::Tables::structs(&self.model, table);
            let picked = written.rows.iter().filter_map(|(number, _)| {
                let at = usize::try_from(*number).ok()?.checked_sub(1)?;
                structs.get(at).map(|row| row.own())
            });
            let picked: Vec<&dyn Any> = picked.collect();
            let notes =
                delete(&mut self.model, &picked).map_err(|error| of_statement(error, text))?;
            let line = Reply::new(Sign::Removed, rows_of(table, picked.len()));
            let line = line.about(rows.into_iter().flatten().collect::<Vec<_>>());
            return Ok(notes.into_iter().fold(line, Reply::note));
        }
        if !table.is_entity() {
            return Err(otherwise((registry, table), "deleted", REMOVES));
        }
        let fixed = written
            .rows
            .iter()
            .zip(&rows)
            .filter(|(_, row)| row.is_none());
        let fixed: Vec<i64> = fixed.map(|((number, _), _)| *number).collect();
        if !fixed.is_empty() {
            let structs = crate::sql::Tables::structs(&self.model, table);
            let kinds = fixed
                .iter()
                .filter_map(|number| kind_of(table, &structs, *number));
            let others = (fixed.len() < written.rows.len()).then_some(text);
            return Err(undeletable(table, fixed.len(), kinds.collect(), others));
        }
        let mut picked: Vec<Row> = rows.into_iter().flatten().collect();
        picked.sort_unstable();
        picked.dedup();
        let inner = parse("remove @all").map_err(|error| Diagnostic::new(error.error))?;
        let reply = self
            .plain(registry, &inner, Some(&picked))
            .map_err(|error| {
                // The op generated for the statement was not sent, so it cannot be a repair.
                let repair = match error.repair {
                    Repair::Try(op) if !op.contains("@all") => Repair::Try(op),
                    _ => Repair::None,
                };
                Diagnostic {
                    repair,
                    span: None,
                    ..error
                }
            })?;
        Ok(reply)
    }
}

/// The columns of a statement that each one follows, by their indices.
fn followed<M: Domain>(tables: &[Table<M>], columns: &[&Column]) -> Vec<Vec<usize>> {
    let name = |column: &&Column| {
        let via = column.via.and_then(|(table, ix)| {
            let own = tables.iter().find(|own| own.name == table)?;
            Some(&*own.columns.get(ix)?.name)
        });
        via.map_or_else(|| column.name.clone(), str::to_owned)
    };
    let names: Vec<String> = columns.iter().map(name).collect();
    let others = |name: &String| {
        let own = M::FOLLOWS.iter().find(|(own, _)| own == name);
        let others = own.map_or(&[][..], |(_, others)| others);
        let all = names.iter().enumerate();
        all.filter(|(_, name)| others.contains(&&***name))
            .map(|(ix, _)| ix)
            .collect()
    };
    names.iter().map(others).collect()
}

/// Rejects columns that write the same thing.
fn distinct_in<M: Domain>(
    table: &Table<M>,
    columns: &[&Column],
    changed: &Changed,
    structs: &[Box<dyn AnyRow>],
) -> Result<()> {
    let names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
    distinct(table, &names, None)?;
    for (number, ..) in changed.iter().filter(|_| names.len() > 1) {
        if let Some(kind) = kind_of(table, structs, *number) {
            distinct(table, &names, Some(&kind))?;
        }
    }
    Ok(())
}

/// `3 rows of notes`
pub(super) fn rows_of<M: Domain>(table: &Table<M>, count: usize) -> String {
    format!("{} of {}", crate::reply::count(count, "row"), table.name)
}
