//! `@pitch`

use fcp::prelude::*;

use crate::model::{RowRef, Song};
use crate::values::{Channel, PitchSet};

/// Notes of a pitch, a span of pitches, or a class in any octave; with `@type:touch` key aftertouch.
#[fcp_selector]
pub fn pitch(song: &Song, set: PitchSet) -> Pick<'_> {
    Pick::test(move |row| {
        let sounding = match song.row_ref(row) {
            Some(RowRef::Note(note)) => Some((note.pitch, note.is_drum())),
            Some(RowRef::Touch(touch)) => {
                let is_drum = touch.channel == Channel::DRUMS;
                touch.pitch.map(|pitch| (pitch, is_drum))
            }
            _ => None,
        };
        sounding.is_some_and(|(pitch, is_drum)| set.contains(pitch, is_drum))
    })
}
