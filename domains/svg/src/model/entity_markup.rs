//! Elements in the markup of entities, which are drawn but are not rows.

use std::collections::HashSet;

use fcp::format::xml::{Fragment, Kind, Node};
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

/// The maximum nesting of entities whose elements are listed.
const DEEPEST: usize = 16;

/// The most elements that are listed of one entity.
const MOST: usize = 10_000;

/// An element that a reference to an entity puts beside the elements of the document.
pub(crate) struct Brought {
    /// Its local name.
    pub name: String,
    /// Its attributes, by their whole names.
    pub attributes: Vec<(String, String)>,
    /// Whether it has no content.
    pub is_empty: bool,
}

/// The outermost elements of an entity's markup, and whether there is any text beside them.
#[derive(Default)]
pub(crate) struct Markup {
    /// The elements, in order.
    pub elements: Vec<Brought>,
    /// Whether there is text, even if it is only whitespace.
    pub has_text: bool,
}

impl Markup {
    /// Adds the outermost nodes of a fragment. Its steps count as work of the call.
    fn add(&mut self, markup: &Fragment, depth: usize) {
        let mut at: Vec<Option<usize>> = Vec::with_capacity(markup.len());
        if work::spend(markup.len()).is_err() {
            return;
        }
        for (node, parent) in markup.nodes() {
            let is_text = !node.lead().is_empty() || node.text().is_some_and(|own| !own.is_empty());
            let is_content = is_text || matches!(node.kind(), Kind::Element(_) | Kind::Entity(_));
            at.push(None);
            if let Some(parent) = parent {
                let outer = at.get(parent).copied().flatten();
                let outer = outer.and_then(|at| self.elements.get_mut(at));
                if let Some(outer) = outer.filter(|_| is_content) {
                    outer.is_empty = false;
                }
                continue;
            }
            self.has_text |= is_text;
            match node.kind() {
                Kind::Element(element) if self.elements.len() < MOST => {
                    if let Some(last) = at.last_mut() {
                        *last = Some(self.elements.len());
                    }
                    let values = element.values();
                    self.elements.push(Brought {
                        name: element.local_name().to_owned(),
                        attributes: values
                            .map(|(name, value)| (name.to_owned(), value.into_owned()))
                            .collect(),
                        is_empty: element.trail().is_empty(),
                    });
                }
                Kind::Entity(inner) if depth < DEEPEST && self.elements.len() < MOST => {
                    if let Ok(inner) = inner.expansion(|_| true) {
                        self.add(&inner, depth + 1);
                    }
                }
                _ => {}
            }
        }
    }
}

impl Nodes {
    /// The outermost markup of a reference to an entity; `None` for any other node.
    #[must_use]
    pub(crate) fn brought(&self, id: NodeId) -> Option<Markup> {
        let Kind::Entity(reference) = self.tree().get(id)?.kind() else {
            return None;
        };
        let mut found = Markup::default();
        if let Ok(markup) = reference.expansion(|_| true) {
            found.add(&markup, 0);
        }
        Some(found)
    }

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
    /// Checks that no default value and no markup of an entity refers to elements with these ids,
    /// outside of `going`.
    ///
    /// # Errors
    /// If one does.
    pub(crate) fn is_free_of_entities(&self, ids: &[String], going: &[NodeId]) -> Result<()> {
        if ids.is_empty() || self.nodes.doctype().is_none() {
            return Ok(());
        }
        self.is_free_of_defaults(ids)?;
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
