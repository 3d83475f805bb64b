//! Writes `elements.parent` and `elements.nth`: an element's parent, and its position there.

use std::collections::{BTreeMap, HashMap, HashSet};

use fcp::format::xml::move_node;
use fcp::prelude::*;

use super::elements::ElementRow;
use super::{element, node};
use crate::model::{Drawing, NodeId};

/// Moves elements to the end of other containers. Drawn elements keep their position on the canvas.
pub fn set_parent(drawing: &mut Drawing, rows: Vec<(&ElementRow, String)>) -> Result<Vec<String>> {
    let mut known: HashMap<&str, NodeId> = HashMap::new();
    let mut going = Vec::with_capacity(rows.len());
    for (row, name) in &rows {
        let parent = match known.get(name.as_str()) {
            Some(parent) => *parent,
            None => {
                let parent = element(drawing, name)?;
                drawing.holds(parent)?;
                known.insert(name, parent);
                parent
            }
        };
        going.push((node(row.row), parent));
    }
    let tree = drawing.nodes.tree();
    going.sort_unstable_by(|(a, _), (b, _)| tree.order(*a, *b));
    for (id, parent) in &going {
        let name = drawing.nodes.name(*id);
        if drawing.nodes.root() == Some(*id) {
            bail!("{name} is the drawing itself"; try: "? map")
        }
        if tree.is_within(*parent, *id) {
            bail!("{name} cannot go into itself"; try: "? tree {name}")
        }
    }
    let (_, changes) = drawing.go_into(&going)?;
    Ok(changes)
}

/// Moves elements to other positions within their parents, so that each is at its own in the end.
pub fn set_nth(
    drawing: &mut Drawing,
    rows: Vec<(&ElementRow, Int<1, 10_000_000>)>,
) -> Result<Vec<String>> {
    let mut by_parent: BTreeMap<NodeId, Vec<(usize, NodeId)>> = BTreeMap::new();
    for (row, nth) in &rows {
        let id = node(row.row);
        let parent = drawing.nodes.tree().parent(id);
        let Some(parent) = parent.filter(|_| drawing.nodes.root() != Some(id)) else {
            bail!("{} is the drawing itself", drawing.nodes.name(id); try: "? map")
        };
        let nth = usize::try_from(nth.get()).unwrap_or(usize::MAX);
        by_parent.entry(parent).or_default().push((nth, id));
    }
    for (parent, mut placed) in by_parent {
        placed.sort_by_key(|(nth, _)| *nth);
        let going: HashSet<NodeId> = placed.iter().map(|(_, id)| *id).collect();
        let tree = drawing.nodes.tree();
        let inner = tree
            .children(parent)
            .filter(|id| drawing.nodes.element(*id).is_some());
        let (moving, staying): (Vec<NodeId>, Vec<NodeId>) =
            inner.partition(|id| going.contains(id));
        let total = moving.len() + staying.len();
        let mut order: Vec<NodeId> = Vec::with_capacity(total);
        let mut staying = staying.into_iter();
        for (nth, id) in &placed {
            if *nth > total {
                let name = drawing.nodes.name(*id);
                bail!("{name} cannot be number {nth} of {total}"; add: "{total}")
            }
            if *nth <= order.len() {
                let other = order.last().map(|id| drawing.nodes.name(*id));
                let other = other.unwrap_or_default();
                let name = drawing.nodes.name(*id);
                bail!("{other} and {name} cannot both be number {nth}")
            }
            order.extend(staying.by_ref().take(nth - 1 - order.len()));
            if order.len() + 1 < *nth {
                let name = drawing.nodes.name(*id);
                bail!("{name} cannot be number {nth}: too few are before it")
            }
            order.push(*id);
        }
        order.extend(staying);
        // From the last on, so that the next element is already in position.
        let mut next = None;
        for id in order.into_iter().rev() {
            if going.contains(&id) {
                let tree = drawing.nodes.tree();
                let mut after =
                    std::iter::successors(tree.next_sibling(id), |id| tree.next_sibling(*id));
                let after = after.find(|id| drawing.nodes.element(*id).is_some());
                if after != next {
                    move_node(drawing.nodes.tree_mut(), id, parent, next)?;
                }
            }
            next = Some(id);
        }
    }
    Ok(Vec::new())
}
