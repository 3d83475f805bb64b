//! `modify … add-smooth`

use fcp::prelude::*;
use fcp::value::Point;

use crate::edit::segments::{Ending, Nth, add_segment, path_of, point};
use crate::model::Drawing;
use crate::path::Draw;

/// Add a curve to a path that goes on smoothly: quadratic, or cubic with its second control.
///
/// ```fcp
/// # raw '<path id="my_path" d="M0 0Q10 10 20 0"/>'
/// modify my_path add-smooth to:40,0
/// > * path my_path @(0,-5 40x10)
/// modify my_path add-smooth to:60,0 control2:50,10 before:9
/// > ! my_path has 3 segments
/// >   try: modify my_path add-smooth to:60,0 control2:50,10 before:3
/// ```
#[fcp_verb(category = "Paths", name = "modify add-smooth", infix)]
pub fn modify_add_smooth(
    drawing: &mut Drawing,
    /// The path.
    #[fcp(positional)]
    path: Row,
    #[fcp(flatten)] ending: Ending,
    /// The second control, of a cubic.
    #[fcp(alias = "c2")]
    control2: Option<Point>,
    /// The segment it comes before; it comes last if left out.
    before: Option<Spanned<Nth>>,
) -> Result<Reply> {
    let path = path_of(drawing, path, "add-smooth")?;
    let draw = Draw::Smooth {
        to: ending.target(drawing)?,
        control2: control2.map(|pair| point(drawing, &pair)),
    };
    add_segment(drawing, path, &draw, before.as_ref())
}
