//! `rotate`

use fcp::prelude::*;
use fcp::value::Angle;

use crate::model::Drawing;
use crate::moving::{centers, movable, report_transforms, rotated};
use crate::resolve::About;

/// Turn objects clockwise.
///
/// This is the leading rotate, merged with one about the same point; one that comes to 0 is removed.
///
/// ```fcp
/// # raw '<rect id="card" x="10" y="20" width="40" height="20"/>'
/// # raw '<circle id="dot" cx="50" cy="50" r="10"/>'
/// rotate card by:45
/// > * rect card transform: rotate(45 30 30)
/// rotate card by:-45
/// > * rect card transform: none
/// rotate card by:0.25turn about:dot
/// > * rect card transform: rotate(90 50 50)
/// rotate @all by:10 about:selection
/// > @ 2 objects rotated by 10: card, dot
/// rotate card by:fast
/// > ! by:fast is no angle
/// >   try: rotate card by:45
/// ```
#[fcp_verb(category = "Arrange")]
pub fn rotate(
    drawing: &mut Drawing,
    /// The objects; one inside another turns with it.
    rows: Rows,
    /// The angle.
    by: Angle,
    /// The point they turn about; each about its own centre if left out.
    about: Option<About>,
) -> Result<Reply> {
    let ids = movable(drawing, &rows)?;
    let geometry = drawing.geometry();
    let points = centers(drawing, &geometry, &ids, about.unwrap_or(About::Own))?;
    let mut edits = Vec::new();
    for (id, point) in ids.iter().zip(points) {
        edits.extend(rotated(drawing, &geometry, *id, by.degrees(), point)?);
    }
    if !drawing.make(edits)? {
        return Ok(unchanged!("no change"));
    }
    Ok(report_transforms(
        drawing,
        &ids,
        &format!("rotated by {by}"),
    ))
}
