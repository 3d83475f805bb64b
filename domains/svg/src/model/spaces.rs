//! Whitespace that is drawn, or kept by `xml:space`.

use fcp::format::xml::{remove_inline, remove_node};
use fcp::prelude::*;

use super::{NodeId, Nodes};

impl Nodes {
    /// Whether an element is a text or in one, so that whitespace in it separates words.
    pub(crate) fn draws_space(&self, id: NodeId) -> bool {
        let mut around = std::iter::once(id).chain(self.tree().ancestors(id));
        around.any(|id| self.is_called(id, "text"))
    }

    /// Whether `xml:space="preserve"` applies to an element.
    pub(crate) fn keeps_space(&self, id: NodeId) -> bool {
        let mut around = std::iter::once(id).chain(self.tree().ancestors(id));
        let space = around.find_map(|id| self.attr(id, "xml:space"));
        space.is_some_and(|space| space == "preserve")
    }

    /// Whether all whitespace in an element is drawn: in a text with `xml:space="preserve"`.
    pub(crate) fn preserves_space(&self, id: NodeId) -> bool {
        self.keeps_space(id) && self.draws_space(id)
    }

    /// Removes a node. In a text, whitespace that is drawn stays.
    ///
    /// # Errors
    /// If it cannot be removed, as the root element.
    pub(crate) fn take_out(&mut self, id: NodeId) -> Result<bool> {
        let outer = self.tree().parent(id);
        match outer.filter(|outer| self.draws_space(*outer)) {
            Some(outer) => {
                let preserved = self.preserves_space(outer);
                remove_inline(self.tree_mut(), id, preserved)
            }
            None => remove_node(self.tree_mut(), id),
        }
    }
}
