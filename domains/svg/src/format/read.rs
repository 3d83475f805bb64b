//! From bytes to a drawing.

use fcp::format::xml::{self, Limits};
use fcp::model::Tree;
use fcp::prelude::*;

use crate::model::{Drawing, Envelope};

/// Reads a file.
///
/// # Errors
/// It is not well-formed, its root is no `svg`, its encoding does not give its bytes back, or it passes a limit.
pub fn read(bytes: &[u8]) -> Result<Drawing> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        bail!("the file is not UTF-8")
    };
    let mut drawing = Drawing::default();
    let fragment = xml::read(text.to_owned(), &Limits::default())?;
    fragment.place(drawing.nodes.tree_mut(), Tree::<_, ()>::ROOT, None)?;
    let root = drawing.nodes.root();
    let name = root.and_then(|root| drawing.nodes.element(root));
    match name.map(|element| element.local_name()) {
        Some("svg") => {}
        Some(other) => bail!("the root element is <{other}>, not <svg>"),
        None => bail!("the file has no root element"),
    }
    drawing.envelope.set(Envelope::default());
    Ok(drawing)
}
