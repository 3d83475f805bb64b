//! Warnings about flawed notes of a track.

use fcp::prelude::*;

use crate::model::{Flaw, Song, Track};

/// `ch-2: 1 stuck note, G3 at 4.1 (fix stuck)`
///
/// `None` for a damaged chunk, which is reported as damaged instead.
pub fn flawed(
    song: &Song,
    track: Id<Track>,
    flaw: Flaw,
    [one, many]: [&str; 2],
    cure: &str,
) -> Option<String> {
    let (count, first) = song.flaws_on(flaw, track)?;
    let note = song.notes.get(first).filter(|_| !is_cut(song, track))?;
    let noun = if count == 1 { one } else { many };
    let first = if count == 1 { "" } else { "first " };
    let (on, pitch) = (song.name_of_track(track), song.pitch_of(note));
    let at = song.shown(note.chunk, note.at);
    Some(format!(
        "{on}: {count} {noun}, {first}{pitch} at {at} ({cure})"
    ))
}

/// Whether the chunk of a track is damaged: its notes and controllers may be incomplete because of
/// the unreadable part.
pub fn is_cut(song: &Song, track: Id<Track>) -> bool {
    let chunk = song.tracks.get(track).map(|track| track.chunk);
    let chunk = chunk.and_then(|chunk| song.chunks.get(chunk));
    chunk.is_some_and(|chunk| chunk.fault.is_some())
}
