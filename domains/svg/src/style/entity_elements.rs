//! Elements that references to entities bring, as selectors see them.

use std::cell::RefCell;
use std::rc::Rc;

use fcp::format::xml::Kind;
use rustc_hash::FxHashMap;

use crate::model::{Markup, NodeId, Nodes};

/// An element: one of the document, or the nth outermost one of an entity's markup.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Spot {
    /// The element, or the reference to the entity.
    pub id: NodeId,
    /// The place among the elements of the entity.
    pub inner: Option<usize>,
}

impl From<NodeId> for Spot {
    fn from(id: NodeId) -> Self {
        Self { id, inner: None }
    }
}

/// The markup of references to entities, read once for all elements.
#[derive(Default)]
pub(super) struct Brought(RefCell<FxHashMap<NodeId, Rc<Markup>>>);

impl Brought {
    /// The markup of a node, if it is a reference to an entity.
    pub fn of(&self, nodes: &Nodes, id: NodeId) -> Option<Rc<Markup>> {
        let Kind::Entity(_) = nodes.tree().get(id)?.kind() else {
            return None;
        };
        if let Some(known) = self.0.borrow().get(&id) {
            return Some(Rc::clone(known));
        }
        let found = Rc::new(nodes.brought(id)?);
        self.0.borrow_mut().insert(id, Rc::clone(&found));
        Some(found)
    }

    /// Whether an element has neither elements nor text, not even whitespace. `steps` counts a step
    /// and returns whether any was left.
    pub fn is_empty(&self, nodes: &Nodes, at: Spot, steps: &dyn Fn() -> bool) -> bool {
        if let Some(nth) = at.inner {
            let own = self.of(nodes, at.id);
            return own.is_some_and(|own| own.elements.get(nth).is_some_and(|one| one.is_empty));
        }
        let tree = nodes.tree();
        let own = nodes.element(at.id);
        own.is_some_and(|own| own.trail().is_empty())
            && tree.children(at.id).all(|inner| {
                let Some(node) = tree.get(inner).filter(|_| steps()) else {
                    return false;
                };
                let brings = |own: Rc<Markup>| own.has_text || !own.elements.is_empty();
                node.lead().is_empty()
                    && node.element().is_none()
                    && node.text().is_none_or(|text| text.is_empty())
                    && !self.of(nodes, inner).is_some_and(brings)
            })
    }

    /// Whether an element has an attribute with a value that passes a test.
    pub fn has_attr(
        &self,
        nodes: &Nodes,
        at: Spot,
        name: &str,
        test: impl Fn(&str) -> bool,
    ) -> bool {
        let Some(nth) = at.inner else {
            return nodes.attr(at.id, name).is_some_and(|value| test(&value));
        };
        self.of(nodes, at.id).is_some_and(|own| {
            let attributes = own.elements.get(nth).map(|one| one.attributes.iter());
            let mut attributes = attributes.into_iter().flatten();
            attributes.any(|(own, value)| own == name && test(value))
        })
    }

    /// Whether an element has this local name.
    pub fn is_called(&self, nodes: &Nodes, at: Spot, name: &str) -> bool {
        let Some(nth) = at.inner else {
            return nodes.is_called(at.id, name);
        };
        let own = self.of(nodes, at.id);
        own.is_some_and(|own| own.elements.get(nth).is_some_and(|one| one.name == name))
    }
}
