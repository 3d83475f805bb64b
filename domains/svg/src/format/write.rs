//! From a drawing to bytes.

use fcp::format::encoding;
use fcp::format::xml::Node;
use fcp::model::{Step, Tree, TreeRow};
use fcp::prelude::*;

use crate::model::{Drawing, Index, NodeId};

/// Writes a drawing in its encoding: every byte that was read and not changed is written as it was. Packed, it is the
/// unpacked bytes that are.
///
/// # Errors
/// It cannot be packed.
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

/// Writes the text of a drawing, in UTF-8 whatever its encoding is.
pub fn source(drawing: &Drawing, out: &mut Pieces) {
    each(drawing, |id, text| out.row(id, text));
}

/// Goes over the text of a drawing: of each node what is before its children, and what is after them.
fn each(drawing: &Drawing, mut piece: impl FnMut(NodeId, &str)) {
    let tree = drawing.nodes.tree();
    let mut text = String::new();
    for step in tree.walk(Tree::<Node, Index>::ROOT) {
        let (Step::Enter(id) | Step::Leave(id)) = step;
        let Some(node) = tree.get(id) else { continue };
        text.clear();
        let mut sink = |part: &str| text.push_str(part);
        match step {
            Step::Enter(_) => node.head(&mut sink),
            Step::Leave(_) => node.tail(&mut sink),
        }
        piece(id, &text);
    }
}
