//! `@layer`

use std::borrow::Cow;

use fcp::prelude::*;

use crate::model::kind::LAYER;
use crate::model::{Drawing, NodeId};

/// All that is in a layer, at any depth.
#[fcp_selector]
pub fn layer(drawing: &Drawing, layer: Row) -> Result<Pick<'_>, ValueError> {
    let outer = NodeId::new(layer.id());
    let (kind, name) = (drawing.nodes.kind_name(outer), drawing.nodes.name(outer));
    if kind != LAYER {
        let mut layers = drawing.nodes.elements();
        let first = layers.find(|id| drawing.nodes.kind_name(*id) == LAYER);
        let error = ValueError::sentence(format!("{name} is a {kind}, not a layer"));
        return Err(match first {
            Some(first) => {
                let label = drawing.nodes.label(first);
                error.fix(label.map_or_else(|| drawing.nodes.name(first), Cow::into_owned))
            }
            None => error,
        });
    }
    let inside = move |row: Row| {
        let id = NodeId::new(row.id());
        id != outer && drawing.nodes.tree().is_within(id, outer)
    };
    Ok(Pick::test(inside))
}
