//! The ticks of an export.

use fcp::prelude::*;

use crate::model::{Chunk, Song, Track};
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
