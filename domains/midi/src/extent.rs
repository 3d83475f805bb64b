//! How much there is on a track.

use fcp::prelude::*;

use crate::model::{Chunk, Note, Song, Track};
use crate::values::Span;

/// The ticks that an export is asked for: those of a span, or all to the end of the bar in which the song ends, or a
/// track, if one is given.
///
/// # Errors
/// The span makes no sense here.
pub fn asked_bars(
    song: &Song,
    chunk: Id<Chunk>,
    track: Option<Id<Track>>,
    range: Option<&Spanned<Span>>,
) -> Result<(u64, u64)> {
    let end = song.end_tick(track);
    let bars = song.bars(chunk);
    let last = bars.place(end.saturating_sub(1)).bar;
    if let Some(range) = range {
        let ticks = song.span_time(range.get(), chunk);
        let ticks = ticks.map(|(from, to)| (from, to.max(from + 1)));
        return ticks.map_err(|mut error| {
            error.fix = error
                .fix
                .or_else(|| song.has_bars().then(|| format!("1-{last}")));
            range.wrong(error)
        });
    }
    if !song.has_bars() {
        return Ok((0, end));
    }
    Ok((0, bars.bar(last + 1)))
}

/// How many notes sound together at most.
#[must_use]
pub fn polyphony(notes: &[&Note]) -> usize {
    let mut edges: Vec<(u64, bool)> = Vec::with_capacity(2 * notes.len());
    for note in notes {
        edges.push((note.at, true));
        edges.push((note.at + note.dur.unwrap_or(0).max(1), false));
    }
    // At a tick what ends is over before what starts.
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

/// Which chunk of the file one is, counted from 1.
pub fn chunk_number(song: &Song, chunk: Id<Chunk>) -> usize {
    let place = song.chunks.iter().position(|(id, _)| id == chunk);
    place.map_or(1, |ix| ix + 1)
}

/// Where a track stands in the file, and how much it holds.
#[must_use]
pub fn chunk_told(song: &Song, row: &Track) -> String {
    let chunk = song.chunks.get(row.chunk);
    let end = chunk
        .and_then(|chunk| chunk.end.as_ref())
        .map(|end| end.tick);
    let last = song.last_tick(row.chunk);
    let events = song.timelines().into_iter();
    let events: usize = events
        .map(|(_, line)| line.range(row.chunk, 0, u64::MAX).count())
        .sum();
    format!(
        "  chunk: {} of {}, events {events}, end tick {}",
        chunk_number(song, row.chunk),
        song.chunks.len(),
        end.map_or(last, |end| end.max(last))
    )
}
