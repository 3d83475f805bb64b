//! `modify … add-arc`

use fcp::prelude::*;
use fcp::value::Angle;

use crate::edit::segments::{Ending, Nth, add_segment, path_of};
use crate::model::Drawing;
use crate::path::{ArcShape, Draw};
use crate::values::Radii;

/// Add part of an ellipse to a path.
///
/// ```fcp
/// # raw '<path id="my_path" d="M10 10h40"/>'
/// modify my_path add-arc to:50,30 r:10
/// > * path my_path @(10,10 50x20)
/// modify my_path add-arc by:0,-20 r:10 sweep:off
/// > * path my_path @(10,10 50x20)
/// modify my_path add-arc to:50,30 r:0
/// > ! r:0 is not above 0
/// >   try: modify my_path add-arc to:50,30 r:10
/// ```
#[fcp_verb(category = "Paths", name = "modify add-arc", infix)]
pub fn modify_add_arc(
    drawing: &mut Drawing,
    /// The path.
    #[fcp(positional)]
    path: Row,
    #[fcp(flatten)] ending: Ending,
    /// One radius, or RX,RY.
    r: Radii,
    /// By how much the ellipse is turned.
    rotation: Option<Angle>,
    /// The longer way round.
    #[fcp(default = Switch(false))]
    large: Switch,
    /// Clockwise.
    #[fcp(default = Switch(true))]
    sweep: Switch,
    /// The segment it comes before; it comes last if left out.
    before: Option<Spanned<Nth>>,
) -> Result<Reply> {
    let path = path_of(drawing, path, "add-arc")?;
    let draw = Draw::Arc {
        to: ending.target(drawing)?,
        shape: ArcShape {
            radii: r.vec(),
            rotation: rotation.map_or(0.0, |angle| angle.degrees()),
            large: large.0,
            sweep: sweep.0,
        },
    };
    add_segment(drawing, path, &draw, before.as_ref())
}
