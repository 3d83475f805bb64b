//! From a drawing to bytes.

use fcp::format::encoding;
use fcp::format::xml::Node;
use fcp::model::{Step, Tree, TreeRow};
use fcp::prelude::*;

use crate::model::{Drawing, Index};

/// Writes a drawing in its encoding: every byte that was read and not changed is written as it was. Packed, it is the
/// unpacked bytes that are.
///
/// # Errors
/// It cannot be packed.
pub fn write(drawing: &Drawing, format: &str, out: &mut Pieces) -> Result<()> {
    let encoding = drawing.envelope.encoding;
    out.part("envelope", encoding.mark());
    let tree = drawing.nodes.tree();
    let mut text = String::new();
    for step in tree.walk(Tree::<Node, Index>::ROOT) {
        let (Step::Enter(id) | Step::Leave(id)) = step;
        let Some(node) = tree.get(id) else { continue };
        text.clear();
        let mut sink = |piece: &str| text.push_str(piece);
        match step {
            Step::Enter(_) => node.head(&mut sink),
            Step::Leave(_) => node.tail(&mut sink),
        }
        out.row(id, encoding.encode_part(&text));
    }
    match format {
        "svgz" => out.pack(encoding::deflate),
        _ => Ok(()),
    }
}
