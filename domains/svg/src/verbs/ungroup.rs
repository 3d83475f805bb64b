//! `ungroup`

use fcp::prelude::*;

use crate::edit::ungroup::plan;
use crate::model::Drawing;
use crate::moving::movable;

/// Put what groups hold in their places.
///
/// Transforms and inherited properties go to what they held, so that the picture stays; what cannot go there is refused.
///
/// ```fcp
/// # raw '<g id="pair" transform="translate(5 5)" fill="red"><rect id="a" width="4" height="2"/><rect id="b" width="4" height="2" fill="blue"/></g>'
/// # raw '<g id="faint" class="dim" data-n="1" opacity=".5"><circle id="dot" r="5"/></g>'
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
/// >   - class dim, data-n 1 of faint
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
        ([group], [plan]) => {
            removed!("{}{}", drawing.titled(*group), plan.describe(drawing))
        }
        _ => removed!("{} groups: {}", groups.len(), drawing.names_of(&groups)),
    };
    let mut notes = Vec::new();
    for plan in plans {
        notes.extend(plan.make(drawing)?);
    }
    Ok(notes.into_iter().fold(reply, Reply::note))
}
