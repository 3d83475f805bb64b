//! Comments.

use fcp::format::xml::{Kind, Node};
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

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

/// Removes comments by the numbers of their nodes.
///
/// # Errors
/// If a node is another text.
pub(crate) fn remove(
    drawing: &mut Drawing,
    numbers: impl Iterator<Item = i64>,
) -> Result<Vec<String>> {
    let ids = numbers.map(|number| NodeId::new(u32::try_from(number).unwrap_or_default()));
    let ids: Vec<NodeId> = ids.collect();
    let tree = drawing.nodes.tree();
    if !ids.iter().all(|id| tree.get(*id).is_some_and(is_comment)) {
        bail!("of texts only comments are deleted; UPDATE, move and replace change others")
    }
    for id in ids {
        drawing.nodes.take_out(id)?;
    }
    Ok(Vec::new())
}
