//! `@text`

use fcp::prelude::*;
use fcp::work;

use crate::model::Song;

/// Bytes of a text that are searched in the time of a step.
const BYTES_A_STEP: usize = 64;

/// Lyrics, texts and markers that contain a text, to the letter.
///
/// # Errors
/// The text is empty.
#[fcp_selector(bears_type)]
pub fn text(song: &Song, sought: Text) -> Result<Pick<'_>, ValueError> {
    if sought.as_str().is_empty() {
        return Err(ValueError::sentence("@text: needs a text to look for"));
    }
    Ok(Pick::test(move |row| {
        // Texts may be very long, and the runtime reports that they are too much.
        song.text_of(row).is_some_and(|(text, _)| {
            work::spend(text.len() / BYTES_A_STEP).is_ok() && text.contains(sought.as_str())
        })
    }))
}
