//! Transforms in styles, which the renderer reads as if they were in the attribute: without units,
//! and without the functions that only styles have.

use fcp::format::xml::replace_attr;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::transform::{Syntax, TransformList};

/// The elements with a transform that the renderer would not read, and their transforms as it
/// reads them.
pub fn unread(drawing: &Drawing) -> Vec<(NodeId, String)> {
    let nodes = &drawing.nodes;
    let says = |text: &str| text.to_ascii_lowercase().contains("transform");
    let in_style = |id: NodeId| nodes.attr(id, "style").is_some_and(|style| says(&style));
    let mut sheets = nodes.tree().index().styles().map(NodeId::new);
    let by_rule = sheets.any(|sheet| says(&nodes.text_of(sheet)));
    // Reading the style sheets takes steps.
    if !by_rule && !nodes.elements().any(in_style) {
        return Vec::new();
    }
    let geometry = drawing.geometry();
    let found = nodes.elements().filter_map(|id| {
        if !by_rule && !in_style(id) {
            return None;
        }
        let list = geometry.transforms(id);
        let is_read = list.syntax() == Syntax::Attribute
            || TransformList::checked(list.text(), Syntax::Attribute).is_ok();
        let new = list
            .as_attribute()
            .filter(|new| !is_read && !new.is_empty())?;
        Some((id, new))
    });
    found.collect()
}

/// Writes such transforms over all others in a copy that is drawn.
///
/// # Errors
/// If an element does not exist.
pub fn write(copy: &mut Drawing, transforms: Vec<(NodeId, String)>) -> Result<()> {
    for (id, text) in transforms {
        let rest = copy.nodes.attr(id, "style").unwrap_or_default();
        let style = format!("transform:{text}!important;{rest}");
        replace_attr(copy.nodes.tree_mut(), id, "style", &style)?;
    }
    Ok(())
}
