//! `@uses`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// Elements that refer to one, by `href` or `url(#…)`.
#[fcp_selector]
pub fn uses(drawing: &Drawing, used: Row) -> Result<Pick<'_>, ValueError> {
    let used = NodeId::new(used.id());
    let Some(own) = drawing.nodes.own_id(used) else {
        return Ok(Pick::Rows(Vec::new()));
    };
    let own = own.into_owned();
    Ok(Pick::test(move |row| {
        let targets = drawing.nodes.targets(NodeId::new(row.id()));
        targets.contains(&own)
    }))
}
