//! `svg`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// Show the exact bytes of objects, as a save would write them.
///
/// ```fcp
/// # raw '<circle id="dot" cx="+10"  cy="1e1" r="8.50"/>'
/// ? svg dot
/// > <circle id="dot" cx="+10"  cy="1e1" r="8.50"/>
/// ```
#[fcp_query]
pub fn svg(
    drawing: &Drawing,
    /// The objects.
    rows: Rows,
) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for row in rows.iter() {
        let text = drawing.nodes.tree().text_of(NodeId::new(row.id()));
        lines.extend(text.trim_start().lines().map(str::to_owned));
    }
    Ok(lines)
}
