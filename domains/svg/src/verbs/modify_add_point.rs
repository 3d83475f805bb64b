//! `modify … add-point`

use fcp::prelude::*;
use fcp::value::Point;

use crate::edit::segments::{Nth, count, point, points_of, repoint};
use crate::model::Drawing;

/// Add a point to a polygon or polyline.
///
/// ```fcp
/// # raw '<polygon id="tri" points="0,0 10,0 5,9"/>'
/// modify tri add-point to:-5,5
/// > * polygon tri @(-5,0 15x9)
/// modify tri add-point to:15,5 before:7
/// > ! tri has 4 points
/// >   try: modify tri add-point to:15,5 before:4
/// ```
#[fcp_verb(category = "Paths", name = "modify add-point", infix)]
pub fn modify_add_point(
    drawing: &mut Drawing,
    /// The polygon or polyline.
    #[fcp(positional)]
    shape: Row,
    /// The point.
    to: Point,
    /// The point it comes before; it comes last if left out.
    before: Option<Spanned<Nth>>,
) -> Result<Reply> {
    let (id, points) = points_of(drawing, shape, "add-point")?;
    let number = before.as_ref().map(|n| count(*n.get()));
    let points = points.add(point(drawing, &to), number);
    repoint(drawing, id, points, before.as_ref())
}
