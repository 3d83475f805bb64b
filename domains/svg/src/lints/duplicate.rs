//! `duplicate`

use std::collections::HashMap;

use fcp::model::Level;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// An id that an earlier element has.
#[fcp_lint(weight = 90)]
pub fn duplicate(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let tree = nodes.tree();
    if tree.index().has_distinct_ids() {
        return Vec::new();
    }
    // One line for all elements with the same id, at the second of them.
    let mut known: HashMap<String, (NodeId, String)> = HashMap::new();
    let mut found = Vec::new();
    for row in rows {
        let id = NodeId::new(row.id());
        let own = nodes.attr(id, "id").filter(|own| !own.is_empty());
        let Some(own) = own.filter(|own| tree.index().count_of_id(own) > 1) else {
            continue;
        };
        if !known.contains_key(&*own) {
            let same = tree.index().with_id(&own, Level::Exact);
            let mut same: Vec<NodeId> = same.into_iter().map(NodeId::new).collect();
            same.sort_by(|a, b| tree.order(*a, *b));
            let Some(second) = same.get(1) else { continue };
            let warning = format!("duplicate id \"{own}\": {}", drawing.names_of(&same));
            known.insert(own.to_string(), (*second, warning));
        }
        if let Some((second, warning)) = known.get(&*own)
            && *second == id
        {
            found.push((*row, warning.clone()));
        }
    }
    found
}
