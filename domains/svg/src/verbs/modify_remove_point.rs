//! `modify … remove-point`

use fcp::prelude::*;

use crate::edit::segments::{Nth, count, points_of, repoint};
use crate::model::Drawing;

/// Remove a point of a polygon or polyline.
///
/// ```fcp
/// # raw '<polygon id="tri" points="0,0 10,0 5,9 -5,5"/>'
/// modify tri remove-point 4
/// > * polygon tri @(0,0 10x9)
/// modify tri remove-point 4
/// > ! tri has 3 points
/// >   try: ? path tri
/// ```
#[fcp_verb(category = "Paths", name = "modify remove-point", infix)]
pub fn modify_remove_point(
    drawing: &mut Drawing,
    /// The polygon or polyline.
    #[fcp(positional)]
    shape: Row,
    /// The point.
    #[fcp(positional)]
    n: Nth,
) -> Result<Reply> {
    let (id, points) = points_of(drawing, shape, "remove-point")?;
    // No repair removes another point.
    repoint(drawing, id, points.remove(count(n)), None)
}
