//! `tracks`

use fcp::prelude::*;

use crate::display::row_line;
use crate::model::{Note, Song, Track};
use crate::values::{Channel, Pitch, Velocity};

/// List the tracks: channel, instrument, number of notes, their pitches and bars.
///
/// ```fcp
/// # track add Bass instrument:bass
/// # note Bass A1,G2 at:1.1 vel:96
/// ? tracks
/// > 1. Bass ch:1 electric-bass-finger | 2 notes A1-G2 vel 96-96 | bars 1-1
/// ```
#[fcp_query]
pub fn tracks(song: &Song) -> Result<Listing<'_>> {
    let lines = song
        .ordered()
        .enumerate()
        .map(|(ix, (id, row))| line(song, ix + 1, id, row));
    Ok(Listing::lines(song.tracks.len(), lines))
}

/// A track on one line, with its number.
pub fn line(song: &Song, number: usize, id: Id<Track>, row: &Track) -> String {
    let mut parts = vec![format!("{number}. {}", row_line::played_by(song, id, row))];
    let count = song.notes.index().count(id);
    let mut seen: Option<Seen> = None;
    // A range cannot mix tones and drums: show that of the track's own kind, if there are such
    // notes.
    let mut channels = song.notes.index().channels(id);
    let has_own = channels.any(|channel| (channel == Channel::DRUMS) == row.is_drums());
    let drums = row.is_drums() == has_own;
    if count > 0 {
        let spots = song
            .notes
            .index()
            .time
            .range(row.chunk, 0, u64::MAX)
            .filter(|(_, spot)| !spot.off);
        for note in spots
            .filter_map(|(_, spot)| song.notes.get(Id::new(spot.id)))
            .filter(|note| note.track == id)
        {
            seen.get_or_insert_with(|| Seen::of(note)).add(note, drums);
        }
    }
    match &seen {
        Some(seen) => {
            let notes = fcp::reply::count(count, "note");
            let on = if drums {
                Channel::DRUMS
            } else {
                Channel::FIRST
            };
            let name = |pitch| song.pitch_on(on, pitch);
            let pitches = seen.pitches.map_or(String::new(), |(low, high)| {
                format!(" {}-{}", name(low), name(high))
            });
            let (soft, loud) = seen.velocities;
            parts.push(format!("{notes}{pitches} vel {soft}-{loud}"));
        }
        None => parts.push("0 notes".to_owned()),
    }
    parts.extend(row_line::controls(song, id));
    if let Some((first, end)) = seen.filter(|_| song.has_bars()).map(|seen| seen.span) {
        let bars = song.bars(row.chunk);
        let (first, last) = (
            bars.place(first).bar,
            bars.place(end.saturating_sub(1).max(first)).bar,
        );
        parts.push(format!("bars {first}-{last}"));
    }
    parts.join(" | ")
}

/// The ranges of a track's notes.
struct Seen {
    /// Of drums only, or of other notes only.
    pitches: Option<(Pitch, Pitch)>,
    velocities: (Velocity, Velocity),
    span: (u64, u64),
}

impl Seen {
    const fn of(note: &Note) -> Self {
        Self {
            pitches: None,
            velocities: (note.velocity, note.velocity),
            span: (note.at, note.at),
        }
    }

    fn add(&mut self, note: &Note, drums: bool) {
        if note.is_drum() == drums {
            let (low, high) = self.pitches.unwrap_or((note.pitch, note.pitch));
            self.pitches = Some((low.min(note.pitch), high.max(note.pitch)));
        }
        self.velocities = (
            self.velocities.0.min(note.velocity),
            self.velocities.1.max(note.velocity),
        );
        self.span = (
            self.span.0.min(note.at),
            self.span.1.max(note.at + note.dur.unwrap_or(0)),
        );
    }
}
