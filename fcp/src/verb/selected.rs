//! Rows selected by a word in the format's own language, such as CSS.

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
    let whole = match arg.kind {
        Some(kind) => format!("{kind}:{}", arg.text),
        None => arg.text.to_owned(),
    };
    let is_called = |name: &str| {
        let mut tables = parts.iter().filter_map(|part| scope.model.rows(*part));
        tables.any(|rows| {
            let mut levels = Level::WHOLE.into_iter();
            levels.any(|level| !rows.labelled(name, level).is_empty())
        })
    };
    if match arg.quoted {
        true => is_called(&whole) || whole.split(',').all(|name| is_called(name.trim())),
        false => matches!(found(scope, arg, parts), Ok(Some(_))),
    } {
        return None;
    }
    let selected = scope.model.select_native(&whole)?;
    Some(selected.map(|mut rows| {
        rows.retain(|row| parts.contains(&row.part()));
        rows
    }))
}
