//! The places of moved elements among those of their parents.

use std::collections::{HashMap, HashSet};

use fcp::prelude::*;
use fcp::work;

use crate::model::{Drawing, NodeId};

/// The parents of moved elements, and their places in them from 1.
pub fn places(drawing: &Drawing, rows: &[Row]) -> Vec<Option<(u32, Field)>> {
    let nodes = &drawing.nodes;
    let tree = nodes.tree();
    let parent = |row: &Row| {
        let id = NodeId::new(row.id());
        nodes.element(id)?;
        tree.parent(id)
            .filter(|parent| nodes.element(*parent).is_some())
    };
    let mut nths: HashMap<NodeId, i64> = HashMap::new();
    let parents: HashSet<NodeId> = rows.iter().filter_map(parent).collect();
    for parent in parents {
        let inner = tree.children(parent);
        let inner = inner.filter(|id| nodes.element(*id).is_some());
        for (id, nth) in inner.zip(1..) {
            // The call fails at its next check.
            if work::spend(1).is_err() {
                break;
            }
            nths.insert(id, nth);
        }
    }
    let place = |row: &Row| {
        let nth = *nths.get(&NodeId::new(row.id()))?;
        let field = Field::number("nth", nth.to_string(), nth);
        Some((parent(row)?.number(), field))
    };
    rows.iter().map(place).collect()
}
