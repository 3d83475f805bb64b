//! `@pitch`

use fcp::prelude::*;

use crate::model::{Note, Song};
use crate::values::PitchSet;

/// Notes of a pitch, a span of pitches, or a class in any octave.
#[fcp_selector]
pub fn pitch(song: &Song, set: PitchSet) -> Pick<'_> {
    Pick::test(move |row| {
        let note = (row.part() == <Song as HasTable<Note>>::PART)
            .then(|| song.notes.get(row.of()))
            .flatten();
        note.is_some_and(|note| set.contains(note.pitch, note.is_drum()))
    })
}
