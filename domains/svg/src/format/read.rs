//! From bytes to a drawing.

use fcp::format::encoding;
use fcp::format::xml::{self, Limits, Node};
use fcp::model::Tree;
use fcp::prelude::*;

use super::MOST_BYTES;
use crate::model::{Drawing, Envelope};

/// Reads a file, packed or not.
///
/// # Errors
/// Its encoding does not give its bytes back, it is not well-formed, its root is no `svg`, or it passes a limit.
pub fn read(bytes: &[u8]) -> Result<Drawing> {
    let packed = encoding::is_gzip(bytes);
    let (text, encoding) = if packed {
        encoding::decode(&encoding::inflate(bytes, MOST_BYTES)?)?
    } else {
        encoding::decode(bytes)?
    };
    let mut drawing = Drawing::default();
    let fragment = xml::read(text, &Limits::default())?;
    let tree = drawing.nodes.tree_mut();
    fragment.place(tree, Tree::<Node>::ROOT, None)?;
    tree.begin();
    let root = drawing
        .nodes
        .root()
        .and_then(|root| drawing.nodes.element(root));
    match root.map(xml::Element::local_name) {
        Some("svg") => {}
        Some(other) => bail!("the root element is <{other}>, not <svg>"),
        None => bail!("the file has no root element"),
    }
    let opened = drawing.nodes.next_id();
    drawing.envelope.set(Envelope {
        encoding,
        packed,
        opened,
    });
    Ok(drawing)
}
