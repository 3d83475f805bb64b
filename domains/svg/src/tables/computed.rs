//! Values that an `UPDATE` computes from columns in other units than theirs.

use fcp::domain::Written;
use fcp::prelude::*;

use super::attributes::AttributeRow;
use super::node;
use super::styles::StyleRow;
use crate::model::Drawing;
use crate::resolve::units::{ON_CANVAS, Units};

/// Checks that an `UPDATE` does not compute an attribute or a style from columns in other units than its own.
pub fn check(drawing: &Drawing, written: &Written<'_>) -> Result<()> {
    let is_canvas = (written.reads)(ON_CANVAS) && (written.names)(&["elements", "points"]);
    if written.column != "value" || !is_canvas {
        return Ok(());
    }
    let geometry = drawing.geometry();
    for row in &written.rows {
        let attribute = row.downcast_ref::<AttributeRow>();
        let attribute = attribute.map(|row| (row.row, &row.name));
        let style = row.downcast_ref::<StyleRow>();
        let style = style.map(|row| (row.row, &row.property));
        if let Some((row, name)) = attribute.or(style)
            && let Some(units) = Units::of(name)
        {
            let ids = std::iter::once(node(row));
            units.check((drawing, &geometry), name, ids)?;
        }
    }
    Ok(())
}
