//! The ticks of an export.

use fcp::prelude::*;

use crate::model::{Chunk, Song, Track};
use crate::values::Span;

/// The ticks to export: those of the span, or everything up to the end of the bar in which the song
/// (or the given track) ends.
///
/// # Errors
/// The span is invalid here.
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
