//! `outside`

use fcp::prelude::*;

use crate::checks::stacking::independent;
use crate::model::Drawing;

/// An object that lies wholly outside the canvas.
#[fcp_lint(weight = 40)]
pub fn outside(drawing: &Drawing, rows: &[Row]) -> Vec<(Row, String)> {
    let geometry = drawing.geometry();
    let (canvas, styles) = (geometry.canvas(), drawing.styles());
    // Without a size, the canvas extends over all content.
    let root = drawing.nodes.root();
    let says = |name| root.is_some_and(|root| drawing.nodes.attr(root, name).is_some());
    let sized = says("viewBox") || says("width") && says("height");
    if !sized {
        return Vec::new();
    }
    let lies = |(row, id)| {
        let found = geometry.bbox(id)?;
        // A border on the edge counts as inside, since half of it is visible.
        let apart = found.x1 < canvas.x0
            || found.x0 > canvas.x1
            || found.y1 < canvas.y0
            || found.y0 > canvas.y1;
        let warning = || {
            (
                row,
                format!("{}: outside the canvas", drawing.nodes.name(id)),
            )
        };
        (apart && styles.is_displayed(id)).then(warning)
    };
    independent(drawing, rows).filter_map(lies).collect()
}
