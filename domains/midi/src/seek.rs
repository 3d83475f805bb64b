//! What query `find` finds: the notes of a pitch, else what says a text.

use fcp::prelude::*;

use crate::listed::{Listed, Naming};
use crate::model::{Lyric, Marker, Note, Other, Remark, Song, Track, part};
use crate::values::PitchSet;

impl Song {
    /// The notes of a pitch, class or drum; else tracks, markers, lyrics and texts with a text in them, in any case.
    #[must_use]
    pub fn found(&self, text: &str) -> Listing<'_> {
        let rows = match PitchSet::parse(text) {
            Ok(set) => pitched(self, &set),
            Err(_) => saying(self, &text.to_lowercase()),
        };
        Listed::picked(self, Naming::Changes, rows).listing()
    }
}

fn pitched(song: &Song, set: &PitchSet) -> Vec<Row> {
    let notes = song.notes.iter().filter(|(_, note)| {
        let drums = song.tracks.get(note.track).is_some_and(Track::is_drums);
        set.contains(note.pitch, drums)
    });
    notes
        .map(|(id, _)| Row::new(part::<Note>(), id.number()))
        .collect()
}

fn saying(song: &Song, sought: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut look = |part: usize, id: u32, text: &str| {
        if text.to_lowercase().contains(sought) {
            rows.push(Row::new(part, id));
        }
    };
    for (id, row) in song.ordered() {
        look(part::<Track>(), id.number(), &row.name);
    }
    for (id, row) in song.markers.iter() {
        look(part::<Marker>(), id.number(), &row.text);
    }
    for (id, row) in song.lyrics.iter() {
        look(part::<Lyric>(), id.number(), &row.text);
    }
    for (id, row) in song.texts.iter() {
        look(part::<Remark>(), id.number(), &row.text);
    }
    for (id, row) in song.others.iter().filter(|(_, row)| row.is_name()) {
        let text = crate::lines::said(song, &row.body);
        look(part::<Other>(), id.number(), &text);
    }
    rows
}
