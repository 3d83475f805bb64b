//! `order`

use fcp::format::xml::move_node;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::values::Depth;

/// Put objects before or behind their siblings; the last is in front. Their bytes move as they are.
///
/// ```fcp
/// # raw '<rect id="a" width="4" height="2"/><rect id="b" x="9" width="4" height="2"/><rect id="c" y="9" width="4" height="2"/>'
/// order a front
/// > @ rect a to the front
/// order c back
/// > @ rect c to the back
/// order c forward
/// > @ rect c one forward
/// order a below:c
/// > @ rect a below c
/// order a above:c
/// > @ rect a above c
/// # raw '<g id="logo"><rect id="d" x="15" width="4" height="2"/></g>'
/// order a above:d
/// > ! d is in logo
/// >   try: move a in:logo
/// order a
/// > ! order needs front, back, forward, backward, above: or below:
/// >   try: order a front
/// ```
#[fcp_verb(category = "Arrange")]
pub fn order(
    drawing: &mut Drawing,
    /// The objects; one inside another goes with it.
    rows: Rows,
    /// The new place.
    #[fcp(positional)]
    depth: Option<Depth>,
    /// The sibling they go right in front of.
    #[fcp(alias = "after")]
    above: Option<Row>,
    /// The sibling they go right behind, as seen from the front.
    #[fcp(alias = "before")]
    below: Option<Row>,
) -> Result<Reply> {
    let mut ids = crate::moving::movable(drawing, &rows)?;
    let depth = match (depth, below, above) {
        (Some(depth), None, None) => depth,
        (None, Some(sibling), None) => return beside(drawing, &ids, sibling, true),
        (None, None, Some(sibling)) => return beside(drawing, &ids, sibling, false),
        (None, None, None) => {
            bail!("order needs front, back, forward, backward, above: or below:"; add: "front")
        }
        _ => {
            let name = drawing.names_of(&ids);
            bail!("order takes one place"; try: "order {name} front")
        }
    };
    // In reverse, since each object passes the previous one; so they keep their relative order.
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
        [one] => bulk!("{} {}", drawing.titled(*one), depth.label()),
        several => bulk!(
            "{} objects {}: {}",
            several.len(),
            depth.label(),
            drawing.names_of(several)
        ),
    })
}

/// Moves objects directly below or above one of their siblings, in order.
fn beside(drawing: &mut Drawing, ids: &[NodeId], sibling: Row, below: bool) -> Result<Reply> {
    let nodes = &drawing.nodes;
    let tree = nodes.tree();
    let sibling = NodeId::new(sibling.id());
    let (name, parent) = (nodes.name(sibling), tree.parent(sibling));
    let Some(parent) = parent.filter(|_| nodes.root() != Some(sibling)) else {
        bail!("{name} is the drawing itself"; try: "order {} front", drawing.names_of(ids))
    };
    if let Some(other) = ids.iter().find(|id| tree.parent(**id) != Some(parent)) {
        let (other, outer) = (nodes.name(*other), nodes.name(parent));
        bail!("{name} is in {outer}"; try: "move {other} in:{outer}")
    }
    if ids.contains(&sibling) {
        bail!("{name} cannot go next to itself"; try: "order {} front", drawing.names_of(ids))
    }
    let mut next = if below {
        Some(sibling)
    } else {
        tree.next_sibling(sibling)
    };
    while let Some(id) = next.filter(|id| ids.contains(id)) {
        next = tree.next_sibling(id);
    }
    let mut any = false;
    for id in ids {
        any |= move_node(drawing.nodes.tree_mut(), *id, parent, next)?;
    }
    let word = if below { "below" } else { "above" };
    Ok(match ids {
        _ if !any => unchanged!("no change"),
        [one] => bulk!("{} {word} {name}", drawing.titled(*one)),
        ids => bulk!(
            "{} objects {word} {name}: {}",
            ids.len(),
            drawing.names_of(ids)
        ),
    })
}

/// Moves one object; returns whether its position changed.
fn shift(drawing: &mut Drawing, id: NodeId, depth: Depth) -> Result<bool> {
    let tree = drawing.nodes.tree();
    let Some(parent) = tree.parent(id) else {
        return Ok(false);
    };
    let is_object = |other: &NodeId| drawing.nodes.is_object(*other);
    let next = |id: NodeId| tree.next_sibling(id);
    let previous = |id: NodeId| tree.previous_sibling(id);
    // The next drawn sibling in front or behind; for front and back, the one at that end.
    let found = match depth {
        Depth::Front => {
            std::iter::successors(tree.last_child(parent), |id| previous(*id)).find(is_object)
        }
        Depth::Back => {
            std::iter::successors(tree.first_child(parent), |id| next(*id)).find(is_object)
        }
        Depth::Forward => std::iter::successors(next(id), |id| next(*id)).find(is_object),
        Depth::Backward => std::iter::successors(previous(id), |id| previous(*id)).find(is_object),
    };
    let Some(other) = found.filter(|other| *other != id) else {
        return Ok(false);
    };
    let before = match depth {
        Depth::Front | Depth::Forward => next(other),
        Depth::Back | Depth::Backward => Some(other),
    };
    move_node(drawing.nodes.tree_mut(), id, parent, before)
}
