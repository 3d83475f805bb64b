//! `raw`

use fcp::format::xml::{Limits, insert_raw};
use fcp::prelude::*;

use crate::model::Drawing;

/// Insert a piece of SVG at the end of the drawing, byte for byte.
///
/// ```fcp
/// raw '<rect id="card" width="40" height="20"/>'
/// > + rect card
/// raw '<g>'
/// > ! line 1 column 1: <g> is never closed
/// >   syntax: raw XML
/// ```
#[fcp_verb(category = "Draw")]
pub fn raw(
    drawing: &mut Drawing,
    /// Well-formed XML.
    #[fcp(positional)]
    xml: Text,
) -> Result<Reply> {
    let Some(root) = drawing.nodes.root() else {
        bail!("there is no drawing"; try: "! new")
    };
    let tree = drawing.nodes.tree_mut();
    let made = insert_raw(tree, xml.as_str(), root, None, &Limits::default())?;
    let elements = made
        .into_iter()
        .filter(|id| drawing.nodes.element(*id).is_some());
    let names = elements.map(|id| {
        let (kind, name) = (drawing.nodes.kind_name(id), drawing.nodes.name(id));
        format!("{kind} {name}")
    });
    Ok(created!("{}", names.collect::<Vec<_>>().join(", ")))
}
