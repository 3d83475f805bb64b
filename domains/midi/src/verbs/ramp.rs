//! `ramp`

use fcp::prelude::*;
use fcp::reply::count;

use crate::edit::rows::ramp;
use crate::model::{Song, Track};
use crate::values::{Curve, Dur, Level, Pos, RampTarget};

/// Ramp a controller, the bend or the aftertouch of a track from one value to another.
///
/// Replaces the values in between. A point is written only where the value changes.
///
/// ```fcp
/// # track add Keys
/// ramp Keys expression from:40 to:100 at:1 until:2 step:q
/// > + Ramp expression 40 to 100 on Keys from 1.1 to 2.1 (5 points)
/// ramp Keys bend from:0 to:+2st at:3 until:3.2 step:e
/// > + Ramp bend 0 to 8191 on Keys from 3.1 to 3.2 (3 points)
/// ramp Keys expression from:40 to:100 at:2 until:1
/// > ! until:1 is not after 2.1
/// >   try: ramp Keys expression from:40 to:100 at:2 until:3.1
/// ramp Keys tempo from:90 to:120 at:2 until:3
/// > ! tempo belongs to the whole song, not a track
/// >   try: ramp tempo from:90 to:120 at:2 until:3
/// ```
#[fcp_verb(category = "Sound")]
pub fn ramp(
    song: &mut Song,
    /// The track.
    #[fcp(positional, key = "on")]
    track: Spanned<Ref<Track>>,
    /// A controller, `bend` or `touch`.
    #[fcp(positional)]
    what: Spanned<RampTarget>,
    /// The value at the start.
    from: Spanned<Level>,
    /// The value at the end.
    to: Spanned<Level>,
    /// Its start.
    at: Spanned<Pos>,
    /// Its end.
    until: Spanned<Pos>,
    /// The curve in between.
    #[fcp(default = Curve::Lin)]
    curve: Curve,
    /// The distance of the points; a sixteenth if left out.
    step: Option<Spanned<Dur>>,
) -> Result<Reply> {
    let (on, what) = (*track.get(), *what.get());
    if what == RampTarget::Tempo {
        bail!("tempo belongs to the whole song, not a track"; try: "{}", track.left_out());
    }
    let site = song.site(on, Some(&at), None)?;
    let (start, end) = ramp::ends(song, site.chunk, site.at, &until)?;
    let ticks = ramp::ticks(song, site.chunk, start, end, step.as_ref())?;
    let reach = song.bend_reach(site);
    let read = |level: &Spanned<Level>| {
        let read = match what {
            RampTarget::Bend => level.get().bend(reach),
            RampTarget::Controller(own) => level.get().control(Some(own)).map(i32::from),
            RampTarget::Touch | RampTarget::Tempo => level.get().control(None).map(i32::from),
        };
        read.map_err(|error| level.wrong(error))
    };
    let (first, last) = (read(&from)?, read(&to)?);
    let mut points: Vec<(u64, i32)> = Vec::new();
    for tick in ticks {
        let value = curve.between(first.into(), last.into(), tick - start, end - start);
        // Between two values of 14 bits.
        #[allow(clippy::cast_possible_truncation)]
        let value = value.round() as i32;
        if points.last().is_none_or(|(_, written)| *written != value) {
            points.push((tick, value));
        }
    }
    ramp::replace(song, site, what, end, &points);
    let points = count(points.len(), "point");
    let on = song.name_of_track(site.track);
    let (start, end) = (song.shown(site.chunk, start), song.shown(site.chunk, end));
    Ok(created!(
        "Ramp {what} {first} to {last} on {on} from {start} to {end} ({points})"
    ))
}
