//! `@uses`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId, targets};

/// Elements that refer to one, by `href` or `url(#…)`.
#[fcp_selector]
pub fn uses(drawing: &Drawing, used: Row) -> Result<Pick<'_>, ValueError> {
    let used = NodeId::new(used.id());
    let Some(own) = drawing.nodes.own_id(used) else {
        return Ok(Pick::Rows(Vec::new()));
    };
    let own = own.into_owned();
    Ok(Pick::test(move |row| {
        let element = drawing.nodes.element(NodeId::new(row.id()));
        element.is_some_and(|element| targets(element).contains(&own))
    }))
}
