//! `outside`

use fcp::prelude::*;

use crate::model::Drawing;
use crate::stacking::standing;

/// An object that lies wholly outside the canvas.
#[fcp_lint(weight = 40)]
pub fn outside(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let geometry = drawing.geometry();
    let (canvas, styles) = (geometry.canvas(), drawing.styles());
    // Without a size the canvas reaches over all there is.
    let root = drawing.nodes.root();
    let says = |name| root.is_some_and(|root| drawing.nodes.attr(root, name).is_some());
    let sized = says("viewBox") || says("width") && says("height");
    if !sized {
        return Vec::new();
    }
    let lies = |(row, id)| {
        let found = geometry.bbox(id)?;
        // Borders count: what lies on one is half to be seen.
        let apart = found.x1 < canvas.x0
            || found.x0 > canvas.x1
            || found.y1 < canvas.y0
            || found.y0 > canvas.y1;
        let told = || {
            (
                row,
                format!("{}: outside the canvas", drawing.nodes.name(id)),
            )
        };
        (apart && styles.is_displayed(id)).then(told)
    };
    standing(drawing, rows).filter_map(lies).collect()
}
