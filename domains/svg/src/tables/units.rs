//! The units of columns and of attributes, which differ under a transform.

use fcp::prelude::*;
use kurbo::Affine;

use crate::model::{Drawing, NodeId};

/// Attributes of `modify` in the units of their element.
const ATTRIBUTES: &[&str] = &[
    "x", "y", "cx", "cy", "x1", "y1", "x2", "y2", "width", "height", "r", "rx", "ry", "dx", "dy",
    "points", "d",
];

/// Columns of `elements` in canvas units.
const ON_CANVAS: &[&str] = &["x", "y", "w", "h", "cx", "cy"];

/// Checks that an attribute is not computed from columns in other units than its own.
pub fn check(drawing: &Drawing, key: &str, reads: &Reads, rows: &[Row]) -> Result<()> {
    if !ATTRIBUTES.contains(&key) || !reads.any(ON_CANVAS) {
        return Ok(());
    }
    let geometry = drawing.geometry();
    let is_apart = |row: &&Row| geometry.inner(row.of()) != Affine::IDENTITY;
    let Some(row) = rows.iter().find(is_apart) else {
        return Ok(());
    };
    let name = drawing.nodes.name(NodeId::new(row.id()));
    Err(Diagnostic::new(format!(
        "{} are canvas units, and {key} of {name} is in those of its transform",
        ON_CANVAS.join(", ")
    ))
    .or_syntax("UPDATE elements SET x=EXPR, y=EXPR … WHERE …, in canvas units"))
}
