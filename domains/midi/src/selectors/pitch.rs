//! `@pitch`

use fcp::prelude::*;

use crate::model::{Note, Song, Track};
use crate::values::PitchSet;

/// Notes of a pitch, a span of pitches, or a class in any octave.
#[fcp_selector]
pub fn pitch(song: &Song, set: PitchSet) -> Pick<'_> {
    Pick::test(move |row| {
        let note = (row.part() == <Song as HasTable<Note>>::PART)
            .then(|| song.notes.get(row.of()))
            .flatten();
        note.is_some_and(|note| {
            let drums = song.tracks.get(note.track).is_some_and(Track::is_drums);
            set.contains(note.pitch, drums)
        })
    })
}
