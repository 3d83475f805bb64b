//! Names with their kind: `KIND:NAME`.

use super::arg::Arg;
use super::resolve::sure_name;
use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::op::quote_value;

/// `KIND:NAME` with the name quoted if necessary; `None` for any other text.
pub(crate) fn qualified<M: Domain>(text: &str) -> Option<String> {
    let (kind, name) = text.split_once(':')?;
    M::kind(kind)?;
    Some(format!("{kind}:{}", quote_value(name)))
}

/// The kind and the name of `KIND:NAME`, whether or not the parser split it.
pub(super) fn qualifier<'a, M: Domain>(arg: &Arg<'a>) -> (Option<&'a str>, &'a str) {
    if let Some(kind) = arg.kind.filter(|kind| M::QUALIFIED.contains(kind)) {
        // A `ref` has its kind already.
        let named = arg.text.strip_prefix(kind);
        let named = named.and_then(|rest| rest.strip_prefix(':'));
        return (Some(kind), named.unwrap_or(arg.text));
    }
    if arg.kind.is_some() || arg.quoted {
        return (arg.kind, arg.text);
    }
    match arg.text.split_once(':') {
        Some((kind, name)) if M::kind(kind).is_some() => (Some(kind), name),
        _ => (None, arg.text),
    }
}

/// The `ref` of a row in tables: the name of this row and no other, whatever op takes it.
pub(crate) fn ref_name<M: Domain>(model: &M, row: Row) -> String {
    let (name, kind) = (sure_name(model, row), model.kind_of(row));
    let is_bare = !name.starts_with('#') && !name.contains(':');
    match is_bare && M::QUALIFIED.contains(&kind) {
        true => format!("{kind}:{name}"),
        false => name,
    }
}
