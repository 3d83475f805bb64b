//! Reduces rows to the ones that an op acts on.

use fcp::prelude::Rows;

use super::{Drawing, NodeId};

impl Drawing {
    /// The outermost of some elements, in document order. Elements inside others are omitted, so
    /// that nothing moves twice.
    #[must_use]
    pub fn outermost(&self, rows: &Rows) -> Vec<NodeId> {
        let tree = self.nodes.tree();
        let mut ids: Vec<NodeId> = rows.iter().map(|row| NodeId::new(row.id())).collect();
        ids.sort_unstable_by(|a, b| tree.order(*a, *b));
        // The descendants of an element directly follow it.
        let mut outermost: Vec<NodeId> = Vec::with_capacity(ids.len());
        for id in ids {
            if outermost
                .last()
                .is_none_or(|last| !tree.is_within(id, *last))
            {
                outermost.push(id);
            }
        }
        outermost
    }
}
