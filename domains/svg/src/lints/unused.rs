//! `unused`

use fcp::prelude::*;

use crate::model::kind::Role;
use crate::model::{Drawing, NodeId};

/// A definition that was made since the file was opened and that nothing refers to.
#[fcp_lint(weight = -10)]
pub fn unused(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let nodes = &drawing.nodes;
    let opened = drawing.envelope.get().opened;
    let new = rows.iter().filter(|row| row.id() >= opened);
    let alone = |row: &Row| {
        let id = NodeId::new(row.id());
        if nodes.role(id) != Role::Definition {
            return None;
        }
        let own = nodes.attr(id, "id")?;
        let warning = || (*row, format!("{}: unused", nodes.name(id)));
        (nodes.tree().index().references_to(&own) == 0).then(warning)
    };
    new.filter_map(alone).collect()
}
