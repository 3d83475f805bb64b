//! `@pitch`

use fcp::prelude::*;

use crate::model::{Aftertouch, Note, Song, part};
use crate::values::{Channel, PitchSet};

/// Notes of a pitch, a span of pitches, or a class in any octave; with `@type:touch` key aftertouch.
#[fcp_selector]
pub fn pitch(song: &Song, set: PitchSet) -> Pick<'_> {
    Pick::test(move |row| {
        if row.part() == part::<Aftertouch>() {
            let touch = song.touches.get(row.of());
            return touch.is_some_and(|touch| {
                let is_drum = touch.channel == Channel::DRUMS;
                touch
                    .pitch
                    .is_some_and(|pitch| set.contains(pitch, is_drum))
            });
        }
        let note = (row.part() == <Song as HasTable<Note>>::PART)
            .then(|| song.notes.get(row.of()))
            .flatten();
        note.is_some_and(|note| set.contains(note.pitch, note.is_drum()))
    })
}
