//! `modify … add-line`

use fcp::prelude::*;

use crate::edit::segments::{Ending, Nth, add_segment, path_of};
use crate::model::Drawing;
use crate::path::Draw;

/// Add a line to a path.
///
/// ```fcp
/// # raw '<path id="my_path" d="M10 10h40"/>'
/// # raw '<rect id="card" width="9" height="9"/>'
/// modify my_path add-line to:50,30
/// > * path my_path @(10,10 40x20)
/// modify my_path add-line by:-10,0 before:2
/// > * path my_path @(0,10 50x20)
/// modify my_path add-line
/// > ! to: or by: sets the end
/// >   try: modify my_path add-line to:10,10
/// modify card add-line to:50,30
/// > ! add-line on rect card
/// >   try: convert card to:path
/// ```
#[fcp_verb(category = "Paths", name = "modify add-line", infix)]
pub fn modify_add_line(
    drawing: &mut Drawing,
    /// The path.
    #[fcp(positional)]
    path: Row,
    #[fcp(flatten)] ending: Ending,
    /// The segment it comes before; it comes last if left out.
    before: Option<Spanned<Nth>>,
) -> Result<Reply> {
    let path = path_of(drawing, path, "add-line")?;
    let draw = Draw::Line(ending.target(drawing)?);
    add_segment(drawing, path, &draw, before.as_ref())
}
