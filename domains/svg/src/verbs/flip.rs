//! `flip`

use fcp::prelude::*;

use crate::model::Drawing;
use crate::moving::{Turn, centers, laid_over, movable, report_transforms};
use crate::resolve::About;
use crate::values::Axis;

/// Mirror objects, each about its own centre.
///
/// ```fcp
/// # raw '<path id="tick" d="M10 0h20v10z"/>'
/// flip tick h
/// > * path tick transform: translate(40 0) scale(-1 1)
/// flip tick v
/// > * path tick transform: translate(0 10) scale(1 -1) translate(40 0) scale(-1 1)
/// ```
#[fcp_verb(category = "Arrange")]
pub fn flip(
    drawing: &mut Drawing,
    /// The objects; one inside another is mirrored with it.
    rows: Rows,
    /// Left for right, or top for bottom.
    #[fcp(positional)]
    axis: Axis,
) -> Result<Reply> {
    let ids = movable(drawing, &rows)?;
    let geometry = drawing.geometry();
    let points = centers(drawing, &geometry, &ids, About::Own)?;
    let (turn, done) = match axis {
        Axis::H => (Turn::Scale(-1.0, 1.0), "flipped left for right"),
        Axis::V => (Turn::Scale(1.0, -1.0), "flipped top for bottom"),
    };
    let mut edits = Vec::new();
    for (id, point) in ids.iter().zip(points) {
        edits.extend(laid_over(drawing, &geometry, *id, turn, point)?);
    }
    if !drawing.make(edits)? {
        return Ok(unchanged!("no change"));
    }
    Ok(report_transforms(drawing, &ids, done))
}
