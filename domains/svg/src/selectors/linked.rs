//! `@linked`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// Links that end at an object.
#[fcp_selector]
pub fn linked(drawing: &Drawing, end: Row) -> Pick<'_> {
    let end = drawing.nodes.own_id(NodeId::new(end.id()));
    let index = drawing.nodes.tree().index();
    let links = end.iter().flat_map(|end| index.links_of(end));
    Pick::Rows(links.map(|id| Row::new(Drawing::NODES, id)).collect())
}
