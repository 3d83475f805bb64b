//! Attributes that ops do not write by name, and those that a misspelt name means.

use fcp::prelude::*;
use fcp::value::nearest_word;

use crate::model::{Drawing, NodeId};

/// Checks that an attribute may be written or removed by its name; `element` is the element's name
/// in the op.
///
/// # Errors
/// If it is an id, or binds a prefix.
pub(crate) fn refused(name: &str, element: &str) -> Result<()> {
    if name == "id" {
        bail!("ids are given by rename, which follows every use"; try: "rename {element} {element}-2")
    }
    if name == "xmlns" || name.starts_with("xmlns:") {
        bail!("{name} binds a prefix, which no op does"; try: "set {element} data-k v")
    }
    Ok(())
}

/// The attribute of the elements that a misspelt name means.
pub(crate) fn attribute_like(drawing: &Drawing, ids: &[NodeId], name: &str) -> Option<String> {
    let elements = ids.iter().filter_map(|id| drawing.nodes.element(*id));
    let written = elements.flat_map(|element| element.values().map(|(name, _)| name));
    nearest_word(name, written).map(str::to_owned)
}
