//! `@unused`

use fcp::prelude::*;

use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};

/// Definitions that nothing refers to.
#[fcp_selector]
pub fn unused(drawing: &Drawing) -> Result<Pick<'_>, ValueError> {
    let unused = move |row: Row| {
        let id = NodeId::new(row.id());
        let nodes = &drawing.nodes;
        let named = nodes.attr(id, "id");
        nodes.role(id) == Role::Definition
            && named.is_none_or(|name| nodes.tree().index().references_to(&name) == 0)
    };
    Ok(Pick::test(unused).beyond())
}
