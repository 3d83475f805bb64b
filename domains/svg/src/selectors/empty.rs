//! `@empty`

use fcp::prelude::*;

use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};

/// Containers without objects, shapes without a size, texts without characters.
#[fcp_selector]
pub fn empty(drawing: &Drawing) -> Pick<'_> {
    let (geometry, nodes) = (drawing.geometry(), &drawing.nodes);
    Pick::test(move |row| {
        let id = NodeId::new(row.id());
        match nodes.role(id) {
            Role::Container => !nodes
                .tree()
                .descendants(id)
                .any(|inner| nodes.is_object(inner) || nodes.draws_by_entity(inner)),
            Role::Graphic if nodes.kind_name(id) == "text" => nodes.text_of(id).is_empty(),
            Role::Graphic => geometry
                .bbox(id)
                .is_none_or(|found| found.width() == 0.0 && found.height() == 0.0),
            Role::Definition | Role::Part => false,
        }
    })
}
