//! `order`

use fcp::format::xml::move_node;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::values::Depth;

/// Put objects before or behind their siblings; what stands last is in front. Their bytes move as they are.
///
/// ```fcp
/// # raw '<rect id="a" width="4" height="2"/><rect id="b" x="9" width="4" height="2"/><rect id="c" y="9" width="4" height="2"/>'
/// order a front
/// > @ rect a to the front
/// order c back
/// > @ rect c to the back
/// order c forward
/// > @ rect c one forward
/// ```
#[fcp_verb(category = "Arrange")]
pub fn order(
    drawing: &mut Drawing,
    /// The objects; one that stands in another goes with it.
    rows: Rows,
    /// Where to.
    #[fcp(positional)]
    depth: Depth,
) -> Result<Reply> {
    let mut ids = crate::moving::movable(drawing, &rows)?;
    // Each goes over those that went before it, so that they keep their order among themselves.
    if matches!(depth, Depth::Back | Depth::Forward) {
        ids.reverse();
    }
    let mut changed = false;
    for id in &ids {
        changed |= shift(drawing, *id, depth)?;
    }
    if !changed {
        return Ok(unchanged!("no change"));
    }
    ids.sort_unstable_by(|a, b| drawing.nodes.tree().order(*a, *b));
    Ok(match ids.as_slice() {
        [one] => bulk!("{} {}", drawing.titled(*one), depth.told()),
        several => bulk!(
            "{} objects {}: {}",
            several.len(),
            depth.told(),
            drawing.names_of(several)
        ),
    })
}

/// Moves one object; says whether it stood elsewhere.
fn shift(drawing: &mut Drawing, id: NodeId, depth: Depth) -> Result<bool> {
    let tree = drawing.nodes.tree();
    let Some(parent) = tree.parent(id) else {
        return Ok(false);
    };
    let siblings = tree
        .children(parent)
        .filter(|other| drawing.nodes.is_object(*other));
    let siblings: Vec<NodeId> = siblings.collect();
    let Some(at) = siblings.iter().position(|other| *other == id) else {
        return Ok(false);
    };
    let before = match depth {
        Depth::Front if at + 1 == siblings.len() => return Ok(false),
        Depth::Front => siblings.last().and_then(|last| tree.next_sibling(*last)),
        Depth::Back if at == 0 => return Ok(false),
        Depth::Back => siblings.first().copied(),
        Depth::Forward => match siblings.get(at + 1) {
            Some(next) => tree.next_sibling(*next),
            None => return Ok(false),
        },
        Depth::Backward => match at.checked_sub(1).and_then(|at| siblings.get(at)) {
            Some(previous) => Some(*previous),
            None => return Ok(false),
        },
    };
    move_node(drawing.nodes.tree_mut(), id, parent, before)
}
