//! Crescendo and decrescendo: by velocities, or by the expression of the playing tracks.

use fcp::prelude::*;
use fcp::reply::count;

use crate::edit::notes::selection;
use crate::edit::rows::ramp;
use crate::model::{Chunk, Note, Site, Song, Track};
use crate::values::{Channel, Controller, Curve, RampTarget, Velocity};

/// Target of a crescendo.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// The velocity of each note.
    #[fcp(alias = "vel")]
    Velocity,
    /// The expression of tracks, controller 11.
    #[fcp(alias = "expr")]
    Expression,
}

/// Parameters of crescendo and decrescendo.
#[derive(FcpParams)]
pub struct Swell {
    /// Loudness of the first note.
    pub from: Velocity,
    /// Loudness of the last one.
    pub to: Spanned<Velocity>,
    /// The curve in between.
    #[fcp(default = Curve::Lin)]
    pub curve: Curve,
    /// `velocity` of the notes, or `expression` of their tracks.
    #[fcp(default = Via::Velocity)]
    pub via: Via,
}

impl Swell {
    /// Error for the wrong direction; the repair is the other verb.
    pub fn misnamed(&self, verb: &str, other: &str) -> Result<Reply> {
        let way = if verb == "crescendo" {
            "louder"
        } else {
            "softer"
        };
        let op = self.to.op();
        let rest = op
            .split_once(char::is_whitespace)
            .map_or("", |(_, rest)| rest);
        let (from, to) = (self.from, self.to.get());
        bail!("{from} to {to} does not get {way}"; try: "{other} {rest}")
    }

    /// Applies it.
    ///
    /// # Errors
    /// A track is damaged.
    pub fn apply(&self, song: &mut Song, notes: &Selection<Note>, what: &str) -> Result<Reply> {
        let rows = selection::chosen(song, notes)?;
        let first = rows.first().map_or(0, |(_, note)| note.at);
        let last = rows.last().map_or(0, |(_, note)| note.at);
        let (from, to) = (self.from, *self.to.get());
        let value = |at: u64| {
            let (start, end) = (f64::from(from.get()), f64::from(to.get()));
            let value = self.curve.between(start, end, at - first, last - first);
            // Between two velocities.
            #[allow(clippy::cast_possible_truncation)]
            let value = value.round() as i64;
            Velocity::clamped(value)
        };
        let summary = selection::describe_notes(song, &rows);
        if self.via == Via::Expression {
            let players = rows.iter();
            let players = players.map(|(_, note)| (note.track, note.chunk, note.channel));
            let players = players.collect();
            let points = express(song, players, (first, last), value)?;
            let points = count(points, "point");
            return Ok(bulk!(
                "{what} of {summary}: expression {from} to {to} ({points})"
            ));
        }
        let changes = selection::changed(&rows, |note| {
            Ok(Note {
                velocity: value(note.at),
                ..note.clone()
            })
        })?;
        if changes.is_empty() {
            return Ok(unchanged!("{summary} go from {from} to {to} already"));
        }
        song.change_notes(changes)?;
        Ok(bulk!("{what} of {summary}: {from} to {to}"))
    }
}

/// Writes the expression of the tracks that play notes. Returns the number of points.
fn express(
    song: &mut Song,
    mut players: Vec<(Id<Track>, Id<Chunk>, Channel)>,
    (first, last): (u64, u64),
    value: impl Fn(u64) -> Velocity,
) -> Result<usize> {
    players.sort_unstable();
    players.dedup();
    let what = RampTarget::Controller(Controller::EXPRESSION);
    let mut points = 0;
    for (track, chunk, channel) in players {
        song.writable(chunk)?;
        let site = |at| Site {
            track,
            chunk,
            channel,
            at,
        };
        let ticks = ramp::ticks(song, chunk, first, last, None)?;
        let mut written: Vec<(u64, i32)> = Vec::new();
        for tick in ticks {
            let value = i32::from(value(tick).get());
            if written.last().is_none_or(|(_, last)| *last != value) {
                written.push((tick, value));
            }
        }
        ramp::replace(song, site(first), what, last, &written);
        points += written.len();
    }
    Ok(points)
}
