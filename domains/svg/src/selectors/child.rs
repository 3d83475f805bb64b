//! `@child`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// The children of an object.
#[fcp_selector]
pub fn child(drawing: &Drawing, outer: Row) -> Result<Pick<'_>, ValueError> {
    let outer = NodeId::new(outer.id());
    let inside = move |row: Row| drawing.nodes.tree().parent(NodeId::new(row.id())) == Some(outer);
    Ok(drawing.reaching(outer, Pick::test(inside)))
}
