//! `@in`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// All that is in an object, at any depth.
#[fcp_selector]
pub fn r#in(drawing: &Drawing, outer: Row) -> Result<Pick<'_>, ValueError> {
    let outer = NodeId::new(outer.id());
    let inside = move |row: Row| {
        let id = NodeId::new(row.id());
        id != outer && drawing.nodes.tree().is_within(id, outer)
    };
    Ok(drawing.reaching(outer, Pick::test(inside)))
}
