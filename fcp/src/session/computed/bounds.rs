//! Values of an `UPDATE` that do not fit their column, and the statements that were meant.

use crate::diag::{Diagnostic, Repair, Span};
use crate::domain::Domain;
use crate::op::{ParsedOp, parse};
use crate::sql::{Column, Source, Table};
use crate::value::SqlType;

/// The error of a text for a column of numbers. It may be the form of another column: a place as
/// ops take it.
pub(super) fn of_text<M: Domain>(
    table: &Table<M>,
    (name, value): (&str, Span),
    text: &str,
    error: &Diagnostic,
) -> Option<Diagnostic> {
    let literal = value.of(text);
    if !literal.starts_with('\'') || literal.trim_matches('\'').parse::<i64>().is_ok() {
        return None;
    }
    let at = text.get(..value.start)?.rfind(name)?;
    let column = Span::new(at, at + name.len());
    let error = Diagnostic::new(error.message.clone());
    // A rounded number is not what the text says.
    let other = as_text(table, name);
    Some(error.maybe_try(other.map(|other| column.replace(text, other))))
}

/// The error of a column that cannot be empty, with the form of its values.
pub(super) fn no_null(name: &str, doc: &str) -> Diagnostic {
    let form = doc.split("; NULL").next().unwrap_or(doc);
    let form = form.trim_end_matches('.');
    Diagnostic::new(format!("{name} cannot be NULL: {form}"))
}

/// The statement with a computed value held to the bound that some of its `values` are beyond.
pub(super) fn held(
    value: Span,
    text: &str,
    error: &Diagnostic,
    mut values: impl Iterator<Item = f64>,
) -> Option<String> {
    let Repair::Add(fix) = &error.repair else {
        return None;
    };
    let bound: f64 = fix.parse().ok()?;
    let expr = value.of(text);
    let is_literal = expr.parse::<f64>().is_ok() || expr.starts_with('\'');
    let is = |word: &str| error.message.contains(word) && !is_literal;
    let function = if is(" above ") && values.any(|value| value > bound) {
        "min"
    } else if is(" below ") && values.any(|value| value < bound) {
        "max"
    } else {
        return None;
    };
    Some(value.replace(text, &format!("{function}({expr}, {fix})")))
}

/// The column whose value a repaired op changes, and the value; the op sets those in `set`.
pub(super) fn fixed_column<'c>(
    op: &ParsedOp<'_>,
    mended: &str,
    (columns, set): (&[&'c Column], &[&str]),
) -> Option<(&'c str, String)> {
    let mended = parse(mended).ok()?;
    let columns = columns.iter().filter(|column| set.contains(&&*column.name));
    let mut fixed = columns.filter_map(|column| {
        let value = mended.param(column.key?)?.value.to_string();
        let is_other = set.len() == 1 || op.param(column.key?)?.value != value;
        is_other.then_some((&*column.name, value))
    });
    fixed.next().filter(|_| fixed.next().is_none())
}

/// The column of a table with the same content as a column of numbers, as texts.
fn as_text<'t, M: Domain>(table: &'t Table<M>, name: &str) -> Option<&'t str> {
    if let Some((ticks, place, _)) = M::POSITION
        && ticks == name
    {
        return Some(place);
    }
    let Source::Own(def) = table.source else {
        return None;
    };
    let mut groups = def.one_of.split(' ');
    let group = groups.find(|group| group.split('|').any(|own| own == name))?;
    group.split('|').find(|own| {
        let column = table.named(own);
        column.is_some_and(|column| column.sql == SqlType::Text && column.is_writable())
    })
}

/// An error of a value that names its column.
pub(super) fn about(column: &str, error: Diagnostic) -> Diagnostic {
    let sign = error.message.strip_prefix('-').unwrap_or(&error.message);
    let is_value = sign.starts_with(|c: char| c.is_ascii_digit());
    match is_value && !error.message.contains(column) {
        true => Diagnostic {
            message: format!("{column}:{}", error.message),
            ..error
        },
        false => error,
    }
}
