//! The properties of what is drawn.

use fcp::prelude::*;

use crate::model::Nodes;
use crate::property::{self, Property};
use crate::style;

/// The properties that keys name, and their values as files have them. `what` is what has them: `circle`.
///
/// # Errors
/// A key is no property, nor one of `other` keys that such an element has; a value is none; one is given twice.
pub fn properties<'k>(
    nodes: &Nodes,
    what: &str,
    keys: impl Iterator<Item = &'k Keyed>,
    other: &[&str],
) -> Result<Vec<(&'static Property, String)>> {
    let mut all: Vec<(&'static Property, String)> = Vec::new();
    for keyed in keys {
        // Properties are named in any case; a key of the element's own that is in another is not taken for one of them.
        let own = |other: &&&str| other.eq_ignore_ascii_case(keyed.key());
        let found = property::find(keyed.key()).ok();
        let Some(property) = found.filter(|_| other.iter().find(own).is_none()) else {
            let names = property::all().iter().map(|property| property.name);
            return Err(keyed.unknown(what, other.iter().copied().chain(names)));
        };
        if all.iter().any(|(known, _)| *known == property) {
            bail!("{} is given twice", property.name);
        }
        let value = style::value(nodes, property, keyed.value());
        all.push((property, value.map_err(|error| keyed.wrong(error))?));
    }
    Ok(all)
}
