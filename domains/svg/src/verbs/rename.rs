//! `rename`

use fcp::prelude::*;
use fcp::reply::count;

use crate::edit::rename;
use crate::model::{Drawing, NodeId};
use crate::syntax::id::ElementId;

/// Give an element another id. All references to it follow.
///
/// That is `href`, `url(#ID)`, selectors `#ID` and `[id=ID]` of style sheets, `begin` and `end`, `aria-*`, and links. A
/// colour `#fab`, a comment or a text that reads like the id is not a reference. A reference that comes from an entity is
/// changed in the DOCTYPE.
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
/// >   try: rename card night-2
/// ```
#[fcp_verb(category = "Any object")]
pub fn rename(
    drawing: &mut Drawing,
    /// The element.
    #[fcp(positional)]
    element: Row,
    /// Its new id.
    #[fcp(positional)]
    id: Spanned<ElementId>,
) -> Result<Reply> {
    let node = NodeId::new(element.id());
    drawing.only_elements(&[node])?;
    let (kind, old) = (drawing.nodes.kind_name(node), drawing.nodes.name(node));
    if drawing
        .nodes
        .attr(node, "id")
        .is_some_and(|own| own == id.get().as_str())
    {
        return Ok(unchanged!("{kind} {old} already has this id"));
    }
    drawing.is_free(&id, "", "")?;
    let followed = rename::rename(drawing, &[(node, id.get().clone())])?;
    let (id, followed) = (id.get(), count(followed, "reference"));
    Ok(changed!("{kind} {old} -> {id} ({followed})"))
}
