//! Errors of statements that write, with the corrected statement.

use std::collections::HashMap;

use super::values::{spec_of, spelled};
use crate::diag::{Diagnostic, Repair, Result, Span};
use crate::domain::Domain;
use crate::op::{OpWord, ParsedOp, quote, quoted, spell_param};
use crate::sql::write::{condition, is_question, is_write};
use crate::sql::{
    Column, Table, aggregate, hint, literals, nearest_column, nearest_name, substituted, texts,
};
use crate::value::{Cell, Unit};
use crate::verb::{Param, Registry};

/// The table of this name.
pub(super) fn named<'t, M: Domain>(
    tables: &'t [Table<M>],
    name: &str,
    text: &str,
) -> Result<&'t Table<M>> {
    let own = |table: &&Table<M>| table.name.eq_ignore_ascii_case(name);
    tables.iter().find(own).ok_or_else(|| {
        let names: Vec<&str> = tables.iter().map(|table| &*table.name).collect();
        let error = Diagnostic::new(format!(
            "no such table: {name} (tables: {})",
            names.join(", ")
        ));
        match nearest_name(name, names.iter().copied()) {
            Some(near) => error.or_try(renamed(text, name, near)),
            None => error,
        }
    })
}

/// A statement with the first occurrence of a name replaced that is not inside a text.
pub(super) fn renamed(text: &str, name: &str, other: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let texts = texts(text);
    let is_inside = |at: usize| texts.iter().any(|own| own.start < at && at < own.end);
    for (at, _) in text.match_indices(name) {
        if is_inside(at) {
            continue;
        }
        let end = at + name.len();
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(end..).and_then(|text| text.chars().next());
        if !before.is_some_and(is_part) && !after.is_some_and(is_part) {
            return Span::new(at, end).replace(text, other);
        }
    }
    text.to_owned()
}

pub(super) fn no_column<M: Domain>(table: &Table<M>, name: &str, text: &str) -> Diagnostic {
    let near = nearest_column(name, table.columns.iter());
    let error = Diagnostic::new(format!("{} has no column {name}", table.name));
    match near {
        Some(near) => error.or_try(renamed(text, name, near)),
        None => Diagnostic::new(format!(
            "{}: {}{}",
            error.message,
            table.outline(),
            hint::<M>()
        )),
    }
}

/// The column of this name, if it can be written. `alone` says whether the statement sets no other.
pub(super) fn writable<'t, M: Domain>(
    (tables, table): (&'t [Table<M>], &'t Table<M>),
    name: &str,
    (value, alone, rows): (Span, bool, &dyn Fn() -> String),
    text: &str,
) -> Result<&'t Column> {
    let column = table.column(name).and_then(|ix| table.columns.get(ix));
    match column {
        Some(column) if column.is_writable() => Ok(column),
        None if !name.eq_ignore_ascii_case("ref") => {
            let error = no_column(table, name, text);
            let op = M::column_op(name).filter(|_| alone && table.is_entity());
            Err(match op.filter(|_| !is_null(value.of(text))) {
                Some(op) => error.or_try(by_op(&op, value.of(text), &rows())),
                None => error,
            })
        }
        Some(Column { by: Some(by), .. }) if is_write(by) => {
            let own = &table.name;
            let other = by.split(' ').nth(1).unwrap_or_default();
            // `INSERT INTO notes and remove`, or `UPDATE notes SET tick={value}`.
            let form = by.split(['=', '{']).next().unwrap_or_default();
            let updates = form.starts_with("UPDATE ");
            let error = Diagnostic::new(match (updates, other == own) {
                (true, true) => format!("{name} of {own} is changed by {form}"),
                (true, false) => {
                    format!("{name} of {own} is changed by UPDATE {other}, not by UPDATE {own}")
                }
                (false, _) => format!("{name} of {own} is changed by {form}, not by UPDATE"),
            });
            Err(match by.contains("{value}") {
                true => error.or_syntax(by.replace("{value}", value.of(text))),
                false => error,
            })
        }
        Some(Column { by: Some(by), .. }) => {
            let words = by
                .split(' ')
                .filter(|word| !word.contains('{') && !word.contains(":="));
            let verb = words.collect::<Vec<_>>().join(" ");
            let error = Diagnostic::new(format!(
                "{name} of {} is changed by {verb}, not by UPDATE",
                table.name
            ));
            // An op that leaves out the rows, the value or other columns would do something else
            // than was asked.
            Err(
                match alone
                    && by.contains("{rows}")
                    && by.contains("{value}")
                    && !is_null(value.of(text))
                {
                    true => error.or_try(by_op(by, value.of(text), &rows())),
                    false => error,
                },
            )
        }
        _ => {
            let names = table.writable();
            let known = match names.as_slice() {
                [] => "none of them can".to_owned(),
                names => format!("these can: {}", names.join(", ")),
            };
            // The domain's own table of the same rows.
            let other = table.columns.iter().find_map(|column| Some(column.via?.0));
            let other = tables.iter().find(|own| Some(&*own.name) == other);
            let known = match other {
                Some(other) => format!(
                    "{known}; the same rows are in {}, with {}",
                    other.name,
                    other.writable().join(", ")
                ),
                None => known,
            };
            // Rows are named by a column that can be written.
            let label = table.label().filter(|_| name.eq_ignore_ascii_case("ref"));
            let known = match label {
                Some(label) => format!("it follows from {label}; {known}"),
                None => known,
            };
            let error = Diagnostic::new(format!(
                "{name} of {} cannot be written; {known}",
                table.name
            ));
            Err(match label {
                Some(label) => error.or_try(renamed(text, name, label)),
                None => error,
            })
        }
    }
}

/// Whether a value is NULL, which a key of an op cannot be.
fn is_null(value: &str) -> bool {
    value.trim().eq_ignore_ascii_case("null")
}

/// The words of verbs that add rows.
pub(super) const ADDS: &[&str] = &["add", "insert", "new", "create"];

/// The words of verbs that remove rows.
pub(super) const REMOVES: &[&str] = &["remove", "delete", "clear"];

/// The error of a table whose rows cannot be added or deleted by SQL: the verbs that do it, or
/// those that change what the table shows.
pub(super) fn otherwise<M: Domain>(
    (registry, table): (&Registry<M>, &Table<M>),
    done: &str,
    acts: &[&str],
) -> Diagnostic {
    let message = format!("rows of {} cannot be {done}", table.name);
    match (
        table.verbs(registry, acts).as_slice(),
        table.changers().as_slice(),
    ) {
        ([], []) => Diagnostic::new(message),
        ([], verbs) => Diagnostic::new(format!(
            "{message}; what they show is changed by {}",
            verbs.join(", ")
        )),
        ([verb, ..], _) => {
            Diagnostic::new(format!("{message}; {} does it", verb.phrase)).or_syntax(verb.syntax())
        }
    }
}

/// The error of a `DELETE` of rows that are not rows of the model, with the kinds of these; the
/// repair of the statement, if it has other rows, leaves them out.
pub(super) fn undeletable<M: Domain>(
    table: &Table<M>,
    count: usize,
    mut kinds: Vec<String>,
    text: Option<&str>,
) -> Diagnostic {
    let message = format!("{} cannot be deleted", super::write::rows_of(table, count));
    kinds.sort();
    kinds.dedup();
    if kinds.is_empty() {
        return Diagnostic::new(message);
    }
    let message = format!("{message}: those with kind {}", kinds.join(", "));
    let Some(text) = text else {
        return Diagnostic::new(message);
    };
    let texts = kinds
        .iter()
        .map(|kind| format!("'{}'", kind.replace('\'', "''")));
    let others = match texts.collect::<Vec<_>>().as_slice() {
        [kind] => format!("kind<>{kind}"),
        kinds => format!("kind NOT IN ({})", kinds.join(", ")),
    };
    let whole = text.trim_end().trim_end_matches(';').trim_end();
    let fixed = match condition(text) {
        None => format!("{whole} WHERE {others}"),
        Some(own) => {
            let head = whole.strip_suffix(&*own).unwrap_or_default();
            let has_or = own.to_uppercase().contains(" OR ");
            let own = if has_or { format!("({own})") } else { own };
            format!("{head}{own} AND {others}")
        }
    };
    Diagnostic::new(message).or_try(fixed)
}

/// The op that changes the values shown in several columns, if one op changes them all.
pub(super) fn by_one_op<M: Domain>(
    table: &Table<M>,
    sets: &[(String, Span)],
    (text, rows): (&str, &dyn Fn() -> String),
) -> Option<String> {
    let rows = rows();
    // The words of the op, each without its value and as it is spelled.
    let mut words: Vec<(&str, String)> = Vec::new();
    for (name, value) in sets {
        let column = table.columns.get(table.column(name)?)?;
        let by = column.by.filter(|_| !column.is_writable())?;
        if is_write(by) || !by.contains("{rows}") || !by.contains("{value}") {
            return None;
        }
        // The other columns have their new values.
        let others = sets.iter().filter(|(other, _)| other != name);
        let others: HashMap<&str, &str> = others
            .map(|(other, value)| (&**other, value.of(text)))
            .collect();
        for (at, word) in by.split(' ').enumerate() {
            let head = word.split_once(":=").map_or(word, |(key, _)| key);
            let spelled = by_word(word, value.of(text), &rows, &others);
            let plain = |text: &str| text.replace(['(', ')'], "");
            match words.iter().find(|(own, _)| *own == head) {
                Some((_, own)) if plain(own) == plain(&spelled) => {}
                Some(_) => return None,
                // Another verb.
                None if at == 0 && !words.is_empty() => return None,
                None => words.push((head, spelled)),
            }
        }
    }
    let words = words.into_iter().map(|(_, word)| word);
    Some(words.collect::<Vec<_>>().join(" "))
}

/// The op that changes the value shown in a column.
fn by_op(op: &str, value: &str, rows: &str) -> String {
    let words = op
        .split(' ')
        .map(|word| by_word(word, value, rows, &HashMap::new()));
    words.collect::<Vec<_>>().join(" ")
}

/// The selector of the rows of a statement: by its condition if selectors reach all of them, else by
/// a question that names them.
pub(super) fn selector_of(table: &str, text: &str, is_reached: impl Fn(&str) -> bool) -> String {
    let condition = condition(text);
    let limit = condition.iter().map(|own| format!(" WHERE {own}"));
    let limit: String = limit.collect();
    match is_reached(&limit) {
        false => format!(
            "@where:{}",
            quoted(&format!("SELECT ref FROM {table}{limit}"))
        ),
        true => match condition {
            Some(condition) => format!("@where:{}", quoted(&condition)),
            None => "@where:1".to_owned(),
        },
    }
}

/// A word of an op with the rows and the value, and with those of other columns.
fn by_word(word: &str, value: &str, rows: &str, others: &HashMap<&str, &str>) -> String {
    let literal = match value
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
    {
        Some(text) if !text.contains('\'') => Some(text),
        _ => value.parse::<f64>().is_ok().then_some(value),
    };
    match (word.split_once(":="), literal) {
        // `value` is a word without a key, unless it is computed.
        (Some(("value", "{value}")), Some(literal)) => quote(literal).into_owned(),
        (Some((key, "{value}")), Some(literal)) => spell_param(key, literal),
        (Some((key, expr)), _) => {
            let expr = match others.is_empty() {
                true => expr.to_owned(),
                false => substituted(expr, others),
            };
            let expr = expr.replace("{value}", value);
            let odd = |c: char| c.is_whitespace() || matches!(c, '"' | '\\');
            match expr.contains(odd) || expr.starts_with('\'') {
                true => format!("{key}:={}", quoted(&expr)),
                false => format!("{key}:={expr}"),
            }
        }
        (None, _) => word.replace("{rows}", rows),
    }
}

/// The error that a computed number is negative where a number with a sign would be a difference.
pub(super) fn negative(params: &[Param], key: &str, cell: &Cell) -> Option<Diagnostic> {
    let is_negative = match cell {
        Cell::Integer(number) => *number < 0,
        Cell::Real(number) => *number < 0.0,
        Cell::Null | Cell::Text(_) => false,
    };
    let is_step = is_negative && spec_of(params, key).is_some_and(|spec| spec.steps);
    let word = cell.word().filter(|_| is_step)?;
    Some(Diagnostic::new(format!(
        "{key} cannot be {word}: a computed {key} is a value, not a difference"
    )))
}

/// The error of the question that a statement was turned into. The faulty word is found in the
/// statement by its text.
pub(super) fn statement_error(fault: &crate::sql::Fault, text: &str, sql: &str) -> Diagnostic {
    let error = Diagnostic::new(fault.message_for(text));
    match fault.fixed_word(sql) {
        Some((wrong, right)) => error.or_try(renamed(text, &wrong, &right)),
        None => error,
    }
}

/// The error of a value: for a bare value, with the statement that has the right value.
pub(super) fn value_error(
    error: Diagnostic,
    span: Option<Span>,
    (text, table): (&str, &str),
) -> Diagnostic {
    let diagnostic = Diagnostic::new(error.message);
    // A parameter of an op is not a value, and SQL cannot give it.
    if let Repair::Add(param) = &error.repair
        && is_param(param)
    {
        let op = span.and_then(|span| with_param(param, span, text, table));
        return match op {
            Some(op) => diagnostic.or_try(op),
            None => diagnostic,
        };
    }
    // The repair of an op that the statement stands for does not repair the statement.
    if let Repair::Try(op) = error.repair {
        return match is_write(&op) || op.starts_with(['?', '!']) {
            true => diagnostic.or_try(op),
            false => diagnostic,
        };
    }
    let (Repair::Add(fix), Some(span)) = (error.repair, span) else {
        return diagnostic;
    };
    let written = span.of(text);
    let is_number = written.parse::<f64>().is_ok();
    let is_text = written.starts_with('\'') && written.ends_with('\'') && written.len() > 1;
    let spelled = match fix.parse::<f64>() {
        Ok(_) if is_number => fix,
        _ => format!("'{}'", fix.replace('\'', "''")),
    };
    match is_number || is_text {
        true => diagnostic.or_try(span.replace(text, &spelled)),
        false => diagnostic,
    }
}

/// The error of a domain's function for a statement. An op of another verb does something else, so
/// it does not repair the statement, unless it names the row and the value of that.
pub(super) fn of_statement(error: Diagnostic, statement: &str) -> Diagnostic {
    let has_its_words = |op: &str| {
        let literals = literals(statement);
        let own = literals.iter().filter(|(_, own)| {
            let mut words = op.split_whitespace();
            words.any(|word| word == own)
        });
        own.count() > 1
    };
    let repair = match error.repair {
        Repair::Try(op) if is_write(&op) || op.starts_with(['?', '!']) || has_its_words(&op) => {
            Repair::Try(op)
        }
        Repair::Syntax(syntax) => Repair::Syntax(syntax),
        _ => Repair::None,
    };
    Diagnostic { repair, ..error }
}

/// Whether the words that repair an op are one parameter: `encoding:utf-8`.
pub(super) fn is_param(words: &str) -> bool {
    let key = words.split_once(':').map_or("", |(key, _)| key);
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase()) && !words.contains(' ')
}

/// The op `modify` that sets the value of an `UPDATE` of one column, with another parameter.
fn with_param(param: &str, value: Span, text: &str, table: &str) -> Option<String> {
    let before = text
        .get(..value.start)?
        .trim_end()
        .strip_suffix('=')?
        .trim_end();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let column = before.rsplit(|c: char| !is_part(c)).next()?;
    let is_first = before
        .strip_suffix(column)?
        .trim_end()
        .to_uppercase()
        .ends_with("SET");
    let rest = text.get(value.end..)?.trim_start();
    if !is_first || !(rest.is_empty() || rest.to_uppercase().starts_with("WHERE")) {
        return None;
    }
    let rows = match condition(text) {
        Some(condition) => format!("SELECT ref FROM {table} WHERE {condition}"),
        None => format!("SELECT ref FROM {table}"),
    };
    let rows = format!("@where:{}", quoted(&rows));
    let op = format!("modify {rows} {column}:={{value}} {param}");
    let expr = value.of(text);
    let set = spelled(column, expr);
    Some(op.replace(&format!("{column}:={{value}}"), &set))
}

/// The error of an aggregate, which makes one value of all rows; the repair computes it in a
/// question of its own.
pub(super) fn aggregated(
    op: &ParsedOp<'_>,
    (word, key, expr): (usize, &str, &str),
    table: &str,
) -> Option<Diagnostic> {
    let name = aggregate(expr)?;
    let message = format!("{name} makes one value of all rows; it needs a SELECT of its own");
    let span = op.words.get(word).map(OpWord::span).unwrap_or_default();
    let mut wheres = op
        .words
        .iter()
        .filter_map(|word| word.span().of(op.raw).strip_prefix("@where:"));
    let condition = wheres.next().map(|own| own.trim_matches('"'));
    let error = Diagnostic::new(message).at(span);
    Some(match condition.filter(|own| !is_question(own)) {
        Some(condition) if wheres.next().is_none() => {
            let fix = format!("(SELECT {expr} FROM {table} WHERE {condition})");
            error.or_try(span.replace(op.raw, &spelled(key, &fix)))
        }
        _ => error,
    })
}

/// The error of a number for a column of texts that may be in two units.
pub(super) fn no_text(unit: &Unit, word: &str, span: Span, text: &str) -> Diagnostic {
    let expr = span.of(text);
    let fixed = match expr == word {
        true => format!("'{word}'"),
        false => format!("'{}'||({expr})", unit.prefix),
    };
    Diagnostic::new(format!(
        "a number is written as a text here: '{word}', or '{}{word}'",
        unit.prefix
    ))
    .or_try(span.replace(text, &fixed))
}
