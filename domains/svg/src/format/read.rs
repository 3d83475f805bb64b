//! Reads a drawing from bytes.

use fcp::format::encoding;
use fcp::format::xml::{self, Node};
use fcp::model::Tree;
use fcp::prelude::*;

use crate::environment::limits::Bounds;
use crate::model::{Drawing, Envelope};

/// The text bytes of a file, which may be compressed, up to a limit.
///
/// # Errors
/// If it cannot be decompressed.
pub fn unpacked(file: Vec<u8>, limit: u64) -> Result<Vec<u8>> {
    if !encoding::is_gzip(&file) {
        return Ok(file);
    }
    encoding::inflate(&file, usize::try_from(limit).unwrap_or(usize::MAX))
}

/// Reads a file, which may be compressed, with a limit on its decompressed bytes.
///
/// # Errors
/// If its encoding does not round-trip, it is not well-formed, its root is not `svg`, or it exceeds
/// a limit.
pub fn read(bytes: &[u8], limit: usize, bounds: &Bounds) -> Result<Drawing> {
    let packed = encoding::is_gzip(bytes);
    let (text, encoding) = if packed {
        encoding::decode(&encoding::inflate(bytes, limit)?)?
    } else {
        encoding::decode(bytes)?
    };
    let mut drawing = Drawing::default();
    let fragment = xml::read(text, &bounds.xml)?;
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
    if packed {
        drawing.packed.give(Some(encoding::Packed::new(bytes)));
    }
    let opened = drawing.nodes.next_id();
    drawing.envelope.set(Envelope {
        encoding,
        packed,
        opened,
    });
    Ok(drawing)
}
