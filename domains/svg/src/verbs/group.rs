//! `group`

use fcp::format::xml::{Limits, insert_raw, move_node, qualified_like};
use fcp::prelude::*;

use crate::id::ElementId;
use crate::model::{Drawing, NodeId};

/// Put objects of one container into a group, which stands where the frontmost of them did. Their bytes stay.
///
/// ```fcp
/// # raw '<rect id="a" width="4" height="2"/><rect id="b" width="4" height="2"/>'
/// group a,b as:pair
/// > + group pair @(0,0 4x2) of a, b
/// group pair as:a
/// > ! id:a is already a rect
/// >   syntax: group SEL as:ID
/// ```
#[fcp_verb(category = "Arrange")]
pub fn group(
    drawing: &mut Drawing,
    /// The objects.
    rows: Rows,
    /// The group's id.
    r#as: ElementId,
) -> Result<Reply> {
    let ids = crate::moving::movable(drawing, &rows)?;
    let tree = drawing.nodes.tree();
    let parent = ids.first().and_then(|id| tree.parent(*id));
    let (Some(parent), Some(front)) = (parent, ids.last().copied()) else {
        bail!("there is nothing to group")
    };
    if let Some(other) = ids.iter().find(|id| tree.parent(**id) != Some(parent)) {
        bail!(
            "{} and {} do not stand in the same container",
            drawing.nodes.name(front),
            drawing.nodes.name(*other)
        )
    }
    if let Some(taken) = tree
        .index()
        .with_id(r#as.as_str(), fcp::model::Level::Exact)
        .first()
    {
        let kind = drawing.nodes.kind_name(NodeId::new(*taken));
        bail!("id:{as} is already a {kind}", as = r#as)
    }
    let lead = tree.get(front).map_or("", |node| node.lead()).to_owned();
    let name = qualified_like(tree, parent, "g");
    let (open, close) = (
        format!("{lead}<{name} id=\"{as}\">", as = r#as),
        format!("{lead}</{name}>"),
    );
    let before = tree.next_sibling(front);
    let limits = Limits::default();
    let made = insert_raw(
        drawing.nodes.tree_mut(),
        &format!("{open}{close}"),
        parent,
        before,
        &limits,
    )?;
    let Some(group) = made
        .into_iter()
        .find(|id| drawing.nodes.element(*id).is_some())
    else {
        bail!("the group could not be made")
    };
    for id in &ids {
        move_node(drawing.nodes.tree_mut(), *id, group, None)?;
    }
    let geometry = drawing.geometry();
    Ok(created!(
        "{} of {}",
        drawing.placed(&geometry, group),
        drawing.names_of(&ids)
    ))
}
