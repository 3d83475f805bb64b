//! Properties of drawn objects.

use fcp::prelude::*;

use crate::model::Nodes;
use crate::property::{self, Property};
use crate::style;

/// The properties in keys, with their values as files spell them. `what` is the kind of element:
/// `circle`.
///
/// # Errors
/// If a key is neither a property nor one of the element's `other` keys, a value is invalid, or a
/// property is given twice.
pub fn properties<'k>(
    nodes: &Nodes,
    what: &str,
    keys: impl Iterator<Item = &'k Keyed>,
    other: &[&str],
) -> Result<Vec<(&'static Property, String)>> {
    let mut all: Vec<(&'static Property, String)> = Vec::new();
    for keyed in keys {
        // Property names ignore case, but a wrong-case key of the element itself is not a property.
        let own = |other: &&&str| other.eq_ignore_ascii_case(keyed.key());
        let found = property::find(keyed.key()).ok();
        let Some(property) = found.filter(|_| other.iter().find(own).is_none()) else {
            if keyed.key().starts_with("data-") || keyed.key().starts_with("aria-") {
                return Err(keyed.of_verb(what, "set"));
            }
            let names = property::all().iter().map(|property| property.name);
            return Err(keyed.unknown(what, other.iter().copied().chain(names)));
        };
        if all.iter().any(|(known, _)| *known == property) {
            bail!("{} is given twice", property.name);
        }
        style::no_step(keyed)?;
        style::no_size(keyed, property)?;
        let value = style::value(nodes, property, keyed.value());
        all.push((property, value.map_err(|error| keyed.wrong(error))?));
    }
    Ok(all)
}
