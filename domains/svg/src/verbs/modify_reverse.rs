//! `modify … reverse`

use fcp::prelude::*;

use crate::edit::segments::{path_of, redraw};
use crate::model::Drawing;

/// Draw a path the other way round.
///
/// ```fcp
/// # raw '<path id="my_path" d="M10 10H50V30"/>'
/// modify my_path reverse
/// > * path my_path @(10,10 40x20)
/// ? path my_path
/// > my_path 3 segments, open, length 60
/// > 1 M 50,30
/// > 2 V 50,10
/// > 3 H 10,10
/// ```
#[fcp_verb(category = "Paths", infix)]
pub fn modify_reverse(
    drawing: &mut Drawing,
    /// The path.
    #[fcp(positional)]
    path: Row,
) -> Result<Reply> {
    let (id, path) = path_of(drawing, path, "reverse")?;
    redraw(drawing, id, path.reversed())
}
