//! New elements with their content.

use fcp::format::xml::{self, Element, Node};
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// An element to write, or one that was understood. It is never deep, since its content is written
/// here, not by callers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blueprint {
    /// Its local name.
    pub name: &'static str,
    /// Its attributes, in order.
    pub attrs: Vec<(&'static str, String)>,
    /// Its content, in order.
    pub children: Vec<Blueprint>,
}

impl Blueprint {
    /// An element with attributes and no content.
    #[must_use]
    pub fn new<const N: usize>(name: &'static str, attrs: [(&'static str, String); N]) -> Self {
        Self::with(name, attrs.into())
    }

    /// An element with any number of attributes and no content.
    #[must_use]
    pub const fn with(name: &'static str, attrs: Vec<(&'static str, String)>) -> Self {
        Self {
            name,
            attrs,
            children: Vec::new(),
        }
    }

    /// The element without its content.
    fn element(&self, name: &str) -> Result<Element> {
        let mut element = Element::new(name)?;
        for (name, value) in &self.attrs {
            element = element.with(name, value)?;
        }
        Ok(element)
    }
}

impl Drawing {
    /// Appends a child with an id to an element.
    ///
    /// # Errors
    /// If XML forbids one of its characters.
    pub fn build(&mut self, id: &str, blueprint: &Blueprint, parent: NodeId) -> Result<NodeId> {
        let tree = self.nodes.tree_mut();
        let name = xml::qualified_like(tree, parent, blueprint.name);
        let mut element = blueprint.element(&name)?;
        element.insert_attr(0, "id", id)?;
        let made = xml::insert_element(tree, element, parent, None)?;
        for part in &blueprint.children {
            self.add_part(part, made, None)?;
        }
        Ok(made)
    }

    /// Adds a child to an element on the same line, before one of its children or after all of
    /// them.
    ///
    /// # Errors
    /// If XML forbids one of its characters.
    pub fn add_part(
        &mut self,
        part: &Blueprint,
        parent: NodeId,
        before: Option<NodeId>,
    ) -> Result<NodeId> {
        let tree = self.nodes.tree_mut();
        let element = part.element(&xml::qualified_like(tree, parent, part.name))?;
        let made = xml::insert_node(tree, Node::from(element), parent, before)?;
        for inner in &part.children {
            self.add_part(inner, made, None)?;
        }
        Ok(made)
    }

    /// Applies the differences between an element's understood form and a new one; keeps everything
    /// else. `parts` are the children that `old` contains, in order. Returns whether anything
    /// changed.
    ///
    /// # Errors
    /// If XML forbids a character.
    pub fn rebuild(
        &mut self,
        id: NodeId,
        parts: &[NodeId],
        old: &Blueprint,
        new: &Blueprint,
    ) -> Result<bool> {
        let mut any = false;
        if old.name != new.name {
            let tree = self.nodes.tree_mut();
            let parent = tree.parent(id).unwrap_or(id);
            let name = xml::qualified_like(tree, parent, new.name);
            xml::modify_element(tree, id, |element| element.rename(&name))?;
            any = true;
        }
        any |= self.reattribute(id, &old.attrs, &new.attrs)?;
        if old.children == new.children {
            return Ok(any);
        }
        let names = |blueprint: &Blueprint| -> Vec<&'static str> {
            blueprint.children.iter().map(|part| part.name).collect()
        };
        if names(old) == names(new) && parts.len() == old.children.len() {
            for ((part, old), new) in parts.iter().zip(&old.children).zip(&new.children) {
                let inner = self.inside(*part);
                any |= self.rebuild(*part, &inner, old, new)?;
            }
            return Ok(any);
        }
        let tree = self.nodes.tree_mut();
        let behind = parts.last().and_then(|last| tree.next_sibling(*last));
        for part in parts {
            xml::remove_node(tree, *part)?;
        }
        for part in &new.children {
            self.add_part(part, id, behind)?;
        }
        Ok(true)
    }

    /// The child elements of an element.
    fn inside(&self, id: NodeId) -> Vec<NodeId> {
        let children = self.nodes.tree().children(id);
        children
            .filter(|id| self.nodes.element(*id).is_some())
            .collect()
    }

    /// Sets the attributes that differ, and removes those that `new` lacks.
    fn reattribute(
        &mut self,
        id: NodeId,
        old: &[(&'static str, String)],
        new: &[(&'static str, String)],
    ) -> Result<bool> {
        if old == new {
            return Ok(false);
        }
        xml::modify_element(self.nodes.tree_mut(), id, |element| {
            let mut any = false;
            for (name, _) in old {
                if new.iter().all(|(other, _)| other != name) {
                    any |= element.remove_attr(name);
                }
            }
            for one in new.iter().filter(|one| !old.contains(one)) {
                any |= element.set_attr(one.0, &one.1)?;
            }
            Ok(any)
        })
    }
}
