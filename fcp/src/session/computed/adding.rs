//! Rows that `INSERT` adds: the columns they may be given, and the ops that add them.

use std::borrow::Cow;

use super::fault::{ADDS, no_column, of_statement, otherwise, statement_error};
use super::values::range;
use super::write::{names, other_op, rows_of};
use super::{folded, made};
use crate::diag::{Diagnostic, Repair, Result, Span};
use crate::domain::Domain;
use crate::op::{OpWord, ParsedOp, parse, quote, spell_param};
use crate::reply::{Reply, Sign};
use crate::session::document::Document;
use crate::sql::{Column, Source, Table, as_literal, literals};
use crate::table::{NewRow, added_columns, rivals};
use crate::value::{Cell, Choice};
use crate::verb::{Registry, Verb};
use crate::{bail, changed, created, unchanged};

impl<M: Domain> Document<M> {
    /// Adds rows with the values that a question yields.
    pub(super) fn insert(
        &mut self,
        registry: &Registry<M>,
        table: &Table<M>,
        (columns, sql): (&[String], &str),
        text: &str,
    ) -> Result<Reply> {
        let Some(phrase) = table.adder(registry) else {
            return self.insert_of(registry, (table, &[]), (columns, sql), text);
        };
        let Some((joint, columns, kind)) = joint(registry, table, columns) else {
            return Err(added_otherwise(registry, table, phrase));
        };
        let (sql, kinds) = match kind {
            NewKind::Always(kind) => (format!("SELECT '{kind}', * FROM ({sql})"), &[][..]),
            NewKind::OneOf(kinds) => (sql.to_owned(), kinds),
        };
        self.insert_of(registry, (&joint, kinds), (&columns, &sql), text)
    }

    /// Adds rows with the values that a question yields, in the table itself. If `kinds` are given,
    /// their `kind` is one of these.
    fn insert_of(
        &mut self,
        registry: &Registry<M>,
        (table, kinds): (&Table<M>, &[Choice]),
        (columns, sql): (&[String], &str),
        text: &str,
    ) -> Result<Reply> {
        let def = match table.source {
            Source::Own(def) => Some(def),
            _ => None,
        };
        let template = match table.source {
            Source::Own(def) => def.insert.map(Cow::Borrowed),
            Source::Kind(part) => Some(template_of(table, part).into()),
            Source::Changes => None,
        };
        let Some(template) = template else {
            return Err(otherwise((registry, table), "added", ADDS));
        };
        for name in columns {
            let is_ref = def.is_some() && name.eq_ignore_ascii_case("ref");
            if table.column(name).is_none() && !is_ref {
                return Err(no_column(table, name, text));
            }
        }
        match def {
            Some(_) => addable(table, &template, columns)?,
            None => required(table, columns)?,
        }
        let found = self.view(registry).values(sql);
        let found = found.map_err(|fault| statement_error(&fault, text, sql))?;
        if found.columns.len() != columns.len() {
            let (named, given) = (columns.len(), found.columns.len());
            bail!("{named} columns are named, and {given} values given");
        }
        let at_once = def.and_then(|def| def.insert_all);
        if let Some(insert) = at_once.filter(|_| !found.rows.is_empty()) {
            let new = found.rows.iter().map(|cells| NewRow::new(columns, cells));
            let new: Vec<NewRow<'_>> = new.collect();
            let notes = insert(&mut self.model, &new).map_err(|error| of_statement(error, text))?;
            let line = created!("{}", rows_of(table, new.len()));
            return Ok(notes.into_iter().fold(line, Reply::note));
        }
        let mut replies = Vec::new();
        let total = found.rows.len();
        for (ix, cells) in found.rows.iter().enumerate() {
            let new = NewRow::new(columns, cells);
            let value = |name: &str| new.cell(name)?.word();
            let at_row = |error| at_row(ix, total, error);
            let given = columns.iter().map(String::as_str);
            let given: Vec<&str> = given.filter(|name| value(name).is_some()).collect();
            one_of(kinds, value("kind").as_deref()).map_err(at_row)?;
            distinct(table, &given, value("kind").as_deref()).map_err(at_row)?;
            let op = match def.and_then(|def| def.insert_by) {
                Some(words) => words(&self.model, new).map_err(|error| match total {
                    // Its repair is one of the statement.
                    1 => of_statement(error, text),
                    _ => at_row(error),
                })?,
                None => from_template(&template, &value),
            };
            let inner = made(&op)?;
            let reply = self.plain(registry, &inner, None);
            replies.push(reply.map_err(|error| {
                let fix = other_value(&inner, &error).and_then(|(old, new)| {
                    let place = literal(text, &old)?;
                    let is_number = new.parse::<f64>().is_ok() && !place.of(text).starts_with('\'');
                    let new = if is_number { new } else { as_literal(&new) };
                    Some(place.replace(text, &new))
                });
                let fix = fix.or_else(|| other_op(&inner, &error.repair));
                at_row(in_columns(error, table, &template)).maybe_try(fix)
            })?);
        }
        Ok(match replies.len() {
            0 => unchanged!("the question yields no rows, so nothing was added"),
            1 => replies.remove(0),
            n => {
                let with = |sign| replies.iter().filter(|own| own.sign() == sign).count();
                let same = with(Sign::Unchanged);
                // In other tables, the op changes the row that a new one belongs to.
                let other = with(Sign::Changed) * usize::from(table.is_entity);
                let (all, new) = (rows_of(table, n), n - same - other);
                let line = match (same, other) {
                    (0, 0) => created!("{all}"),
                    _ if same == n => unchanged!("{all}: none added"),
                    (_, 0) => created!("{}; {same} changed nothing", rows_of(table, new)),
                    _ => changed!("{all}: {new} added, {other} replaced, {same} as before"),
                };
                folded(line, &replies)
            }
        })
    }
}

/// The `kind` of new rows of a table, in the domain's own table of all rows.
enum NewKind {
    /// That of all rows of the table.
    Always(&'static str),
    /// Its own column, one of these.
    OneOf(&'static [Choice]),
}

/// Rejects a `kind` that rows of the table do not have.
fn one_of(kinds: &[Choice], kind: Option<&str>) -> Result<()> {
    let names: Vec<&str> = kinds.iter().map(|own| own.word).collect();
    if let Some(kind) = kind.filter(|kind| !names.is_empty() && !names.contains(kind)) {
        bail!("{kind} is not a kind of these rows: {}", names.join(", "));
    }
    Ok(())
}

/// Rejects new rows of a kind without a column that each row has.
fn required<M: Domain>(table: &Table<M>, columns: &[String]) -> Result<()> {
    let is_given = |name: &str| columns.iter().any(|own| own.eq_ignore_ascii_case(name));
    let needed = |own: &&Column| own.key.is_some() && !own.optional && !is_given(&own.name);
    let missing: Vec<&Column> = table.columns.iter().filter(needed).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let (of, missing) = (&table.name, names(&missing).join(" and "));
    bail!("a row of {of} needs {missing}")
}

/// The value that the repair of an op changes: the old one and the new one.
fn other_value(op: &ParsedOp<'_>, error: &Diagnostic) -> Option<(String, String)> {
    let Repair::Try(mended) = &error.repair else {
        return None;
    };
    let mended = parse(mended).ok()?;
    let value = |word: &OpWord<'_>| match word {
        OpWord::Param(param) => Some((Some(param.key.to_string()), param.value.to_string())),
        OpWord::Positional(own) => Some((None, own.text.to_string())),
        _ => None,
    };
    let is_same = op.verb.text == mended.verb.text && op.words.len() == mended.words.len();
    let pairs = op.words.iter().zip(&mended.words).filter(|_| is_same);
    let mut other = pairs.filter_map(|(one, other)| {
        let ((key, old), (new_key, new)) = (value(one)?, value(other)?);
        (key == new_key && old != new).then_some((old, new))
    });
    other.next().filter(|_| other.next().is_none())
}

/// The place of a value in a statement, if it is there once.
fn literal(text: &str, value: &str) -> Option<Span> {
    let mut found = literals(text).into_iter().filter(|(_, own)| own == value);
    let (span, _) = found.next()?;
    found.next().is_none().then_some(span)
}

/// An error of an op that adds a row, with columns instead of the op's keys.
fn in_columns<M: Domain>(error: Diagnostic, table: &Table<M>, template: &str) -> Diagnostic {
    let of_template = template.split(' ').filter_map(|word| {
        let (key, column) = word.split_once(":{")?;
        Some((key, column.strip_suffix('}')?.split('|').next()?))
    });
    let own = table.columns.iter();
    let own = own.filter_map(|column| Some((column.key?, &*column.name)));
    let mut message = format!("{} ", error.message);
    for (key, column) in of_template.chain(own) {
        for end in [" ", ",", ";"] {
            let (from, to) = (format!(" {key}:{end}"), format!(" {column}{end}"));
            message = message.replace(&from, &to);
        }
        if key != column
            && let Some(rest) = message.strip_prefix(&format!("{key}:"))
        {
            message = format!("{column}:{rest}");
        }
    }
    let message = message.trim_end().to_owned();
    Diagnostic { message, ..error }
}

/// Rejects columns that cannot be set on a new row, and two that set the same property.
fn addable<M: Domain>(table: &Table<M>, template: &str, columns: &[String]) -> Result<()> {
    let groups = added_columns(template);
    let has = |names: &[&str], of: &String| names.iter().any(|own| of.eq_ignore_ascii_case(own));
    let known = groups.concat();
    if let Some(column) = columns.iter().find(|column| !has(&known, column))
        && !known.is_empty()
    {
        let (of, known) = (&table.name, known.join(", "));
        bail!("{column} is not given when rows are added to {of}; these are: {known}");
    }
    for group in groups {
        let mut given = columns.iter().filter(|column| has(&group, column));
        if let (Some(one), Some(other)) = (given.next(), given.next()) {
            bail!("{one} and {other} set the same field of a new row; give one");
        }
    }
    Ok(())
}

/// Rejects columns that write the same thing, in rows of a kind or, without one, in all rows.
pub(super) fn distinct<M: Domain>(
    table: &Table<M>,
    columns: &[&str],
    kind: Option<&str>,
) -> Result<()> {
    let Source::Own(def) = table.source else {
        return Ok(());
    };
    let Some((one, other)) = rivals(def.one_of, columns, kind) else {
        return Ok(());
    };
    let of = kind.map_or_else(|| format!("row of {}", table.name), str::to_owned);
    bail!("{one} and {other} set the same field of a {of}; give one")
}

/// The error of columns that new rows of a table do not have: those that they have, and the verb
/// that adds them too.
fn added_otherwise<M: Domain>(
    registry: &Registry<M>,
    table: &Table<M>,
    phrase: &str,
) -> Diagnostic {
    let names = table.columns.iter().map(|column| &column.name);
    let taken = names.filter(|name| joint(registry, table, std::slice::from_ref(*name)).is_some());
    let taken: Vec<&str> = taken.map(|name| &**name).collect();
    let mut message = format!("rows of {} are added by {phrase}", table.name);
    if !taken.is_empty() {
        message.push_str(&format!(", or with these columns: {}", taken.join(", ")));
    }
    let verb = registry.called(phrase);
    Diagnostic::new(message).or_syntax(verb.map_or_else(|| phrase.to_owned(), Verb::syntax))
}

/// The domain's own table in which rows of several kinds are added by their `kind`, the columns of
/// a new row there, and the kind of this table's rows. `None` if there is none, or it has not all
/// of the columns.
fn joint<M: Domain>(
    registry: &Registry<M>,
    table: &Table<M>,
    columns: &[String],
) -> Option<(Table<M>, Vec<String>, NewKind)> {
    let part = M::SHAPE.parts.get(table.part?)?;
    let shape = part.shape?;
    let mut all = Table::all(registry).into_iter();
    let (joint, added) = all.find_map(|table| {
        let added = table.added(registry).concat();
        let added: Vec<String> = added.into_iter().map(str::to_owned).collect();
        let has_kinds = added.iter().any(|name| name == "kind");
        (table.is_own() && table.is_entity && has_kinds).then_some((table, added))
    })?;
    let there = |name: &String| {
        let own = table.named(name)?;
        let via = own.via.and_then(|(_, ix)| joint.columns.get(ix));
        let name = via.map_or(&own.name, |column| &column.name);
        added.contains(name).then(|| name.clone())
    };
    let columns: Option<Vec<String>> = columns.iter().map(there).collect();
    let mut columns = columns?;
    if columns.iter().any(|column| column == "kind") {
        let mut fields = shape.fields.iter();
        let own = fields.find(|field| field.column == "kind")?;
        let kinds = (own.spec)().choices;
        return (!kinds.is_empty()).then_some((joint, columns, NewKind::OneOf(kinds)));
    }
    columns.insert(0, "kind".to_owned());
    Some((joint, columns, NewKind::Always(shape.kind)))
}

/// The template of the op that adds a row of a kind.
fn template_of<M: Domain>(table: &Table<M>, part: usize) -> String {
    let shape = M::SHAPE.parts.get(part).and_then(|part| part.shape);
    let columns = table.columns.iter();
    let words = columns.filter_map(|own| Some(format!(" {}:{{{}}}", own.key?, own.name)));
    let kind = shape.map_or("", |shape| shape.kind);
    format!("add {kind}{}", words.collect::<String>())
}

/// The op of a template, without the words whose columns have no value.
fn from_template<'v>(template: &str, value: &dyn Fn(&str) -> Option<Cow<'v, str>>) -> String {
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
pub(super) fn spread<'c>(name: &str, cells: impl Iterator<Item = &'c Cell> + Clone) -> String {
    let mut all = cells.clone();
    match (range(cells.clone().map(Cell::number)), all.next()) {
        (Some((low, high)), _) if low == high => format!("{name} {low}"),
        (Some((low, high)), _) => format!("{name} {low} to {high}"),
        (None, Some(first)) if all.all(|cell| cell == first) => {
            let text: String = first.shown().chars().take(60).collect();
            format!("{name} {text}")
        }
        _ => format!("{name} {} values", cells.count()),
    }
}

/// An error about one of several new rows.
fn at_row(ix: usize, total: usize, mut error: Diagnostic) -> Diagnostic {
    if total > 1 {
        error.message = format!("row {} of {total}: {}", ix + 1, error.message);
    }
    (error.span, error.repair) = (None, Repair::None);
    error
}
