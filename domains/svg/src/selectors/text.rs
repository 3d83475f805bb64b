//! `@text`

use fcp::prelude::*;

use crate::model::{Drawing, NodeId};

/// Texts that contain these words, whatever the case.
#[fcp_selector]
pub fn text(drawing: &Drawing, words: Text) -> Result<Pick<'_>, ValueError> {
    let words = words.as_str().to_lowercase();
    Ok(Pick::test(move |row| {
        let id = NodeId::new(row.id());
        drawing.nodes.kind_name(id) == "text"
            && drawing.nodes.text_of(id).to_lowercase().contains(&words)
    }))
}
