//! `duplicate`

use std::collections::HashMap;

use fcp::model::Level;
use fcp::prelude::*;

use crate::model::{Drawing, NodeId, XML_ID};

/// An id that an earlier element has.
#[fcp_lint(weight = 90)]
pub fn duplicate(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let tree = nodes.tree();
    let mut found = xml_ids(drawing, rows);
    if tree.index().has_distinct_ids() {
        return found;
    }
    // One line for all elements with the same id, at the second of them.
    let mut known: HashMap<String, (NodeId, String)> = HashMap::new();
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

/// The values of `xml:id` that an earlier element has, as that or as its id.
fn xml_ids(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let (tree, index) = (nodes.tree(), nodes.tree().index());
    let warning = |row: &Row| {
        let id = NodeId::new(row.id());
        let own = nodes.attr(id, XML_ID).filter(|own| !own.is_empty())?;
        let same = index.with_xml_id(&own);
        let others = index.with_id(&own, Level::Exact);
        let others = others.into_iter().filter(|other| !same.contains(other));
        let mut same: Vec<NodeId> = same
            .iter()
            .copied()
            .chain(others)
            .map(NodeId::new)
            .collect();
        // One line for all elements with the same value, at the second that has it so.
        fcp::work::spend(same.len()).ok()?;
        same.sort_by(|a, b| tree.order(*a, *b));
        let later = same.iter().skip(1);
        let mut later = later.filter(|id| nodes.attr(**id, XML_ID).is_some_and(|it| it == own));
        let is_told = same.len() > 1 && later.next() == Some(&id);
        let names = || drawing.names_of(&same);
        is_told.then(|| (*row, format!("duplicate xml:id \"{own}\": {}", names())))
    };
    rows.iter().filter_map(warning).collect()
}
