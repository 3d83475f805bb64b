//! Formats by their names and extensions.

use super::words::Given;
use crate::diag::{Diagnostic, Result};
use crate::domain::{Domain, Format};
use crate::op::ParsedOp;
use crate::session::batch::shown;
use crate::value::nearest_word;

/// The format of a path's extension.
pub(in crate::session) fn format_of<M: Domain>(path: &str) -> Option<&'static str> {
    let name = path.rsplit(['/', '\\']).next()?.to_lowercase();
    let ends = |extension: &&str| name.ends_with(&format!(".{extension}"));
    M::FORMATS
        .iter()
        .find(|format| format.extensions.iter().any(ends))
        .map(|format| format.name)
}

/// The format of a name.
///
/// # Errors
/// There is no such format.
pub(super) fn named<M: Domain>(given: &Given<'_>, action: &ParsedOp<'_>) -> Result<&'static str> {
    let name: &str = &given.text;
    let of = |format: &&Format| {
        format.name.eq_ignore_ascii_case(name) || format.extensions.contains(&name)
    };
    if let Some(format) = M::FORMATS.iter().find(of) {
        return Ok(format.name);
    }
    let names: Vec<&str> = M::FORMATS.iter().map(|format| format.name).collect();
    let message = format!("no format {}; there are {}", shown(name), names.join(", "));
    let near = nearest_word(name, names.iter().copied());
    let error = Diagnostic::new(message);
    Err(match near {
        Some(near) => error.or_try(given.replaced(action, near)),
        None => error,
    })
}

/// The format of a path's extension.
///
/// # Errors
/// The extension is unknown or missing.
pub(super) fn by_extension<M: Domain>(
    given: &Given<'_>,
    action: &ParsedOp<'_>,
) -> Result<&'static str> {
    let path: &str = &given.text;
    if let Some(format) = format_of::<M>(path) {
        return Ok(format);
    }
    let known: Vec<String> = M::FORMATS
        .iter()
        .flat_map(|format| format.extensions)
        .map(|extension| format!(".{extension}"))
        .collect();
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name
        .rsplit_once('.')
        .map_or(path.len(), |(_, ext)| path.len() - ext.len() - 1);
    let fixed = path.get(..stem).unwrap_or(path);
    let extension = M::FORMATS
        .first()
        .and_then(|format| format.extensions.first())
        .unwrap_or(&"out");
    Err(Diagnostic::new(format!(
        "{} ends like none of the formats here ({})",
        shown(path),
        known.join(", ")
    ))
    .or_try(given.replaced(action, &format!("{fixed}.{extension}"))))
}
