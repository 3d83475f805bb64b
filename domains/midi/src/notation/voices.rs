//! Splits the notes of a track into voices, each a sequence of chords.

use std::collections::BTreeMap;

use fcp::prelude::*;

use super::score_grid::Placing;
use crate::model::{Note, Song, Track};
use crate::time::Voices;
use crate::values::{Channel, Pitch, Velocity};

/// The syllable of a note.
#[derive(Clone, Debug)]
pub struct Syllable {
    /// Its place in the word: `single`, `begin`, `middle` or `end`.
    pub place: &'static str,
    /// Its text.
    pub text: String,
}

/// Notes that start and end together.
#[derive(Clone, Debug)]
pub struct Chord {
    /// Its start, in fractions of ticks.
    pub at: u64,
    /// Its end.
    pub end: u64,
    /// Its pitches, the lowest first.
    pub pitches: BTreeMap<Pitch, Velocity>,
    /// Its syllable.
    pub lyric: Option<Syllable>,
}

impl Chord {
    /// The highest velocity.
    #[must_use]
    pub fn loudest(&self) -> Option<Velocity> {
        self.pitches.values().max().copied()
    }
}

/// The voices of a track's notes between two ticks, the second excluded: of its drums if `channel`
/// is theirs, else of its tones. Each syllable goes to a note that starts at its tick.
#[must_use]
pub fn voices(
    song: &Song,
    (track, channel): (Id<Track>, Channel),
    (from, to): (u64, u64),
    placing: &Placing<'_>,
    lyrics: &BTreeMap<u64, Syllable>,
) -> Vec<Vec<Chord>> {
    let Some(chunk) = song.tracks.get(track).map(|row| row.chunk) else {
        return Vec::new();
    };
    let mut chords: BTreeMap<(u64, u64), Chord> = BTreeMap::new();
    let notes = song.sounding(chunk, track, from, to).into_iter();
    let notes = notes.filter_map(|id| song.notes.get(id));
    let is_struck = channel == Channel::DRUMS;
    let notes = notes.filter(|note| note.is_drum() == is_struck);
    for note in notes.filter(|note| note.at < to) {
        let (at, end) = ends(song, note, to * placing.parts(), placing);
        // A note that started earlier is written from the first bar on.
        let at = at.max(from * placing.parts());
        if end <= at {
            continue;
        }
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
    let mut sounding = Voices::default();
    let mut sung = None;
    for mut chord in chords.into_values() {
        // Of several that start together, one gets the syllable.
        if chord.lyric.is_some() && sung.replace(chord.at) == Some(chord.at) {
            chord.lyric = None;
        }
        let ix = sounding.take(chord.at, chord.end, voices.len());
        match voices.get_mut(ix) {
            Some(voice) => voice.push(chord),
            None => voices.push(vec![chord]),
        }
    }
    voices
}

/// The written start and end of a note, before the end of the score, in fractions of ticks.
fn ends(song: &Song, note: &Note, to: u64, placing: &Placing<'_>) -> (u64, u64) {
    let dur = note.dur.unwrap_or_else(|| u64::from(song.ppqn())).max(1);
    let (mut at, mut end) = (placing.line(note.at), placing.line(note.at + dur).min(to));
    if at >= to {
        // It was played slightly before a bar that is not written.
        (at, end) = (placing.last(to), to);
    }
    if end <= at {
        // A note without length lasts to the next line.
        end = at + placing.step(at).min(to.saturating_sub(at)).max(1);
    }
    (at, end)
}

/// A piece of a voice within a measure: a chord, a part of one, or a rest.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// Its start, in fractions of ticks.
    pub at: u64,
    /// Its end.
    pub end: u64,
    /// Its chord; `None` for a rest.
    pub chord: Option<&'a Chord>,
}

/// A voice, read measure by measure.
pub struct Reading<'a>(&'a [Chord]);

impl<'a> Reading<'a> {
    /// At the start of a voice.
    #[must_use]
    pub const fn new(voice: &'a [Chord]) -> Self {
        Self(voice)
    }

    /// The pieces between two places of a measure, filled with rests and split at `cuts`; empty if
    /// all of it is silent.
    pub fn measure(&mut self, start: u64, end: u64, cuts: &[u64]) -> Vec<Piece<'a>> {
        let here = self.0.iter().take_while(|chord| chord.at < end);
        let mut pieces = Vec::new();
        let (mut at, mut over) = (start, 0);
        for chord in here {
            let (from, to) = (chord.at.max(start), chord.end.min(end));
            cut(&mut pieces, at, from, None, cuts);
            cut(&mut pieces, from, to, Some(chord), cuts);
            over += usize::from(chord.end <= end);
            at = to;
        }
        if at > start {
            cut(&mut pieces, at, end, None, cuts);
        }
        self.0 = self.0.get(over..).unwrap_or_default();
        pieces
    }
}

/// Adds the time between two places, split at `cuts`, which are in order.
pub fn cut<'a>(
    pieces: &mut Vec<Piece<'a>>,
    from: u64,
    to: u64,
    chord: Option<&'a Chord>,
    cuts: &[u64],
) {
    let first = cuts.partition_point(|cut| *cut <= from);
    let inside = cuts.get(first..).unwrap_or_default().iter().copied();
    let mut at = from;
    for end in inside.take_while(|cut| *cut < to).chain([to]) {
        if end > at {
            pieces.push(Piece { at, end, chord });
            at = end;
        }
    }
}
