//! Writes a drawing to bytes.

use fcp::format::encoding::{self, Encoding};
use fcp::model::{Step, TreeRow};
use fcp::prelude::*;

use crate::model::Drawing;

/// Writes a drawing in its encoding, with every unchanged byte as it was read. For a changed
/// compressed file, this is true of its decompressed bytes and its header.
///
/// # Errors
/// If it cannot be compressed.
pub fn write(drawing: &Drawing, format: &str, out: &mut Pieces) -> Result<()> {
    let encoding = drawing.envelope.encoding;
    out.part("envelope", encoding.mark());
    nodes(drawing, encoding, out);
    match format {
        "svgz" => match &*drawing.packed {
            Some(packed) => out.pack(|content| packed.repacked(content)),
            None => out.pack(encoding::deflate),
        },
        _ => Ok(()),
    }
}

/// Writes the text of a drawing in UTF-8, independent of its encoding.
pub fn source(drawing: &Drawing, out: &mut Pieces) {
    nodes(drawing, Encoding::default(), out);
}

/// Writes each node: its text before its children, and its text after them, which most elements do
/// not have.
fn nodes(drawing: &Drawing, encoding: Encoding, out: &mut Pieces) {
    for (step, node) in drawing.nodes.tree().walk_rows() {
        let (Step::Enter(id) | Step::Leave(id)) = step;
        out.row_by(id, |bytes| {
            let mut sink = |part: &str| bytes.extend_from_slice(&encoding.encode_part(part));
            match step {
                Step::Enter(_) => node.head(&mut sink),
                Step::Leave(_) => node.tail(&mut sink),
            }
        });
    }
}
