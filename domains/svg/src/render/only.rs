//! Makes a copy of a drawing with only some objects visible.

use std::collections::{HashMap, HashSet};

use fcp::format::xml::{self, Element, Node};
use fcp::model::Tree;
use fcp::prelude::*;

use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};

impl Drawing {
    /// Makes a copy with the same elements in the same order.
    ///
    /// # Errors
    /// If it exceeds a limit of reading.
    pub fn same(&self) -> Result<Self> {
        let mut copy = Self::default();
        let text = self.nodes.tree().text();
        xml::read(text, &self.host.bounds.xml)?.place(
            copy.nodes.tree_mut(),
            Tree::<Node>::ROOT,
            None,
        )?;
        Ok(copy)
    }
}

/// A copy in which only these objects are visible. The elements that they refer to or inherit from
/// are kept.
///
/// # Errors
/// If one of them is drawn only if something refers to it.
pub fn only(drawing: &Drawing, objects: &[NodeId]) -> Result<Drawing> {
    let nodes = &drawing.nodes;
    for id in objects {
        let around = nodes.tree().ancestors(*id);
        let hidden =
            |id: &NodeId| nodes.role(*id) == Role::Definition || nodes.kind_name(*id) == "defs";
        if std::iter::once(*id).chain(around).any(|id| hidden(&id)) {
            let name = nodes.name(*id);
            bail!("{name} is drawn only where something refers to it"; try: "? refs {name}")
        }
    }
    let mut copy = drawing.same()?;
    let twins: HashMap<NodeId, NodeId> = nodes.elements().zip(copy.nodes.elements()).collect();
    let kept: HashSet<NodeId> = objects
        .iter()
        .filter_map(|id| twins.get(id).copied())
        .collect();
    let mut around: Vec<NodeId> = Vec::new();
    let mut known: HashSet<NodeId> = HashSet::new();
    for id in &kept {
        let tree = copy.nodes.tree();
        let outers = tree
            .ancestors(*id)
            .filter(|id| copy.nodes.element(*id).is_some());
        // The ancestors of a known element are known too.
        around.extend(outers.take_while(|outer| known.insert(*outer)));
    }
    for outer in around {
        // A kept element keeps all its children.
        let tree = copy.nodes.tree();
        let whole = kept.contains(&outer) || tree.ancestors(outer).any(|id| kept.contains(&id));
        if whole || copy.nodes.kind_name(outer) == "switch" {
            continue;
        }
        let others: Vec<NodeId> = tree
            .children(outer)
            .filter(|id| !kept.contains(id) && !known.contains(id))
            .filter(|id| matches!(copy.nodes.role(*id), Role::Graphic | Role::Container))
            .collect();
        if others.is_empty() {
            continue;
        }
        // In `defs` they can still be referred to.
        let tree = copy.nodes.tree_mut();
        let defs = Element::new(&xml::qualified_like(tree, outer, "defs"))?;
        let defs = xml::insert_node(tree, Node::from(defs), outer, None)?;
        for other in others {
            xml::move_node(tree, other, defs, None)?;
        }
    }
    Ok(copy)
}
