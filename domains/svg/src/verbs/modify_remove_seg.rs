//! `modify … remove-seg`

use fcp::prelude::*;

use crate::edit::segments::{path_of, redraw};
use crate::model::Drawing;
use crate::values::SegmentRange;

/// Remove segments of a path. The next one starts where they began, and ends where it did.
///
/// ```fcp
/// # raw '<path id="my_path" d="M0 0L10 10L20 0L30 10"/>'
/// modify my_path remove-seg 9
/// > ! my_path has 4 segments
/// >   try: ? path my_path
/// modify my_path remove-seg 2-3
/// > * path my_path @(0,0 30x10)
/// modify my_path remove-seg 1-2
/// > ! my_path: no segment would be left
/// >   try: ? path my_path
/// ```
#[fcp_verb(category = "Paths", name = "modify remove-seg", infix)]
pub fn modify_remove_seg(
    drawing: &mut Drawing,
    /// The path.
    #[fcp(positional)]
    path: Row,
    /// The segment, or the first and the last.
    #[fcp(positional)]
    n: SegmentRange,
) -> Result<Reply> {
    let (id, path) = path_of(drawing, path, "remove-seg")?;
    // No repair removes other segments.
    redraw(drawing, id, path.remove_segments(n.first, n.last))
}
