//! `modify … move-point`

use fcp::prelude::*;

use crate::edit::segments::{Ending, Nth, count, path_of, points_of, redraw_at, repoint};
use crate::model::Drawing;
use crate::path::{Handles, PathPoint, Target};

/// Move a point of a path, polygon or polyline. The ends of all other segments stay.
///
/// ```fcp
/// # raw '<path id="my_path" d="m0 0l10 10l10 -10"/>'
/// # raw '<polygon id="tri" points="0,0 10,0 5,9"/>'
/// modify my_path move-point 2 to:10,20
/// > * path my_path @(0,0 20x20)
/// modify tri move-point 3 by:0,1
/// > * polygon tri @(0,0 10x10)
/// modify my_path move-point 2 to:5,5 point:c1
/// > ! my_path: segment L has no c1
/// >   try: ? path my_path
/// modify tri move-point 4 to:5,5
/// > ! tri has 3 points
/// >   try: modify tri move-point 3 to:5,5
/// ```
#[fcp_verb(category = "Paths", name = "modify move-point", infix)]
pub fn modify_move_point(
    drawing: &mut Drawing,
    /// The path, polygon or polyline.
    #[fcp(positional)]
    shape: Row,
    /// The segment whose point it is, or the point.
    #[fcp(positional)]
    n: Spanned<Nth>,
    #[fcp(flatten)] ending: Ending,
    /// Of a path: which point of the segment.
    #[fcp(default = PathPoint::End)]
    point: PathPoint,
    /// Of a path: whether the controls at an end move with it.
    #[fcp(default = Handles::Move)]
    handles: Handles,
) -> Result<Reply> {
    let target = ending.target(drawing)?;
    let number = count(*n.get());
    if let Ok((id, points)) = points_of(drawing, shape, "move-point") {
        let points = match target {
            Target::To(to) => points.move_to(number, to),
            Target::By(by) => points.move_by(number, by),
        };
        return repoint(drawing, id, points, Some(&n));
    }
    let (id, path) = path_of(drawing, shape, "move-point")?;
    let d = path.move_point(number, point, target, handles);
    redraw_at(drawing, id, d, &n)
}
