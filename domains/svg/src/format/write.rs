//! Writes a drawing to bytes.

use fcp::format::encoding;
use fcp::model::{Step, TreeRow};
use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// Writes a drawing in its encoding, with every unchanged byte as it was read. For a compressed
/// file, this is true of its decompressed bytes.
///
/// # Errors
/// If it cannot be compressed.
pub fn write(drawing: &Drawing, format: &str, out: &mut Pieces) -> Result<()> {
    let encoding = drawing.envelope.encoding;
    out.part("envelope", encoding.mark());
    each(drawing, |id, text| {
        out.row(id, encoding.encode_part(text));
    });
    match format {
        "svgz" => out.pack(encoding::deflate),
        _ => Ok(()),
    }
}

/// Writes the text of a drawing in UTF-8, independent of its encoding.
pub fn source(drawing: &Drawing, out: &mut Pieces) {
    each(drawing, |id, text| out.row(id, text));
}

/// Visits the text of a drawing: for each node, the text before its children and the text after
/// them.
fn each(drawing: &Drawing, mut piece: impl FnMut(NodeId, &str)) {
    let mut text = String::new();
    for (step, node) in drawing.nodes.tree().walk_rows() {
        text.clear();
        let mut sink = |part: &str| text.push_str(part);
        let id = match step {
            Step::Enter(id) => {
                node.head(&mut sink);
                id
            }
            Step::Leave(id) => {
                node.tail(&mut sink);
                id
            }
        };
        // Most elements have no end of their own.
        if !text.is_empty() {
            piece(id, &text);
        }
    }
}
