//! Errors of statements that write, with the corrected statement.

use std::borrow::Cow;
use std::collections::HashMap;

use super::values::{Computed, spec_of, spelled};
use crate::diag::{Diagnostic, Repair, Result, Span};
use crate::domain::Domain;
use crate::op::{ParsedOp, quote, quoted, spell_param};
use crate::sql::write_statement::{Act, condition, is_question, is_write, read};
use crate::sql::{
    Column, Table, aggregate, as_literal, hint, literals, look, nearest_column, renamed,
    substituted,
};
use crate::value::{Cell, Unit};
use crate::verb::{Param, Registry};

pub(super) fn no_column<M: Domain>(table: &Table<M>, name: &str, text: &str) -> Diagnostic {
    let message = format!("{} has no column {name}", table.name);
    // A name with an op of its own is not a misspelling.
    let is_known = table.is_entity && M::column_op(name).is_some();
    let error = match nearest_column(name, table.columns.iter()).filter(|_| !is_known) {
        Some(near) => Diagnostic::new(message).or_try(renamed(text, name, near)),
        None => Diagnostic::new(format!("{message}: {}{}", table.outline(), hint::<M>())),
    };
    error.looking(Some(look(&[table])))
}

/// The column of this name, if it can be written. `alone` says whether the statement sets no other.
pub(super) fn writable<'t, M: Domain>(
    (tables, table): (&'t [Table<M>], &'t Table<M>),
    name: &str,
    (value, alone, rows): (Span, bool, &dyn Fn() -> String),
    text: &str,
) -> Result<&'t Column> {
    let own = &table.name;
    let value = &*table.or_text(value.of(text));
    // An op that leaves out the rows, the value or other columns would do something else than was
    // asked.
    let by_op = |op: &str| by_op(&[(op, name, value.into())], &rows());
    let is_one = alone && !value.trim().eq_ignore_ascii_case("null");
    Err(match table.named(name) {
        Some(column) if column.is_writable() => return Ok(column),
        None if !name.eq_ignore_ascii_case("ref") => {
            let op = M::column_op(name).filter(|_| is_one && table.is_entity);
            no_column(table, name, text).maybe_try(op.and_then(|op| by_op(&op)))
        }
        Some(Column { by: Some(by), .. }) if is_write(by) => {
            let other = by.split(' ').nth(1).unwrap_or_default();
            // `INSERT INTO notes and remove`, or `UPDATE notes SET tick={value}`.
            let form = by.split(['=', '{']).next().unwrap_or_default();
            let by_what = match form.starts_with("UPDATE ") {
                true if other == own => form.to_owned(),
                true => format!("UPDATE {other}, not by UPDATE {own}"),
                false => format!("{form}, not by UPDATE"),
            };
            let error = Diagnostic::new(format!("{name} of {own} is changed by {by_what}"));
            match by.contains("{value}") {
                true => error.or_syntax(by.replace("{value}", value)),
                false => error,
            }
        }
        Some(Column { by: Some(by), .. }) => {
            let words = by.split(' ');
            let words = words.filter(|word| !word.contains('{') && !word.contains(":="));
            let verb = words.collect::<Vec<_>>().join(" ");
            let message = format!("{name} of {own} is changed by {verb}, not by UPDATE");
            let is_whole = is_one && by.contains("{rows}") && by.contains("{value}");
            Diagnostic::new(message).maybe_try(by_op(by).filter(|_| is_whole))
        }
        _ => {
            let mut known = match table.writable().as_slice() {
                [] => "none of them can".to_owned(),
                names => format!("these can: {}", names.join(", ")),
            };
            // The domain's own table of the same rows.
            let other = table.columns.iter().find_map(|column| Some(column.via?.0));
            if let Some(other) = tables.iter().find(|own| Some(&*own.name) == other) {
                let (name, names) = (&other.name, other.writable().join(", "));
                known.push_str(&format!("; the same rows are in {name}, with {names}"));
            }
            // Rows are named by a column that can be written.
            let label = table.label().filter(|_| name.eq_ignore_ascii_case("ref"));
            let from = label.map_or(String::new(), |label| format!("it follows from {label}; "));
            let error =
                Diagnostic::new(format!("{name} of {own} cannot be written; {from}{known}"));
            error.maybe_try(label.map(|label| renamed(text, name, label)))
        }
    })
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
    if let [verb, ..] = table.verbs(registry, acts).as_slice() {
        let message = format!("{message}; {} does it", verb.phrase);
        return Diagnostic::new(message).or_syntax(verb.syntax());
    }
    Diagnostic::new(match table.changers().as_slice() {
        [] => message,
        verbs => format!(
            "{message}; what they show is changed by {}",
            verbs.join(", ")
        ),
    })
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
    let error = Diagnostic::new(format!("{message}: those with kind {}", kinds.join(", ")));
    error.maybe_try(text.map(|text| {
        let texts: Vec<String> = kinds.iter().map(|kind| as_literal(kind)).collect();
        let others = format!("kind NOT IN ({})", texts.join(", "));
        let whole = text.trim_end().trim_end_matches(';').trim_end();
        let Some(own) = condition(text) else {
            return format!("{whole} WHERE {others}");
        };
        let head = whole.strip_suffix(&*own).unwrap_or_default();
        format!("{head}({own}) AND {others}")
    }))
}

/// The op that changes the values shown in several columns, if one op changes them all.
pub(super) fn by_one_op<M: Domain>(
    table: &Table<M>,
    sets: &[(String, Span)],
    (text, rows): (&str, &dyn Fn() -> String),
) -> Option<String> {
    let by = sets.iter().map(|(name, value)| {
        let column = table.named(name)?;
        let by = column.by.filter(|_| !column.is_writable())?;
        let is_whole = !is_write(by) && by.contains("{rows}") && by.contains("{value}");
        is_whole.then(|| (by, &**name, table.or_text(value.of(text))))
    });
    by_op(&by.collect::<Option<Vec<_>>>()?, &rows())
}

/// The op that sets columns to values, each by an op of its own, if these are one.
fn by_op(sets: &[(&str, &str, Cow<'_, str>)], rows: &str) -> Option<String> {
    // The words of the op, each without its value and as it is spelled.
    let mut words: Vec<(&str, String)> = Vec::new();
    for (by, name, value) in sets {
        // The other columns have their new values.
        let others = sets.iter().filter(|(_, other, _)| other != name);
        let others: HashMap<&str, &str> =
            others.map(|(_, other, value)| (*other, &**value)).collect();
        for (at, word) in by.split(' ').enumerate() {
            let head = word.split_once(":=").map_or(word, |(key, _)| key);
            let spelled = by_word(word, value, rows, &others);
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
    let words: Vec<String> = words.into_iter().map(|(_, word)| word).collect();
    Some(words.join(" "))
}

/// The selector of the rows of a statement: by its condition if selectors reach all of them, else by
/// a question that names them.
pub(super) fn selector_of(table: &str, text: &str, is_reached: impl Fn(&str) -> bool) -> String {
    let condition = condition(text);
    let limit = condition.iter().map(|own| format!(" WHERE {own}"));
    let limit: String = limit.collect();
    let chosen = match condition.filter(|_| is_reached(&limit)) {
        Some(condition) => condition,
        None => format!("SELECT ref FROM {table}{limit}"),
    };
    format!("@where:{}", quoted(&chosen))
}

/// A word of an op with the rows and the value, and with those of other columns.
fn by_word(word: &str, value: &str, rows: &str, others: &HashMap<&str, &str>) -> String {
    let text = value
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''));
    let text = text.filter(|text| !text.contains('\''));
    let literal = text.or_else(|| value.parse::<f64>().is_ok().then_some(value));
    match (word.split_once(":="), literal) {
        // `value` is a word without a key, unless it is computed.
        (Some(("value", "{value}")), Some(literal)) => quote(literal).into_owned(),
        (Some((key, "{value}")), Some(literal)) => spell_param(key, literal),
        (Some((key, expr)), _) => {
            let expr = substituted(expr, others);
            let expr = expr.replace("{value}", value);
            spelled(key, &expr)
        }
        (None, _) => word.replace("{rows}", rows),
    }
}

/// The error that a computed number is negative where a number with a sign would be a difference.
pub(super) fn negative(params: &[Param], key: &str, cell: &Cell) -> Option<Diagnostic> {
    let is_negative = cell.number().is_some_and(|number| number < 0.0);
    let is_step = is_negative && spec_of(params, key).is_some_and(|spec| spec.steps);
    let word = cell.word().filter(|_| is_step)?;
    Some(Diagnostic::new(format!(
        "{key} cannot be {word}: a computed {key} is a value, not a difference"
    )))
}

/// The error of the question that a statement was turned into. The faulty word is found in the
/// statement by its text.
pub(super) fn statement_error(fault: &crate::sql::Fault, text: &str, sql: &str) -> Diagnostic {
    let fixed = fault.fixed_word(sql);
    let fixed = fixed.map(|(wrong, right)| renamed(text, &wrong, &right));
    let error = Diagnostic::new(fault.message_for(text)).looking(fault.look.clone());
    error.maybe_try(fixed)
}

/// The error of a value: for a bare value, with the statement that has the right value.
pub(super) fn value_error(
    error: Diagnostic,
    span: Option<Span>,
    (text, table): (&str, &str),
) -> Diagnostic {
    let fixed = match (error.repair, span) {
        // A parameter of an op is not a value, and SQL cannot give it.
        (Repair::Add(param), span) if is_param(&param) => {
            span.and_then(|span| with_param(&param, span, text, table))
        }
        // An op that makes what is missing does not repair the statement, but comes first.
        (Repair::Try(op), _) => Some(op).filter(|op| error.missing.is_some() || is_sent(op)),
        (Repair::Add(fix), Some(span)) => {
            let written = span.of(text);
            let is_number = written.parse::<f64>().is_ok();
            let is_text = written.starts_with('\'') && written.ends_with('\'') && written.len() > 1;
            let is_bare = is_number && fix.parse::<f64>().is_ok();
            let spelled = if is_bare { fix } else { as_literal(&fix) };
            (is_number || is_text).then(|| span.replace(text, &spelled))
        }
        _ => None,
    };
    Diagnostic::new(error.message).maybe_try(fixed)
}

/// Whether a repair is not of an op that a statement stands for: that would not repair the
/// statement.
fn is_sent(op: &str) -> bool {
    is_write(op) || op.starts_with(['?', '!'])
}

/// The error of a domain's function for a statement. An op of another verb does something else, so
/// it does not repair the statement, unless it names the row and the value of that.
pub(super) fn of_statement(error: Diagnostic, statement: &str) -> Diagnostic {
    let has_its_words = |op: &str| {
        let is_word = |own: &str| op.split_whitespace().any(|word| word == own);
        let literals = literals(statement).into_iter();
        literals.filter(|(_, own)| is_word(own)).count() > 1
    };
    let repair = match error.repair {
        Repair::Try(op) if is_sent(&op) || has_its_words(&op) => Repair::Try(op),
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
    let Act::Update(sets) = read(text).ok()?.act else {
        return None;
    };
    let rest = text.get(value.end..)?.trim_start().to_uppercase();
    if !rest.is_empty() && !rest.starts_with("WHERE") {
        return None;
    }
    let [(column, _)] = sets.as_slice() else {
        return None;
    };
    let limit = condition(text).map_or(String::new(), |own| format!(" WHERE {own}"));
    let rows = quoted(&format!("SELECT ref FROM {table}{limit}"));
    let set = spelled(column, value.of(text));
    Some(format!("modify @where:{rows} {set} {param}"))
}

/// The error of an aggregate, which makes one value of all rows; the repair computes it in a
/// question of its own.
pub(super) fn aggregated(op: &ParsedOp<'_>, own: &Computed<'_>, table: &str) -> Option<Diagnostic> {
    let ((message, _), expr) = (aggregate(own.expr)?, own.expr);
    let words = op.words.iter().map(|word| word.span().of(op.raw));
    let mut wheres = words.filter_map(|word| word.strip_prefix("@where:"));
    let condition = wheres.next().map(|own| own.trim_matches('"'));
    let condition = condition.filter(|own| !is_question(own) && wheres.next().is_none());
    let fixed = condition.map(|condition| {
        let fix = format!("(SELECT {expr} FROM {table} WHERE {condition})");
        own.replaced(op, &fix)
    });
    Some(Diagnostic::new(message).at(own.span).maybe_try(fixed))
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
