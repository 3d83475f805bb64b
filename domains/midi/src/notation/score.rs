//! What is written, whatever it is written as: parts, their voices, and what stands over all of them.

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
    /// What it is called.
    pub title: Option<String>,
    /// Its bars.
    pub bars: Arc<MeterMap>,
    /// Into how many parts a tick is cut: all places in the score are counted in them.
    pub parts_of_tick: u64,
    /// The first and the last bar that are written.
    pub span: (u64, u64),
    /// Its parts. Tempo and markers stand over the first one.
    pub parts: Vec<Part>,
    /// What stands over all of them.
    pub over: Over,
}

/// A part of a score: the notes of a track; of one that has tones and drums, those of one of the two.
pub struct Part {
    /// The track.
    pub id: Id<Track>,
    /// What it is called.
    pub name: String,
    /// The channel that it is played on.
    pub channel: Channel,
    /// Its voices, at least one.
    pub voices: Vec<Vec<Chord>>,
}

/// A measure of all parts.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Its number.
    pub number: u64,
    /// Where it starts, in parts of ticks.
    pub start: u64,
    /// Where it ends.
    pub end: u64,
    /// Beats, and the note value of one: 4 is a quarter.
    pub meter: (u64, u64),
}

/// Where most notes of a part are read well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clef {
    /// The G clef.
    Treble,
    /// The F clef.
    Bass,
    /// None, for drums.
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

    /// How long a quarter note is, in parts of ticks.
    #[must_use]
    pub fn quarter(&self) -> u64 {
        u64::from(self.song.ppqn()) * self.parts_of_tick
    }

    /// How long a whole note is, in parts of ticks.
    #[must_use]
    pub fn whole(&self) -> u64 {
        4 * self.quarter()
    }
}

impl Part {
    /// Whether it is struck, on channel 10.
    #[must_use]
    pub fn is_drums(&self) -> bool {
        self.channel == Channel::DRUMS
    }

    /// The program that it begins with.
    #[must_use]
    pub fn program(&self, song: &Song) -> Option<u8> {
        let first = song.programs.index().of(self.id, self.channel).next()?;
        Some(song.programs.get(first)?.program)
    }

    /// The clef that most of its notes are read well in.
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

/// What is sung on a track, by the ticks; what is the song's is sung where it is the singer.
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
