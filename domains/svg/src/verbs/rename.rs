//! `rename`

use fcp::prelude::*;

use crate::id::ElementId;
use crate::model::{Drawing, NodeId};
use crate::renaming;

/// Give an element another id. Everything that refers to it follows.
///
/// ```fcp
/// # raw '<linearGradient id="sky"/>'
/// # raw '<rect id="card" width="40" height="20" fill="url(#sky)"/>'
/// rename sky night
/// > * gradient sky -> night (1 reference)
/// rename card "my card"
/// > ! id "my card" has a space
/// >   try: rename card my-card
/// rename card night
/// > ! id:night is already a gradient
/// >   syntax: rename ELEMENT ID
/// ```
#[fcp_verb(category = "Any object")]
pub fn rename(
    drawing: &mut Drawing,
    /// The element.
    #[fcp(positional)]
    element: Row,
    /// Its new id.
    #[fcp(positional)]
    id: ElementId,
) -> Result<Reply> {
    let node = NodeId::new(element.id());
    let (kind, old) = (drawing.nodes.kind_name(node), drawing.nodes.name(node));
    if drawing
        .nodes
        .attr(node, "id")
        .is_some_and(|own| own == id.as_str())
    {
        return Ok(unchanged!("{kind} {old} is called so already"));
    }
    let index = drawing.nodes.tree().index();
    if let Some(taken) = index.with_id(id.as_str(), fcp::model::Level::Exact).first() {
        bail!(
            "id:{id} is already a {}",
            drawing.nodes.kind_name(NodeId::new(*taken))
        )
    }
    let followed = renaming::rename(drawing, node, id.as_str())?;
    let word = if followed == 1 {
        "reference"
    } else {
        "references"
    };
    Ok(changed!("{kind} {old} -> {id} ({followed} {word})"))
}
