//! From a drawing to bytes.

use fcp::format::encoding;
use fcp::prelude::*;

use crate::model::Drawing;

/// Writes a drawing in its encoding: every byte that was read and not changed is written as it was. Packed, it is the
/// unpacked bytes that are.
///
/// # Errors
/// It cannot be packed.
pub fn write(drawing: &Drawing, format: &str) -> Result<Vec<u8>> {
    let text = drawing.nodes.tree().text();
    let bytes = drawing.envelope.encoding.encode(&text);
    match format {
        "svgz" => encoding::deflate(&bytes),
        _ => Ok(bytes),
    }
}
