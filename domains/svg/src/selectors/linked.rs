//! `@linked`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// Links that end at an object.
#[fcp_selector]
pub fn linked(drawing: &Drawing, end: Row) -> Pick<'_> {
    let end = drawing.nodes.own_id(NodeId::new(end.id()));
    let links: Vec<NodeId> = end.map_or_else(Vec::new, |end| {
        let links = drawing.nodes.tree().index().links_of(&end);
        links.map(NodeId::new).collect()
    });
    Pick::test(move |row| links.contains(&NodeId::new(row.id())))
}
