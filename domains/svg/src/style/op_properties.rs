//! Properties in ops.

use std::borrow::Cow;

use fcp::diag::Span;
use fcp::model::Level;
use fcp::prelude::*;
use fcp::value::{FcpValue, Length, LengthUnit, nearest_word};

use crate::model::{NodeId, Nodes};
use crate::property::{self, Property, ValueKind};
use crate::syntax::href::url_id;
use crate::syntax::paint::Paint;

/// The properties in an op's keys, with their values as files spell them.
///
/// # Errors
/// If a name is not a property, a value is invalid, or a referenced element does not exist or is of
/// another kind.
pub fn given(nodes: &Nodes, verb: &str, keys: &Keys) -> Result<Vec<(&'static Property, String)>> {
    let mut all: Vec<(&'static Property, String)> = Vec::new();
    for keyed in keys.iter() {
        let arg = keyed.arg();
        let property = property::find(keyed.key()).map_err(|error| {
            let message = format!("{verb}: {}", error.about(keyed.key()));
            let span = Span::new(arg.whole.start, arg.whole.start + keyed.key().len());
            let wrong = Diagnostic::new(message).at(span);
            match &error.fix {
                Some(near) => wrong.or_try(span.replace(arg.op, near)),
                None => wrong,
            }
        })?;
        if all.iter().any(|(other, _)| *other == property) {
            let span = Span::new(
                arg.op
                    .get(..arg.whole.start)
                    .map_or(0, |before| before.trim_end().len()),
                arg.whole.end,
            );
            let wrong = Diagnostic::new(format!("{} is given twice", property.name)).at(arg.whole);
            return Err(wrong.or_try(span.replace(arg.op, "")));
        }
        no_step(keyed)?;
        no_size(keyed, property)?;
        let value = value(nodes, property, keyed.value()).map_err(|error| keyed.wrong(error))?;
        all.push((property, value));
    }
    if all.is_empty() {
        bail!("{verb} needs a property"; add: "fill:black")
    }
    Ok(all)
}

/// Refuses a size as the family of a font.
///
/// # Errors
/// The value is one.
pub fn no_size(keyed: &Keyed, property: &Property) -> Result<()> {
    if property.name != "font-family" || Length::parse(keyed.value()).is_err() {
        return Ok(());
    }
    let arg = keyed.arg();
    let (key, size) = (keyed.key(), fcp::op::spell_param("size", keyed.value()));
    let wrong = Diagnostic::new(format!(
        "{key}: takes a family; {} is a size",
        keyed.value()
    ));
    Err(wrong.at(arg.whole).or_try(arg.whole.replace(arg.op, &size)))
}

/// Refuses a number with a plus: it would be taken for a step.
///
/// # Errors
/// The value is such a number.
pub fn no_step(keyed: &Keyed) -> Result<()> {
    let (key, value) = (keyed.key(), keyed.value());
    let number = value.strip_prefix('+').unwrap_or_default();
    if !number.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return Ok(());
    }
    Err(keyed.wrong(ValueError::sentence(format!(
        "{key}: takes a value, and {value} is a step; {key}:=EXPR computes one from columns"
    ))))
}

/// A value as files spell it.
///
/// # Errors
/// If the property does not accept it, or a referenced element does not exist or is of another
/// kind.
pub fn value(nodes: &Nodes, property: &Property, text: &str) -> Result<String, ValueError> {
    let written = property.check(text)?;
    match property.takes {
        ValueKind::Paint => match Paint::parse(text) {
            Ok(Paint::Gradient(id)) => refers(nodes, &id, &["gradient"], "gradient:")?,
            Ok(Paint::Pattern(id)) => refers(nodes, &id, &["pattern"], "pattern:")?,
            Ok(Paint::Url { id, .. }) => refers(nodes, &id, &["gradient", "pattern"], "")?,
            _ => {}
        },
        ValueKind::Reference | ValueKind::Filter => {
            let kind = match property.name {
                "clip-path" => "clip",
                "mask" => "mask",
                "filter" => "filter",
                _ => "marker",
            };
            if let Some(id) = url_id(&written) {
                refers(nodes, id, &[kind], "")?;
            }
        }
        _ => {}
    }
    Ok(written)
}

/// A value as style sheets and `style=` spell it: a length has a unit there, where only the width and
/// the offset of strokes may be numbers.
pub(super) fn in_css<'v>(property: &Property, value: &'v str) -> Cow<'v, str> {
    let is_length = matches!(property.takes, ValueKind::Size(_) | ValueKind::LengthOr(_));
    let length = Length::parse(value).ok().filter(|_| is_length);
    match length {
        Some(length)
            if property.name != "stroke-width"
                && length.unit() == LengthUnit::User
                && length.number() != 0.0 =>
        {
            format!("{value}px").into()
        }
        _ => value.into(),
    }
}

/// Checks that an id belongs to a definition of one of these kinds.
fn refers(nodes: &Nodes, id: &str, kinds: &[&str], prefix: &str) -> Result<(), ValueError> {
    let is_kind = |id: &NodeId| kinds.contains(&nodes.kind_name(*id));
    let found = nodes.tree().index().with_id(id, Level::Exact);
    let found: Vec<NodeId> = found.into_iter().map(NodeId::new).collect();
    if found.iter().any(is_kind) {
        return Ok(());
    }
    let kind = kinds.first().copied().unwrap_or_default();
    let names: Vec<_> = nodes
        .elements()
        .filter(is_kind)
        .filter_map(|id| nodes.attr(id, "id"))
        .collect();
    let near = nearest_word(id, names.iter().map(AsRef::as_ref)).filter(|_| found.is_empty());
    let near = near.map(|near| {
        if prefix.is_empty() {
            format!("url(#{near})")
        } else {
            format!("{prefix}{near}")
        }
    });
    let error = match found.first() {
        Some(other) => ValueError::sentence(format!(
            "{id} is a {}, not a {kind}",
            nodes.kind_name(*other)
        )),
        None => ValueError::sentence(format!("no {kind} \"{id}\"")).lacking(id),
    };
    Err(error.maybe_fix(near))
}
