//! Values that move over time, and the ticks of their points.

use fcp::prelude::*;

use crate::model::{Chunk, Site, Song, channel_state, limits};
use crate::values::{Clock, Dur, Frac, Pos, RampTarget};

/// The start and end ticks of a movement.
///
/// # Errors
/// The end is invalid here, or not after the start.
pub fn ends(song: &Song, chunk: Id<Chunk>, start: u64, until: &Spanned<Pos>) -> Result<(u64, u64)> {
    let end = song.song_tick(Some(until), chunk)?;
    if end <= start {
        let problem = format!("is not after {}", song.shown(chunk, start));
        // The next barline, or a second later if there are no bars.
        let next = match song
            .clock(chunk)
            .seconds_to_ticks(Frac::ZERO, Frac::whole(1))
        {
            Some(second) if !song.has_bars() => start.saturating_add_signed(second.round()),
            _ => song.bars(chunk).bar(song.bars(chunk).place(start).bar + 1),
        };
        return Err(until.wrong(ValueError::new(problem).fix(song.shown(chunk, next))));
    }
    Ok((start, end))
}

/// The ticks of the points between two ticks, both included: a sixteenth apart if no step is given.
///
/// # Errors
/// The step is invalid here, or there would be too many points.
pub fn ticks(
    song: &Song,
    chunk: Id<Chunk>,
    start: u64,
    end: u64,
    step: Option<&Spanned<Dur>>,
) -> Result<Vec<u64>> {
    let apart = match step {
        Some(step) => song.period(step, chunk, Frac::of_tick(start))?,
        None => song.quarter_in(4),
    };
    let steps = Frac::of_tick(end - start)
        .over(apart)
        .map_or(0, Frac::floor);
    let count = steps.unsigned_abs() + 1;
    limits::bounded(song, 1, count)?;
    let ticks = (0..count).map(|n| start + apart.multiple(n));
    let mut ticks: Vec<u64> = ticks.filter(|tick| *tick < end).collect();
    ticks.push(end);
    // Steps shorter than a tick may fall on the same tick.
    ticks.dedup();
    Ok(ticks)
}

/// Writes points, each a tick and a value, in place of the rows from a site to a tick, both
/// included.
pub fn replace(song: &mut Song, site: Site, what: RampTarget, end: u64, points: &[(u64, i32)]) {
    let points = points.iter().map(|(at, value)| {
        let byte = u8::try_from((*value).clamp(0, 127)).unwrap_or(0);
        (Site { at: *at, ..site }, *value, byte)
    });
    match what {
        RampTarget::Controller(controller) => {
            let number = controller.get();
            let new = points.map(|(site, _, byte)| site.control(number, byte));
            channel_state::replace(song, &site.control(number, 0), end, new);
        }
        RampTarget::Bend => {
            let new = points.map(|(site, value, _)| site.bend(value));
            channel_state::replace(song, &site.bend(0), end, new);
        }
        RampTarget::Touch => {
            let new = points.map(|(site, _, byte)| site.touch(None, byte));
            channel_state::replace(song, &site.touch(None, 0), end, new);
        }
        RampTarget::Tempo => {}
    }
}
