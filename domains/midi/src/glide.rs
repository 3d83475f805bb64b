//! Values that move over time, and the ticks of their points.

use std::fmt;

use fcp::prelude::*;
use fcp::value::nearest_word;

use crate::model::{Chunk, Song};
use crate::setting;
use crate::stamp;
use crate::target::Site;
use crate::transform::{exact, multiple, quarter_in};
use crate::values::{CONTROLLERS, Clock, Controller, Dur, Frac, Pos};

/// A value that can move on a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// A controller.
    Controller(Controller),
    /// The pitch bend.
    Bend,
    /// The aftertouch of the channel.
    Touch,
    /// The tempo, which belongs to the song, not to a track.
    Tempo,
}

impl fmt::Display for Moved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Controller(controller) => controller.fmt(f),
            Self::Bend => f.write_str("bend"),
            Self::Touch => f.write_str("touch"),
            Self::Tempo => f.write_str("tempo"),
        }
    }
}

impl FcpValue for Moved {
    const SPEC: ValueSpec = ValueSpec::new("WHAT", "bend, touch, or a controller: expression, 11");

    fn parse(text: &str) -> Result<Self, ValueError> {
        match text.to_ascii_lowercase().as_str() {
            "bend" => return Ok(Self::Bend),
            "touch" => return Ok(Self::Touch),
            "tempo" => return Ok(Self::Tempo),
            _ => {}
        }
        Controller::parse(text)
            .map(Self::Controller)
            .map_err(|error| {
                let names = CONTROLLERS
                    .iter()
                    .flat_map(|(_, names)| names.iter().copied());
                let near = nearest_word(text, names.chain(["bend", "touch"]));
                ValueError::new("is not a controller, bend or touch")
                    .maybe_fix(near.map(str::to_owned).or(error.fix))
            })
    }
}

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
        Some(step) => song.period(step, chunk, exact(start))?,
        None => quarter_in(song, 4),
    };
    let steps = exact(end - start).over(apart).map_or(0, Frac::floor);
    let count = steps.unsigned_abs() + 1;
    stamp::bounded(song, 1, count)?;
    let ticks = (0..count).map(|n| start + multiple(apart, n));
    let mut ticks: Vec<u64> = ticks.filter(|tick| *tick < end).collect();
    ticks.push(end);
    // Steps shorter than a tick may fall on the same tick.
    ticks.dedup();
    Ok(ticks)
}

/// Writes points, each a tick and a value, in place of the rows from a site to a tick, both
/// included.
pub fn replace(song: &mut Song, site: Site, what: Moved, end: u64, points: &[(u64, i32)]) {
    let points = points.iter().map(|(at, value)| {
        let byte = u8::try_from((*value).clamp(0, 127)).unwrap_or(0);
        (Site { at: *at, ..site }, *value, byte)
    });
    match what {
        Moved::Controller(controller) => {
            let number = controller.get();
            let new = points.map(|(site, _, byte)| site.control(number, byte));
            setting::replace(song, &site.control(number, 0), end, new);
        }
        Moved::Bend => {
            let new = points.map(|(site, value, _)| site.bend(value));
            setting::replace(song, &site.bend(0), end, new);
        }
        Moved::Touch => {
            let new = points.map(|(site, _, byte)| site.touch(None, byte));
            setting::replace(song, &site.touch(None, 0), end, new);
        }
        Moved::Tempo => {}
    }
}
