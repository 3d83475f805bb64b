//! `new`

use fcp::format::xml::{self, Limits};
use fcp::model::Tree;
use fcp::prelude::*;
use fcp::value::Size;

use crate::model::{Drawing, SVG};

/// Start an empty drawing.
#[fcp_action]
pub fn new(
    /// Its width and height, in user units; 800x600 if left out.
    size: Option<Size>,
) -> Result<Drawing> {
    let (width, height) = match &size {
        Some(size) => (size.width.to_string(), size.height.to_string()),
        None => ("800".to_owned(), "600".to_owned()),
    };
    let text = format!(
        "<svg xmlns=\"{SVG}\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n</svg>\n"
    );
    let mut drawing = Drawing::default();
    let tree = drawing.nodes.tree_mut();
    xml::read(text, &Limits::default())?.place(tree, Tree::<_, ()>::ROOT, None)?;
    Ok(drawing)
}
