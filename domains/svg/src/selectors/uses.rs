//! `@uses`

use std::collections::BTreeSet;

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// Elements that refer to one, by `href` or `url(#…)`.
#[fcp_selector]
pub fn uses(drawing: &Drawing, used: Row) -> Result<Pick<'_>, ValueError> {
    let used = NodeId::new(used.id());
    let Some(own) = drawing.nodes.own_id(used) else {
        return Ok(Pick::Rows(Vec::new()));
    };
    let users = drawing.users(&[own.into_owned()]).into_iter();
    let rows: BTreeSet<Row> = users
        .map(|(user, _)| Row::new(Drawing::NODES, user.number()))
        .collect();
    Ok(Pick::Rows(rows.into_iter().collect()))
}
