//! Writing so that nothing is lost without a word: references to entities, and characters that the encoding lacks.

use fcp::format::xml;
use fcp::prelude::*;

use fcp::model::TreeChange;

use crate::model::{Drawing, DrawingEvent, NodeId};

impl Drawing {
    /// Sets an attribute; see [`xml::set_attr`]. Returns whether its value was another.
    ///
    /// # Errors
    /// It cannot be written, or its value comes from an entity of the DOCTYPE, whose reference would be lost.
    pub fn put_attr(&mut self, id: NodeId, name: &str, value: &str) -> Result<bool> {
        self.keeps_entity(id, name, value)?;
        xml::set_attr(self.nodes.tree_mut(), id, name, value)
    }

    /// Refuses a value that would take a reference to an entity out of an attribute.
    ///
    /// # Errors
    /// It would.
    pub fn keeps_entity(&self, id: NodeId, name: &str, value: &str) -> Result<()> {
        let element = self.nodes.element(id);
        let lost = element.and_then(|element| element.would_lose(name, value));
        let Some(entity) = lost else {
            return Ok(());
        };
        let (title, called) = (self.titled(id), self.nodes.name(id));
        let said = self.nodes.attr(id, name).unwrap_or_default();
        let said = fcp::op::quote(&said).into_owned();
        bail!("{name} of {title} comes from the entity &{entity};: write it out first, or set entity:{entity} value VALUE for all that use it"; try: "set {called} {name} {said}")
    }

    /// Writes the characters of what changed that the file's encoding lacks by their numbers.
    ///
    /// # Errors
    /// One of them is where XML takes no such references.
    pub(crate) fn respell(&mut self, changes: &[DrawingEvent]) -> Result<()> {
        let encoding = self.envelope.encoding;
        if encoding.has_all() {
            return Ok(());
        }
        for change in changes {
            let DrawingEvent::Nodes(TreeChange::Added { id, .. } | TreeChange::Modified { id, .. }) =
                change
            else {
                continue;
            };
            let id = NodeId::new(*id);
            let tree = self.nodes.tree_mut();
            let Some(mut node) = tree.get(id).cloned() else {
                continue;
            };
            if node.respell(encoding)? {
                tree.modify(id, |own| *own = node);
            }
        }
        Ok(())
    }
}
