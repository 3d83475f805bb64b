//! The notes of a track as voices: in each, one chord behind the other.

use std::collections::BTreeMap;

use fcp::prelude::*;

use crate::model::{Note, Song, Track};
use crate::raster::Raster;
use crate::values::{Pitch, Rounding, Velocity};

/// What is sung on a note.
#[derive(Clone, Debug)]
pub struct Syllable {
    /// Its place in the word: `single`, `begin`, `middle` or `end`.
    pub place: &'static str,
    /// What it says.
    pub text: String,
}

/// Notes that start and end together.
#[derive(Clone, Debug)]
pub struct Chord {
    /// Where it starts.
    pub at: u64,
    /// Where it ends.
    pub end: u64,
    /// What sounds, the lowest first.
    pub pitches: BTreeMap<Pitch, Velocity>,
    /// What is sung on it.
    pub lyric: Option<Syllable>,
}

/// The lines that starts and ends are moved to.
fn rasters(grid: &Rounding) -> Vec<Raster> {
    match grid {
        // The lines that notes are told to stand on by everything else.
        Rounding::Auto => [32, 24].into_iter().filter_map(Raster::part).collect(),
        Rounding::Exact => Vec::new(),
        Rounding::Grid(length) => vec![Raster::of(length.clone())],
    }
}

/// The voices of a track's notes between two ticks, the second not included. Lyrics by their ticks are sung on the notes
/// that start there.
#[must_use]
pub fn voices(
    song: &Song,
    track: Id<Track>,
    (from, to): (u64, u64),
    grid: &Rounding,
    lyrics: &BTreeMap<u64, Syllable>,
) -> Vec<Vec<Chord>> {
    let Some(chunk) = song.tracks.get(track).map(|row| row.chunk) else {
        return Vec::new();
    };
    let rasters = rasters(grid);
    let placed = |tick: u64| {
        let lines = rasters
            .iter()
            .filter_map(|raster| raster.line(song, chunk, tick));
        lines.min_by_key(|line| line.abs_diff(tick)).unwrap_or(tick)
    };
    let mut chords: BTreeMap<(u64, u64), Chord> = BTreeMap::new();
    let notes = song.sounding(chunk, track, from, to).into_iter();
    let notes = notes.filter_map(|id| song.notes.get(id));
    for note in notes.filter(|note| (from..to).contains(&note.at)) {
        let (at, end) = ends(song, note, &placed);
        let end = end.min(to.max(at + 1));
        let chord = chords.entry((at, end)).or_insert_with(|| Chord {
            at,
            end,
            pitches: BTreeMap::new(),
            lyric: None,
        });
        let louder = chord.pitches.entry(note.pitch).or_insert(note.velocity);
        *louder = (*louder).max(note.velocity);
        if let Some(sung) = lyrics.get(&note.at) {
            chord.lyric.get_or_insert_with(|| sung.clone());
        }
    }
    let mut voices: Vec<Vec<Chord>> = Vec::new();
    let mut sung = None;
    for mut chord in chords.into_values() {
        // Of several that start together, one is sung.
        if chord.lyric.is_some() && sung.replace(chord.at) == Some(chord.at) {
            chord.lyric = None;
        }
        let is_over =
            |voice: &&mut Vec<Chord>| voice.last().is_none_or(|last| last.end <= chord.at);
        match voices.iter_mut().find(is_over) {
            Some(voice) => voice.push(chord),
            None => voices.push(vec![chord]),
        }
    }
    voices
}

/// Where a note is written to start and to end.
fn ends(song: &Song, note: &Note, placed: &impl Fn(u64) -> u64) -> (u64, u64) {
    let dur = note.dur.unwrap_or_else(|| u64::from(song.ppqn())).max(1);
    let (at, end) = (placed(note.at), placed(note.at + dur));
    // What would be nothing keeps its own length.
    (at, if end > at { end } else { at + dur })
}
