//! `duplicate`

use fcp::model::Level;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// An id that another element has before.
#[fcp_lint(weight = 90)]
pub fn duplicate(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let tree = nodes.tree();
    if tree.index().has_distinct_ids() {
        return Vec::new();
    }
    let second = |row: &Row| {
        let id = NodeId::new(row.id());
        let own = nodes.attr(id, "id").filter(|own| !own.is_empty())?;
        let same = tree.index().with_id(&own, Level::Exact);
        if same.len() < 2 {
            return None;
        }
        let mut same: Vec<NodeId> = same.into_iter().map(NodeId::new).collect();
        same.sort_by(|a, b| tree.order(*a, *b));
        // One line tells of all that have it.
        let is_second = same.get(1) == Some(&id);
        is_second.then(|| {
            (
                *row,
                format!("duplicate id \"{own}\": {}", drawing.names_of(&same)),
            )
        })
    };
    rows.iter().filter_map(second).collect()
}
