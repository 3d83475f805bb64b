//! Positions of nodes in the source.

use std::collections::HashMap;

use fcp::format::xml::Node;
use fcp::model::{Step, Tree, TreeRow};

use super::{Index, NodeId, Nodes};

impl Nodes {
    /// The lines where nodes start, from 1, not counting the whitespace before them. Reads the text
    /// once, up to the last of them.
    #[must_use]
    pub fn source_lines(&self, wanted: &[NodeId]) -> HashMap<NodeId, usize> {
        let mut found: HashMap<NodeId, usize> = wanted.iter().map(|id| (*id, 0)).collect();
        let mut left = found.len();
        let mut line = 1;
        let tree = self.tree();
        for step in tree.walk(Tree::<Node, Index>::ROOT) {
            let (Step::Enter(id) | Step::Leave(id)) = step;
            let Some(row) = tree.get(id) else {
                continue;
            };
            let entered = matches!(step, Step::Enter(_));
            if let Some(own) = found.get_mut(&id).filter(|_| entered) {
                *own = line + row.lead().matches('\n').count();
                left = left.saturating_sub(1);
            }
            if left == 0 {
                break;
            }
            let mut count = |piece: &str| line += piece.matches('\n').count();
            if entered {
                row.head(&mut count);
            } else {
                row.tail(&mut count);
            }
        }
        found
    }
}
