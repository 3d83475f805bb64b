//! `modify … add-curve`

use fcp::prelude::*;
use fcp::value::Point;

use crate::edit::segments::{Ending, Nth, add_segment, path_of, point};
use crate::model::Drawing;
use crate::path::Draw;

/// Add a curve to a path: quadratic with one control, cubic with two.
///
/// ```fcp
/// # raw '<path id="my_path" d="M10 10h40"/>'
/// # raw '<rect id="card" width="9" height="9"/>'
/// modify my_path add-curve to:100,200 control1:50,150
/// > * path my_path @(10,10 90x190)
/// ? path my_path
/// > my_path 3 segments, open, length 241.047
/// > 1 M 10,10
/// > 2 H 50,10
/// > 3 Q 100,200 c1:50,150
/// modify card add-curve to:100,200 control1:50,150
/// > ! add-curve on rect card
/// >   try: convert card to:path
/// ```
#[fcp_verb(category = "Paths", name = "modify add-curve", infix)]
pub fn modify_add_curve(
    drawing: &mut Drawing,
    /// The path.
    #[fcp(positional)]
    path: Row,
    #[fcp(flatten)] ending: Ending,
    /// The first control, or the only one.
    #[fcp(alias = "c1")]
    control1: Point,
    /// The second control, of a cubic.
    #[fcp(alias = "c2")]
    control2: Option<Point>,
    /// The segment it comes before; it comes last if left out.
    before: Option<Spanned<Nth>>,
) -> Result<Reply> {
    let path = path_of(drawing, path, "add-curve")?;
    let draw = Draw::Curve {
        to: ending.target(drawing)?,
        control1: point(drawing, &control1),
        control2: control2.map(|pair| point(drawing, &pair)),
    };
    add_segment(drawing, path, &draw, before.as_ref())
}
