//! Rows selected by a word in the format's own language, such as CSS.

use super::name_errors::ambiguous;
use super::resolve::found;
use super::{Arg, Scope};
use crate::domain::Domain;
use crate::model::{Level, ModelExt, Row};
use crate::value::ValueError;

/// The rows that a text selects in the format's own language. Names of rows come first: for a
/// quoted text only if the whole text is a name, for a bare one even a similar name.
pub(super) fn selected<M: Domain>(
    scope: &Scope<'_, M>,
    arg: &Arg<'_>,
    parts: &[usize],
) -> Option<Result<Vec<Row>, ValueError>> {
    let whole = whole(arg);
    let is_called = |name: &str| {
        let mut tables = parts.iter().filter_map(|part| scope.model.rows(*part));
        tables.any(|rows| {
            let mut levels = Level::WHOLE.into_iter();
            levels.any(|level| !rows.labelled(name, level).is_empty())
        })
    };
    if match arg.quoted {
        true => is_called(&whole),
        false => matches!(found(scope, arg, parts), Ok(Some(_))),
    } {
        return None;
    }
    // Each part of a list means what it means alone.
    let is_list = whole.contains(',') && !whole.contains(['(', '[', '"', '\'']);
    if is_list && whole.split(',').any(|name| is_called(name.trim())) {
        return None;
    }
    native(scope, &whole, parts)
}

/// The text of a word, with the kind that was split from it.
fn whole(arg: &Arg<'_>) -> String {
    match arg.kind {
        Some(kind) => format!("{kind}:{}", arg.text),
        None => arg.text.to_owned(),
    }
}

/// The rows of some tables that a text selects in the format's own language.
fn native<M: Domain>(
    scope: &Scope<'_, M>,
    text: &str,
    parts: &[usize],
) -> Option<Result<Vec<Row>, ValueError>> {
    let selected = scope.model.select_native(text)?;
    Some(selected.map(|mut rows| {
        rows.retain(|row| parts.contains(&row.part()));
        rows
    }))
}

/// The only row that a text selects in the format's own language, if no row has it as its name and `unknown` is that
/// error. `None` if `unknown` explains more than the failure of the selector.
pub(super) fn sole<M: Domain>(
    scope: &Scope<'_, M>,
    arg: &Arg<'_>,
    parts: &[usize],
    unknown: &ValueError,
) -> Option<Result<Row, ValueError>> {
    let text = whole(arg);
    match native(scope, &text, parts)? {
        Ok(rows) => match rows.as_slice() {
            [] => None,
            [row] => Some(Ok(*row)),
            several => Some(Err(ambiguous(scope.model, &text, several))),
        },
        Err(error) => {
            let is_selector = text.starts_with(['.', '[']) || arg.quoted && unknown.fix.is_none();
            is_selector.then_some(Err(error))
        }
    }
}
