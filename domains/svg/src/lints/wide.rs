//! `wide`

use fcp::prelude::*;

use crate::model::kind::BOX;
use crate::model::{Drawing, NodeId};

/// A label that is wider or higher than its box.
#[fcp_lint(weight = 30)]
pub fn wide(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let ids = rows.iter().map(|row| (row, NodeId::new(row.id())));
    let mut boxes = ids
        .filter(|(_, id)| nodes.is_called(*id, "g") && nodes.kind_name(*id) == BOX)
        .peekable();
    if boxes.peek().is_none() {
        return Vec::new();
    }
    let geometry = drawing.geometry();
    let precision = geometry.precision();
    let over = |(row, id): (&Row, NodeId)| {
        let label = geometry.bbox(nodes.box_label(id)?)?;
        let shape = geometry.bbox(nodes.box_shape(id)?)?;
        let (what, own, room) = if label.width() > shape.width() {
            ("wide", label.width(), shape.width())
        } else {
            ("high", label.height(), shape.height())
        };
        let warning = || {
            let (own, room) = (precision.spell(own), precision.spell(room));
            (
                *row,
                format!("{}: text {own} {what} in a box of {room}", nodes.name(id)),
            )
        };
        (own > room).then(warning)
    };
    let boxes = boxes.take_while(|_| fcp::work::spend(1).is_ok());
    boxes.filter_map(over).collect()
}
