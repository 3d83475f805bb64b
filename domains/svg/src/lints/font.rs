//! `font`

use fcp::prelude::*;

use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};

/// A text whose fonts are missing, so that it is drawn in others.
#[fcp_lint(weight = 10)]
pub fn font(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let ids = rows.iter().map(|row| (*row, NodeId::new(row.id())));
    let mut texts = ids
        .filter(|(_, id)| nodes.is_called(*id, "text") && nodes.role(*id) == Role::Graphic)
        .peekable();
    if texts.peek().is_none() {
        return Vec::new();
    }
    let geometry = drawing.geometry();
    let warning = |(row, id)| {
        let notes = &geometry.text(id)?.notes;
        let warning = || (row, format!("{}: {}", nodes.name(id), notes.join(", ")));
        (!notes.is_empty()).then(warning)
    };
    let texts = texts.take_while(|_| fcp::work::spend(1).is_ok());
    texts.filter_map(warning).collect()
}
