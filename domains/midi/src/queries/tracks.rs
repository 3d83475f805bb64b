//! `tracks`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Note, Song, Track};
use crate::values::{Pitch, Velocity};

/// List the tracks: channel, instrument, how many notes, their pitches and bars.
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
        .tracks
        .iter()
        .enumerate()
        .map(|(ix, (id, row))| line(song, ix + 1, id, row));
    Ok(Listing::lines(song.tracks.len(), lines))
}

/// A track on one line, with its number.
pub fn line(song: &Song, number: usize, id: Id<Track>, row: &Track) -> String {
    let mut parts = vec![format!("{number}. {}", lines::name(song, id))];
    if let Some(channel) = row.channel {
        parts[0].push_str(&format!(" ch:{channel}"));
    }
    parts[0].push_str(&format!(" {}", lines::instrument(song, id, row)));
    let count = song.notes.index().count(id);
    let mut seen: Option<Seen> = None;
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
            seen.get_or_insert_with(|| Seen::of(note)).add(note);
        }
    }
    match &seen {
        Some(seen) => {
            let noun = if count == 1 { "note" } else { "notes" };
            let name = |pitch| lines::pitch_name(song, id, pitch);
            let (low, high) = (name(seen.pitches.0), name(seen.pitches.1));
            let (soft, loud) = seen.velocities;
            parts.push(format!("{count} {noun} {low}-{high} vel {soft}-{loud}"));
        }
        None => parts.push("0 notes".to_owned()),
    }
    parts.extend(lines::controls(song, id));
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

/// What the notes of a track span.
struct Seen {
    pitches: (Pitch, Pitch),
    velocities: (Velocity, Velocity),
    span: (u64, u64),
}

impl Seen {
    const fn of(note: &Note) -> Self {
        Self {
            pitches: (note.pitch, note.pitch),
            velocities: (note.velocity, note.velocity),
            span: (note.at, note.at),
        }
    }

    fn add(&mut self, note: &Note) {
        self.pitches = (
            self.pitches.0.min(note.pitch),
            self.pitches.1.max(note.pitch),
        );
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
