//! `modify … relative`

use fcp::prelude::*;

use crate::edit::segments::{path_of, redraw};
use crate::model::Drawing;

/// Write every segment of a path relative.
///
/// ```fcp
/// # raw '<path id="my_path" d="M10 10H50"/>'
/// modify my_path relative
/// > * path my_path @(10,10 40x0)
/// modify my_path relative
/// > = no change
/// ```
#[fcp_verb(category = "Paths", infix)]
pub fn modify_relative(
    drawing: &mut Drawing,
    /// The path.
    #[fcp(positional)]
    path: Row,
) -> Result<Reply> {
    let (id, path) = path_of(drawing, path, "relative")?;
    redraw(drawing, id, path.relative())
}
