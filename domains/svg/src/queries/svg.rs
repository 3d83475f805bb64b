//! `svg`

use fcp::prelude::*;

use crate::model::Drawing;

/// Show the exact bytes of objects, as a save would write them; `*` is the whole file.
///
/// ```fcp
/// # raw '<circle id="dot" cx="+10"  cy="1e1" r="8.50"/>'
/// ? svg dot
/// > <circle id="dot" cx="+10"  cy="1e1" r="8.50"/>
/// ? svg *
/// > <svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" viewBox="0 0 800 600">
/// >   <circle id="dot" cx="+10"  cy="1e1" r="8.50"/>
/// > </svg>
/// ```
#[fcp_query]
pub fn svg(
    drawing: &Drawing,
    /// The objects.
    rows: Rows,
) -> Result<Vec<String>> {
    let tree = drawing.nodes.tree();
    let mut lines = Vec::new();
    let mut ids = drawing.outermost(&rows);
    // The root is shown with the whole file.
    if let Some(root) = drawing.nodes.root().filter(|root| ids.contains(root)) {
        ids = vec![root];
    }
    // An element is shown with all its content.
    for id in ids {
        let whole = drawing.nodes.root() == Some(id);
        let text = if whole { tree.text() } else { tree.text_of(id) };
        lines.extend(text.trim_start().lines().map(str::to_owned));
    }
    Ok(lines)
}
