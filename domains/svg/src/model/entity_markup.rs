//! Elements in the markup of entities, which are drawn but are not rows.

use std::collections::HashSet;

use fcp::format::xml::{Kind, Node};
use fcp::prelude::*;
use fcp::work;

use super::kind::UNDRAWN;
use super::{Drawing, NodeId, Nodes, targets};

/// The text of a node's own markup, if it is a reference to an entity with markup.
pub(super) fn text_of(node: &Node) -> Option<String> {
    let Kind::Entity(reference) = node.kind() else {
        return None;
    };
    let markup = reference.expansion(|_| true).ok()?;
    let mut text = String::new();
    for (node, _) in markup.nodes() {
        text.push_str(node.lead());
        text.push_str(&node.text().unwrap_or_default());
    }
    Some(text)
}

impl Nodes {
    /// Whether a node is a reference to an entity whose markup may draw something.
    #[must_use]
    pub fn draws_by_entity(&self, id: NodeId) -> bool {
        let Some(Kind::Entity(reference)) = self.tree().get(id).map(Node::kind) else {
            return false;
        };
        let Ok(markup) = reference.expansion(|_| true) else {
            return false;
        };
        let mut elements = markup.nodes().filter_map(|(node, _)| node.element());
        elements.any(|element| !UNDRAWN.contains(&element.local_name()))
    }
}

impl Drawing {
    /// Checks that no markup of an entity refers to elements with these ids, outside of `going`.
    ///
    /// # Errors
    /// If one does.
    pub(crate) fn is_free_of_entities(&self, ids: &[String], going: &[NodeId]) -> Result<()> {
        if ids.is_empty() || self.nodes.doctype().is_none() {
            return Ok(());
        }
        let ids: HashSet<&str> = ids.iter().map(String::as_str).collect();
        let going: HashSet<&NodeId> = going.iter().collect();
        let tree = self.nodes.tree();
        for id in tree.ids() {
            work::spend(1)?;
            let Some(Kind::Entity(reference)) = tree.get(id).map(Node::kind) else {
                continue;
            };
            if tree.ancestors(id).any(|outer| going.contains(&outer)) {
                continue;
            }
            let Ok(markup) = reference.expansion(|_| true) else {
                continue;
            };
            let elements = markup.nodes().filter_map(|(node, _)| node.element());
            let used = elements
                .flat_map(targets)
                .find(|id| ids.contains(id.as_str()));
            if let Some(used) = used {
                let entity = reference.name();
                bail!("{used} is used by the markup of &{entity};, which is edited only as the entity's text"; try: "? describe entity:{entity}")
            }
        }
        Ok(())
    }
}
