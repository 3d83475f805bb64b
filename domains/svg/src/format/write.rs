//! From a drawing to bytes.

use fcp::prelude::*;

use crate::model::Drawing;

/// Writes a drawing: every byte that was read and not changed is written as it was.
///
/// # Errors
/// It cannot be packed.
pub fn write(drawing: &Drawing, format: &str) -> Result<Vec<u8>> {
    let text = drawing.nodes.tree().text();
    match format {
        "svgz" => bail!("not yet"),
        _ => Ok(text.into_bytes()),
    }
}
