//! `UPDATE`, `DELETE` and `INSERT`, by the verbs and setters of the domain.

use std::any::Any;
use std::cell::LazyCell;
use std::collections::HashMap;

use super::adding::{distinct, spread};
use super::bounds::{about, fixed_column, held, no_null, of_text};
use super::fault::{
    REMOVES, by_one_op, is_param, negative, no_text, of_statement, otherwise, selector_of,
    statement_error, undeletable, value_error, writable,
};
use super::own_table::kind_of;
use super::values::{Groups, meets, spec_of, spell};
use super::{folded, made};
use crate::diag::{Diagnostic, Repair, Result, Span};
use crate::domain::Domain;
use crate::model::Row;
use crate::op::{ParsedOp, parse, spell_param};
use crate::reply::Reply;
use crate::session::document::Document;
use crate::sql::write_statement::{Act, read};
use crate::sql::{Column, Fault, Numbered, Source, Structs, Table, look};
use crate::table::{AnyRow, Set};
use crate::value::{Cell, SqlType, Unit};
use crate::verb::Registry;
use crate::{bail, changed, removed, unchanged};

/// Rows by their number in a table, each with its row of the model and the new column values.
pub(super) type Changed = Vec<(i64, Option<Row>, Vec<Option<Cell>>)>;

impl<M: Domain> Document<M> {
    /// Runs a statement that writes.
    pub(super) fn write(&mut self, registry: &Registry<M>, text: &str) -> Result<Reply> {
        let write = read(text).map_err(|fault| fault.diagnostic(text, str::to_owned))?;
        let tables = Table::all(registry);
        let (own, sql) = (&write.table, &write.sql);
        let mut named = tables.iter();
        let Some(table) = named.find(|table| table.name.eq_ignore_ascii_case(own)) else {
            let at = text.find(own).map(|at| Span::new(at, at + own.len()));
            return Err(Fault::table(own, &tables, at).diagnostic(text, str::to_owned));
        };
        match &write.act {
            Act::Update(sets) => self.update(registry, (&tables, table), (sets, sql), text),
            Act::Delete => self.delete(registry, table, sql, text),
            Act::Insert(columns) => self.insert(registry, table, (columns, sql), text),
        }
    }

    /// The rows of a table for which the question of a statement has values.
    fn rows_for(
        &self,
        registry: &Registry<M>,
        table: &Table<M>,
        (text, sql): (&str, &str),
    ) -> Result<Vec<Numbered>> {
        let rows = self.view(registry).rows(&table.name, sql);
        rows.map_err(|fault| statement_error(&fault, text, sql))
    }

    fn update(
        &mut self,
        registry: &Registry<M>,
        (tables, table): (&[Table<M>], &Table<M>),
        (sets, sql): (&[(String, Span)], &str),
        text: &str,
    ) -> Result<Reply> {
        // A condition alone also selects rows of other tables.
        let is_only = !tables
            .iter()
            .any(|own| own.is_entity && own.part != table.part);
        let reached = || {
            selector_of(&table.name, text, |limit| {
                is_only && self.reaches(registry, table, limit)
            })
        };
        let columns = sets.iter().map(|(name, span)| {
            let value = (*span, sets.len() == 1, &reached as &dyn Fn() -> String);
            let column = writable((tables, table), name, value, text);
            column.map_err(|error| {
                let op = by_one_op(table, sets, (text, &reached)).filter(|_| sets.len() > 1);
                error.maybe_try(op)
            })
        });
        let columns: Vec<&Column> = columns.collect::<Result<_>>()?;
        let rows = self.rows_for(registry, table, (text, sql))?;
        let matched = rows.len();
        let mut changed: Changed = Vec::new();
        let mut places: HashMap<i64, usize> = HashMap::new();
        let followed = followed::<M>(tables, &columns);
        // They may take a pass over the document.
        let decimals = columns.iter().map(|column| {
            LazyCell::new(|| self.model.decimals(column.key.unwrap_or(&column.name)))
        });
        let decimals: Vec<_> = decimals.collect();
        for own in rows {
            let differs = |ix: usize| match own.cells.get(2 * ix..2 * ix + 2) {
                Some([before, after]) => !after.equals(before),
                _ => false,
            };
            let is_set = |(ix, others): (usize, &Vec<usize>)| {
                let [before, after] = own.cells.get(2 * ix..2 * ix + 2)? else {
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
            match places.get(&own.number).and_then(|at| changed.get(*at)) {
                Some((_, _, known)) if *known == values => {}
                Some(_) => {
                    bail!(
                        "a row of {} is matched several times, with different values; its FROM needs a narrower WHERE",
                        table.name
                    );
                }
                None => {
                    places.insert(own.number, changed.len());
                    changed.push((own.number, own.row, values));
                }
            }
        }
        changed.retain(|(_, _, values)| values.iter().any(Option::is_some));
        if changed.is_empty() {
            return Ok(match matched {
                0 => self.none_match(registry, table, text),
                1 => unchanged!("1 row has these values already"),
                n => unchanged!("{n} rows have these values already"),
            });
        }
        let (named_in, names) = (table, names(&columns));
        let is_direct = |column: &&Column| column.own || column.key.is_some();
        let (table, columns, structs) = if !columns.iter().all(is_direct) {
            self.through(tables, table, &columns, &mut changed)?
        } else if columns.iter().any(|column| column.own) {
            let structs = table.structs(&self.model, &names);
            (table, columns, structs)
        } else {
            (table, columns, Structs::default())
        };
        distinct_in(table, &columns, &changed, &structs)?;
        self.check_updates((table, &columns), (sets, text), &changed, &structs)?;
        let wrong = |name: &str, error: Diagnostic| {
            let ix = columns.iter().position(|column| column.name == name);
            let Some((ix, (set, span))) = ix.and_then(|ix| Some((ix, sets.get(ix)?))) else {
                return value_error(about(name, error), None, (text, &named_in.name));
            };
            let is_null = |values: &[Option<Cell>]| values.get(ix) == Some(&Some(Cell::Null));
            let nulls = changed.iter().filter(|(.., values)| is_null(values));
            let (nulls, says) = (nulls.count(), |word: &&str| error.message.contains(*word));
            if nulls > 0 && ["NULL", "none"].iter().any(says) {
                // Rows for which a value is computed get it, others keep theirs.
                let kept = format!("coalesce({}, {set})", span.of(text));
                let fix = (nulls < matched).then(|| span.replace(text, &kept));
                let error = no_null(set, columns[ix].doc).maybe_try(fix);
                return error.looking(Some(look(&[named_in])));
            }
            let is_whole = columns[ix].sql == SqlType::Integer;
            if is_whole && let Some(error) = of_text(table, (set, *span), text, &error) {
                return error;
            }
            let numbers = || {
                let values = changed.iter();
                values.filter_map(|(.., values)| values.get(ix)?.as_ref()?.number())
            };
            if let Some(fixed) = held(*span, text, &error, numbers()) {
                return Diagnostic::new(about(name, error).message).or_try(fixed);
            }
            let expr = span.of(text);
            let is_fraction = |number: f64| number.fract() != 0.0;
            if is_whole && expr.parse::<f64>().is_err() && numbers().any(is_fraction) {
                let rounded = span.replace(text, &format!("round({expr})"));
                return Diagnostic::new(error.message).or_try(rounded);
            }
            value_error(about(name, error), Some(*span), (text, &named_in.name))
        };
        let meet = columns
            .iter()
            .any(|column| column.own || column.key.is_some_and(meets::<M>));
        let ((mut replies, notes), joint_notes) = self.together(meet, |document| {
            let replies = document.modify(registry, (&columns, sets, text), &changed, &wrong)?;
            let mut notes = Vec::new();
            // All rows at once, in the order of the table's columns: a row is moved to its new
            // place before its order there is set.
            let mut at_once: Vec<(usize, &Column)> = columns.iter().copied().enumerate().collect();
            at_once.sort_by_key(|(_, column)| column.ix);
            for (ix, column) in at_once {
                let rows = changed.iter().filter_map(|(number, _, values)| {
                    Some((structs.get(*number)?.own(), values.get(ix)?.as_ref()?))
                });
                let rows: Vec<(&dyn Any, &Cell)> = rows.collect();
                let model = &mut document.model;
                let set = match table.setter(column) {
                    Some(Set::All(set)) if !rows.is_empty() => set(model, &rows),
                    Some(Set::Own(set)) => {
                        let mut rows = rows.into_iter();
                        let set = rows.try_for_each(|(row, cell)| set(model, row, cell));
                        set.map(|()| Vec::new())
                    }
                    _ => continue,
                };
                notes.extend(set.map_err(|error| wrong(&column.name, error))?);
            }
            Ok((replies, notes))
        })?;
        let count = changed.len();
        let list = names.iter().enumerate().filter_map(|(ix, name)| {
            let values = changed.iter();
            let values = values.filter_map(|(_, _, values)| values.get(ix)?.as_ref());
            values.clone().next().map(|_| spread(name, values))
        });
        let list = list.collect::<Vec<_>>().join(", ");
        let line = changed!("{}: {list}", rows_of(named_in, count));
        let rows: Vec<Row> = changed.iter().filter_map(|(_, row, _)| *row).collect();
        if let Some(joint_notes) = joint_notes {
            let notes = notes.into_iter().chain(joint_notes).collect();
            return Ok(self.as_they_are(line, &rows, notes));
        }
        if replies.len() == 1 && count == 1 {
            return Ok(replies.remove(0));
        }
        let reply = folded(line, &replies).about(rows.into_iter().rev());
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
        let units = columns
            .iter()
            .map(|column| spec_of(params, column.key?)?.unit);
        let units: Vec<Option<Unit>> = units.collect();
        for (_, row, values) in changed {
            let mut words = Vec::with_capacity(columns.len());
            for ((column, value), (unit, (_, span))) in
                columns.iter().zip(values).zip(units.iter().zip(sets))
            {
                words.push(match (column.key, value) {
                    (Some(_), Some(Cell::Null)) if !column.optional => {
                        return Err(wrong(&column.name, Diagnostic::new("NULL")));
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
            groups.entry(words).or_default().push(row);
        }
        let mut replies = Vec::new();
        for (words, rows) in groups {
            let mut op = "modify @all".to_owned();
            let mut set = Vec::new();
            for (column, word) in columns.iter().zip(&words) {
                if let (Some(key), Some(word)) = (column.key, word) {
                    op.push(' ');
                    op.push_str(&spell(&self.model, params, key, word));
                    set.push(&*column.name);
                }
            }
            let inner = made(&op)?;
            let reply = self.plain(registry, &inner, Some(&rows));
            replies.push(reply.map_err(|error| {
                // The repair of a single value is a value.
                let fixed = match &error.repair {
                    Repair::Try(mended) => fixed_column(&inner, mended, (columns, &set)),
                    _ => None,
                };
                let (at, fix) = fixed.unzip();
                let added = added_param(&inner, &error.repair);
                let other = other_op(&inner, &error.repair).map_or(Repair::None, Repair::Try);
                let repair = added.or(fix).map_or(other, Repair::Add);
                let at = at.or_else(|| set.first().copied()).unwrap_or_default();
                wrong(at, Diagnostic { repair, ..error })
            })?);
        }
        Ok(replies)
    }

    /// The reply to a statement that reaches no rows: it may compare a column with a text that no row
    /// has.
    fn none_match(&self, registry: &Registry<M>, table: &Table<M>, text: &str) -> Reply {
        let reply = unchanged!("0 rows of {} match", table.name);
        let hint = self.view(registry).absent(table, text);
        hint.into_iter()
            .fold(reply, |reply, (hint, _)| reply.note(hint))
    }

    fn delete(
        &mut self,
        registry: &Registry<M>,
        table: &Table<M>,
        sql: &str,
        text: &str,
    ) -> Result<Reply> {
        let rows = self.rows_for(registry, table, (text, sql))?;
        if rows.is_empty() {
            return Ok(self.none_match(registry, table, text));
        }
        if let Source::Own(def) = table.source
            && (def.delete.is_some() || def.delete_all.is_some())
        {
            let structs = table.structs(&self.model, &[]);
            let picked = rows.iter().filter_map(|own| structs.get(own.number));
            let picked: Vec<&dyn Any> = picked.map(AnyRow::own).collect();
            let model = &mut self.model;
            let mut each = picked.iter();
            let notes = match (def.delete, def.delete_all) {
                (None, Some(delete)) => delete(model, &picked),
                (Some(delete), _) => each
                    .try_for_each(|row| delete(model, *row))
                    .map(|()| Vec::new()),
                (None, None) => Ok(Vec::new()),
            };
            let notes = notes.map_err(|error| of_statement(error, text))?;
            let line = removed!("{}", rows_of(table, rows.len()));
            let line = line.about(rows.iter().filter_map(|own| own.row));
            return Ok(notes.into_iter().fold(line, Reply::note));
        }
        if !table.is_entity {
            return Err(otherwise((registry, table), "deleted", REMOVES));
        }
        let fixed = rows.iter().filter(|own| own.row.is_none());
        let fixed: Vec<i64> = fixed.map(|own| own.number).collect();
        if !fixed.is_empty() {
            let structs = table.structs(&self.model, &[]);
            let kinds = fixed.iter();
            let kinds = kinds.filter_map(|number| kind_of(table, &structs, *number));
            let others = (fixed.len() < rows.len()).then_some(text);
            return Err(undeletable(table, fixed.len(), kinds.collect(), others));
        }
        let mut picked: Vec<Row> = rows.into_iter().filter_map(|own| own.row).collect();
        picked.sort_unstable();
        picked.dedup();
        let inner = made("remove @all")?;
        let reply = self.plain(registry, &inner, Some(&picked));
        reply.map_err(|mut error| {
            error.repair = other_op(&inner, &error.repair).map_or(Repair::None, Repair::Try);
            error.span = None;
            error
        })
    }
}

/// The repair of an op generated for a statement, if it is an op of its own: the generated one was not sent.
pub(super) fn other_op(op: &ParsedOp<'_>, repair: &Repair) -> Option<String> {
    let Repair::Try(other) = repair else {
        return None;
    };
    let is_other = op.raw.contains("@all") || parse(other).ok()?.verb.text != op.verb.text;
    (is_other && !other.contains("@all")).then(|| other.clone())
}

/// The parameter that the repair of an op adds to it.
fn added_param(op: &ParsedOp<'_>, repair: &Repair) -> Option<String> {
    match repair {
        Repair::Add(words) if is_param(words) => Some(words.clone()),
        Repair::Try(mended) => {
            let mended = parse(mended).ok()?;
            let is_longer = mended.verb.text == op.verb.text && mended.words.len() > op.words.len();
            let mut new = mended.params().filter(|own| op.param(&own.key).is_none());
            let param = new.next().filter(|_| is_longer)?;
            Some(spell_param(&param.key, &param.value))
        }
        _ => None,
    }
}

pub(super) fn names<'t>(columns: &[&'t Column]) -> Vec<&'t str> {
    columns.iter().map(|column| &*column.name).collect()
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
    structs: &Structs,
) -> Result<()> {
    let names = names(columns);
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
