//! The content of a score in any notation: parts, their voices, and marks above all of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use fcp::prelude::*;

use super::directions::Over;
use super::voices::{Chord, Syllable};
use crate::model::{Song, Track};
use crate::time::MeterMap;
use crate::values::Channel;

/// A score.
pub struct Score<'a> {
    /// The song.
    pub song: &'a Song,
    /// Its title.
    pub title: Option<String>,
    /// Its bars.
    pub bars: Arc<MeterMap>,
    /// Fractions per tick; all places in the score are in these.
    pub parts_of_tick: u64,
    /// The first and the last bar to write.
    pub span: (u64, u64),
    /// Its parts. Tempo and markers are above the first one.
    pub parts: Vec<Part>,
    /// Marks above all parts.
    pub over: Over,
}

/// A part of a score: the notes of a track, or only its tones or its drums if it has both.
pub struct Part {
    /// The track.
    pub id: Id<Track>,
    /// Its name.
    pub name: String,
    /// Its channel.
    pub channel: Channel,
    /// Its voices, at least one.
    pub voices: Vec<Vec<Chord>>,
}

/// A measure of all parts.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Its number.
    pub number: u64,
    /// Its start, in fractions of ticks.
    pub start: u64,
    /// Its end.
    pub end: u64,
    /// Beats, and the note value of one: 4 is a quarter.
    pub meter: (u64, u64),
}

/// The clef that suits most notes of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clef {
    /// The G clef.
    Treble,
    /// The F clef.
    Bass,
    /// No clef, for drums.
    Percussion,
}

impl Score<'_> {
    /// The measures, in order.
    pub fn measures(&self) -> impl Iterator<Item = Measure> {
        let (first, last) = self.span;
        (first..=last).map(|number| {
            let start = self.bars.bar(number);
            let span = self.bars.at(start);
            Measure {
                number,
                start: start * self.parts_of_tick,
                end: (start + self.bars.bar_length(number)) * self.parts_of_tick,
                meter: (span.beats, span.unit),
            }
        })
    }

    /// Length of a quarter note, in fractions of ticks.
    #[must_use]
    pub fn quarter(&self) -> u64 {
        u64::from(self.song.ppqn()) * self.parts_of_tick
    }

    /// Length of a whole note, in fractions of ticks.
    #[must_use]
    pub fn whole(&self) -> u64 {
        4 * self.quarter()
    }
}

impl Part {
    /// Whether it is for drums, on channel 10.
    #[must_use]
    pub fn is_drums(&self) -> bool {
        self.channel == Channel::DRUMS
    }

    /// Its first program.
    #[must_use]
    pub fn program(&self, song: &Song) -> Option<u8> {
        let first = song.programs.index().of(self.id, self.channel).next()?;
        Some(song.programs.get(first)?.program)
    }

    /// The clef that suits most of its notes.
    #[must_use]
    pub fn clef(&self) -> Clef {
        if self.is_drums() {
            return Clef::Percussion;
        }
        let chords = self.voices.iter().flatten();
        let pitches = chords.flat_map(|chord| chord.pitches.keys());
        let (low, high): (Vec<u8>, Vec<u8>) =
            pitches.map(|pitch| pitch.get()).partition(|n| *n < 60);
        match low.len() > high.len() {
            true => Clef::Bass,
            false => Clef::Treble,
        }
    }
}

/// The lyrics of a track, by tick; lyrics of the song belong to the track that sings.
#[must_use]
pub fn lyrics(song: &Song, id: Id<Track>, track: &Track, sings: bool) -> BTreeMap<u64, Syllable> {
    let rows = song.lyrics.iter().map(|(_, row)| row);
    let own = rows.filter(|row| match row.track {
        Some(own) => own == id,
        None => sings && (!song.is_patterns() || row.chunk == track.chunk),
    });
    let texts: BTreeMap<u64, &str> = own.map(|row| (row.at, row.text.trim())).collect();
    let mut goes_on = false;
    let mut sung = BTreeMap::new();
    for (at, text) in texts {
        let went_on = std::mem::replace(&mut goes_on, text.ends_with('-'));
        let place = match (went_on, goes_on) {
            (false, false) => "single",
            (false, true) => "begin",
            (true, true) => "middle",
            (true, false) => "end",
        };
        let text = text.trim_end_matches('-').to_owned();
        sung.insert(at, Syllable { place, text });
    }
    sung
}
