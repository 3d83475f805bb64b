//! `@scale`

use fcp::prelude::*;

use crate::model::{Note, Song};
use crate::values::Scale;

/// Notes whose tone belongs to a scale, or to the key in force; drum notes match neither this nor `@not:scale`.
///
/// Nor do notes without a key in force.
///
/// # Errors
/// No key is in force anywhere, and none is given.
#[fcp_selector]
pub fn scale(song: &Song, scale: Option<Scale>) -> Result<Pick<'_>, ValueError> {
    if scale.is_none() && song.keys.is_empty() {
        let problem = "no key is in force, so say which scale";
        return Err(ValueError::sentence(problem).fix_selector(Some("@scale:C-major")));
    }
    Ok(Pick::judged(move |row| {
        let note = song.row_as::<Note>(row);
        let Some(note) = note else {
            return Some(false);
        };
        let key = || song.key_at(note.chunk, note.at).map(Scale::from);
        let scale = scale.or_else(key).filter(|_| !note.is_drum())?;
        Some(scale.contains(note.pitch))
    }))
}
