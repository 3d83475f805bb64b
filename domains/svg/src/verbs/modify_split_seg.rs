//! `modify … split-seg`

use fcp::prelude::*;

use crate::edit::segments::{Nth, count, path_of, redraw_at};
use crate::model::Drawing;

/// Cut a segment of a path in two that together draw what it drew.
///
/// ```fcp
/// # raw '<path id="my_path" d="M0 0L10 10"/>'
/// modify my_path split-seg 2
/// > * path my_path @(0,0 10x10)
/// ? path my_path
/// > my_path 3 segments, open, length 14.142
/// > 1 M 0,0
/// > 2 L 5,5
/// > 3 L 10,10
/// modify my_path split-seg 2 t:1
/// > ! my_path: t must be above 0 and below 1
/// >   try: ? path my_path
/// ```
#[fcp_verb(category = "Paths", name = "modify split-seg", infix)]
pub fn modify_split_seg(
    drawing: &mut Drawing,
    /// The path.
    #[fcp(positional)]
    path: Row,
    /// The segment.
    #[fcp(positional)]
    n: Spanned<Nth>,
    /// The place, from 0 at its start to 1 at its end; the middle if left out.
    t: Option<Number>,
) -> Result<Reply> {
    let (id, path) = path_of(drawing, path, "split-seg")?;
    let precision = drawing.geometry().precision();
    let t = t.map_or(0.5, Number::get);
    let d = path.split_segment(count(*n.get()), t, precision);
    redraw_at(drawing, id, d, &n)
}
