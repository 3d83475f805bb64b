//! `modify … add-move`

use fcp::prelude::*;

use crate::edit::segments::{Ending, Nth, add_segment, path_of};
use crate::model::Drawing;
use crate::path::Draw;

/// Begin another subpath of a path.
///
/// ```fcp
/// # raw '<path id="my_path" d="M10 10h40"/>'
/// modify my_path add-move to:50,30
/// > * path my_path @(10,10 40x0)
/// modify my_path add-line to:60,30
/// > * path my_path @(10,10 50x20)
/// ```
#[fcp_verb(category = "Paths", name = "modify add-move", infix)]
pub fn modify_add_move(
    drawing: &mut Drawing,
    /// The path.
    #[fcp(positional)]
    path: Row,
    #[fcp(flatten)] ending: Ending,
    /// The segment it comes before; it comes last if left out.
    before: Option<Spanned<Nth>>,
) -> Result<Reply> {
    let path = path_of(drawing, path, "add-move")?;
    let draw = Draw::Move(ending.target(drawing)?);
    add_segment(drawing, path, &draw, before.as_ref())
}
