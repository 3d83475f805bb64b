//! Comments.

use fcp::format::xml::{Kind, Node};
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};
use crate::tables::texts::TextRow;

impl Drawing {
    /// The comments inside an element.
    pub(crate) fn comments_in(&self, id: NodeId) -> usize {
        let tree = self.nodes.tree();
        let inner = tree.descendants(id).filter_map(|id| tree.get(id));
        inner.filter(|node| is_comment(node)).count()
    }
}

/// Whether a node is a comment.
pub(crate) fn is_comment(node: &Node) -> bool {
    matches!(node.kind(), Kind::Comment(_))
}

/// Removes comments.
///
/// # Errors
/// If a row is another text.
pub(crate) fn remove(drawing: &mut Drawing, rows: Vec<&TextRow>) -> Result<Vec<String>> {
    if let Some(other) = rows.iter().find(|row| row.kind != "comment") {
        bail!(
            "of texts only comments are deleted; a row of kind {} is changed by UPDATE, move or replace",
            other.kind
        )
    }
    for row in rows {
        let id = NodeId::new(u32::try_from(row.node).unwrap_or_default());
        drawing.nodes.take_out(id)?;
    }
    Ok(Vec::new())
}
