//! `ungroup`

use fcp::format::xml::{move_node, remove_node};
use fcp::prelude::*;

use crate::edit::ungroup::{Ungrouping, plan};
use crate::model::Drawing;
use crate::moving::movable;
use crate::style::applies;

/// Put what groups hold in their places.
///
/// Transforms and inherited properties go to what they held, so that the picture stays; what cannot go there is refused.
///
/// ```fcp
/// # raw '<g id="pair" transform="translate(5 5)" fill="red"><rect id="a" width="4" height="2"/><rect id="b" width="4" height="2" fill="blue"/></g>'
/// # raw '<g id="faint" opacity=".5"><circle id="dot" r="5"/></g>'
/// ungroup pair
/// > - group pair of a, b
/// >   * a: fill:red (attr)
/// ? svg a,b
/// > <rect id="a" width="4" height="2" transform="translate(5 5)" fill="red"/>
/// > <rect id="b" width="4" height="2" fill="blue" transform="translate(5 5)"/>
/// ungroup faint
/// > ! faint has opacity .5, which its contents would lose
/// >   try: ungroup faint force:on
/// ungroup faint force:on
/// > - group faint of dot
/// ungroup dot
/// > ! dot is a circle, not a group
/// >   try: ? describe dot
/// ```
#[fcp_verb(category = "Arrange")]
pub fn ungroup(
    drawing: &mut Drawing,
    /// The groups.
    rows: Rows,
    /// Also if the picture changes, or something refers to a group.
    #[fcp(default = Switch(false))]
    force: Switch,
) -> Result<Reply> {
    let groups = movable(drawing, &rows)?;
    let mut plans = Vec::with_capacity(groups.len());
    for group in &groups {
        plans.push(plan(drawing, *group, force.0)?);
    }
    let reply = match (groups.as_slice(), plans.as_slice()) {
        ([group], [plan]) => removed!(
            "{} of {}",
            drawing.titled(*group),
            drawing.names_of(&plan.drawn)
        ),
        _ => removed!("{} groups: {}", groups.len(), drawing.names_of(&groups)),
    };
    let mut notes = Vec::new();
    for plan in plans {
        let Ungrouping {
            group,
            parent,
            children,
            drawn,
            edits,
            snapshot,
            uses,
        } = plan;
        notes.extend(crate::edit::unlink::remove(drawing, &uses)?);
        for child in children {
            move_node(drawing.nodes.tree_mut(), child, parent, Some(group))?;
        }
        remove_node(drawing.nodes.tree_mut(), group)?;
        drawing.make(edits)?;
        for change in snapshot.compared(drawing, &drawn) {
            if !applies(&drawing.nodes, change.id, change.property.name) {
                continue;
            }
            drawing.write_style(change.id, change.property, &change.before, None)?;
        }
    }
    Ok(notes.into_iter().fold(reply, Reply::note))
}
