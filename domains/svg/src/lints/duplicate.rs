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
        let same = same.into_iter().map(NodeId::new);
        let first = same.min_by(|a, b| tree.order(*a, *b))?;
        let told = || {
            let (this, other) = (nodes.name(id), nodes.name(first));
            (*row, format!("duplicate id \"{own}\": {other}, {this}"))
        };
        (first != id).then(told)
    };
    rows.iter().filter_map(second).collect()
}
