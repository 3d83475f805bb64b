//! `damage`

use fcp::prelude::*;

use crate::model::{Chunk, Song};

/// A track chunk that could not be read to its end.
#[fcp_lint(weight = 100)]
pub fn damage(song: &Song, id: Id<Chunk>, chunk: &Chunk) -> Option<String> {
    let fault = chunk.fault.as_ref()?;
    let track = song.tracks.iter().find(|(_, track)| track.chunk == id);
    let name = track.map_or_else(|| "song".to_owned(), |(track, _)| song.name_of_track(track));
    Some(format!(
        "{name}: chunk {} is damaged from byte {} on, {} (fix damage)",
        crate::display::track_size::chunk_number(song, id),
        fault.offset,
        fault.message
    ))
}
