//! `@text`

use fcp::prelude::*;
use fcp::work;

use crate::model::{Drawing, NodeId};

/// The bytes of a text that are compared in the time of a step.
const BYTES_A_STEP: usize = 16;

/// Texts that contain these words, whatever the case.
#[fcp_selector]
pub fn text(drawing: &Drawing, words: Text) -> Result<Pick<'_>, ValueError> {
    let words = words.as_str().to_lowercase();
    Ok(Pick::test(move |row| {
        let id = NodeId::new(row.id());
        if drawing.nodes.kind_name(id) != "text" {
            return false;
        }
        let text = drawing.nodes.text_of(id);
        // The call fails at its next check.
        let _ = work::spend(text.len() / BYTES_A_STEP);
        text.to_lowercase().contains(&words)
    }))
}
