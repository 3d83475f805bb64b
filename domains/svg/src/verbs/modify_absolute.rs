//! `modify … absolute`

use fcp::prelude::*;

use crate::edit::segments::{path_of, redraw};
use crate::model::Drawing;

/// Write every segment of a path absolute.
///
/// ```fcp
/// # raw '<path id="my_path" d="m10 10h40"/>'
/// modify my_path absolute
/// > * path my_path @(10,10 40x0)
/// modify my_path absolute
/// > = no change
/// ```
#[fcp_verb(category = "Paths", infix)]
pub fn modify_absolute(
    drawing: &mut Drawing,
    /// The path.
    #[fcp(positional)]
    path: Row,
) -> Result<Reply> {
    let (id, path) = path_of(drawing, path, "absolute")?;
    redraw(drawing, id, path.absolute())
}
