//! Extents: exported ticks, polyphony, and the size of a track.

use fcp::prelude::*;

use crate::model::{Chunk, Note, Song, Track};

/// The largest number of notes that sound together.
#[must_use]
pub fn polyphony(notes: &[&Note]) -> usize {
    let mut edges: Vec<(u64, bool)> = Vec::with_capacity(2 * notes.len());
    for note in notes {
        edges.push((note.at, true));
        edges.push((note.at + note.dur.unwrap_or(0).max(1), false));
    }
    // At one tick, note-offs come before note-ons.
    edges.sort_unstable();
    let (mut open, mut most) = (0_usize, 0);
    for (_, starts) in edges {
        open = if starts {
            open + 1
        } else {
            open.saturating_sub(1)
        };
        most = most.max(open);
    }
    most
}

/// The number of a chunk in the file, from 1.
pub fn chunk_number(song: &Song, chunk: Id<Chunk>) -> usize {
    song.chunks.index().number(chunk)
}

/// The chunk of a track, with its number of events and its end.
#[must_use]
pub fn describe_chunk(song: &Song, row: &Track) -> String {
    let end = song.end_of_chunk(row.chunk);
    let events = song.timelines().into_iter();
    let events: usize = events
        .map(|(_, line)| line.range(row.chunk, 0, u64::MAX).count())
        .sum();
    format!(
        "  chunk: {} of {}, events {events}, end tick {}",
        chunk_number(song, row.chunk),
        song.chunks.len(),
        end.unwrap_or_else(|| song.last_tick(row.chunk))
    )
}
