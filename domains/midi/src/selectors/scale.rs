//! `@scale`

use fcp::prelude::*;

use crate::model::{Note, Song, Track, part};
use crate::values::Scale;

/// Notes whose tone belongs to a scale, or to the key in force; none of a drum track.
///
/// # Errors
/// No key is in force anywhere, and none is given.
#[fcp_selector]
pub fn scale(song: &Song, scale: Option<Scale>) -> Result<Pick<'_>, ValueError> {
    if scale.is_none() && song.keys.is_empty() {
        let told = "no key is in force, so say which scale";
        return Err(ValueError::sentence(told).fix_selector(Some("@scale:C-major")));
    }
    Ok(Pick::test(move |row| {
        let note = (row.part() == part::<Note>())
            .then(|| song.notes.get(row.of()))
            .flatten();
        note.is_some_and(|note| {
            let drums = song.tracks.get(note.track).is_some_and(Track::is_drums);
            let key = || song.key_at(note.chunk, note.at).map(Scale::from);
            let scale = scale.or_else(key);
            !drums && scale.is_some_and(|scale| scale.contains(note.pitch))
        })
    }))
}
