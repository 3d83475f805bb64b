//! `modify … close`

use fcp::prelude::*;

use crate::edit::segments::{Nth, count, path_of, redraw, redraw_at};
use crate::model::Drawing;
use crate::path::Draw;

/// Close a path: a line back to where the subpath began.
///
/// ```fcp
/// # raw '<path id="my_path" d="M10 10h40"/>'
/// modify my_path add-line to:50,30
/// > * path my_path @(10,10 40x20)
/// modify my_path close
/// > * path my_path @(10,10 40x20)
/// ? path my_path
/// > my_path 4 segments, closed, length 104.721
/// > 1 M 10,10
/// > 2 H 50,10
/// > 3 L 50,30
/// > 4 Z
/// ```
#[fcp_verb(category = "Paths", infix)]
pub fn modify_close(
    drawing: &mut Drawing,
    /// The path.
    #[fcp(positional)]
    path: Row,
    /// The segment it comes before; it comes last if left out.
    before: Option<Spanned<Nth>>,
) -> Result<Reply> {
    let (id, path) = path_of(drawing, path, "close")?;
    let draw = Draw::Close;
    match before {
        Some(n) => {
            let d = path.add(&draw, Some(count(*n.get())));
            redraw_at(drawing, id, d, &n)
        }
        None => redraw(drawing, id, path.add(&draw, None)),
    }
}
