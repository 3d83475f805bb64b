//! `@type`

use fcp::prelude::*;

use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};
use crate::values::KindName;

/// Elements of a kind: circle, group, gradient, or an element's own name.
#[fcp_selector]
pub fn r#type(drawing: &Drawing, kind: KindName) -> Result<Pick<'_>, ValueError> {
    let beyond = matches!(kind.role(), Role::Definition | Role::Part);
    let pick = Pick::test(move |row| {
        let id = NodeId::new(row.id());
        let nodes = &drawing.nodes;
        match kind.sort() {
            None if kind.is_any() => nodes.is_object(id),
            Some(sort) => nodes.kind_name(id) == sort,
            None => {
                let element = nodes.element(id);
                element.is_some_and(|element| element.local_name() == kind.as_str())
            }
        }
    });
    Ok(if beyond { pick.beyond() } else { pick })
}
