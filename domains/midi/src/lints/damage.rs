//! `damage`

use fcp::prelude::*;

use crate::model::{Chunk, Song};

/// A track chunk that could not be read to its end.
#[fcp_lint(weight = 100)]
pub fn damage(song: &Song, id: Id<Chunk>, chunk: &Chunk) -> Option<String> {
    let fault = chunk.fault.as_ref()?;
    let track = song.tracks.index().of(id).next();
    let name = track.map_or_else(|| "song".to_owned(), |track| song.name_of_track(track));
    Some(format!(
        "{name}: chunk {} is damaged from byte {} on, {} (fix damage)",
        crate::display::track_size::chunk_number(song, id),
        fault.offset,
        fault.message
    ))
}
