//! Converts a phrase to notes: their starts and ends, with a check of barlines.

use std::collections::HashMap;

use fcp::prelude::*;

use super::item::{Item, Tone};
use super::line::{Line, Wrong, misread};
use super::reader::{Reader, Sound, length, ticks};
use crate::grid::swing::warped;
use crate::model::{Chunk, Lyric, NewNote, Rank, Release, Song, Track};
use crate::resolve::drum_word;
use crate::values::{Channel, Dur, Encoding, Frac, Pitch, Velocity};

/// The content of a phrase.
#[derive(Clone, Debug)]
pub struct Laid {
    /// Its notes.
    pub sounds: Vec<Sound>,
    /// Its end, in ticks.
    pub end: u64,
}

/// Computes the notes of a phrase.
///
/// # Errors
/// A barline is not at the end of a bar, or a pitch or a length is invalid here.
pub fn lay(
    song: &Song,
    track: &Track,
    line: &Line,
    start: u64,
    defaults: (Dur, i8, Velocity),
) -> Result<Laid, Wrong> {
    laid(song, track, line, start, defaults).map_err(|mut wrong| {
        // Repairs are items of another notation.
        if line.is_abc {
            (wrong.error.fix, wrong.also) = (None, None);
        }
        wrong
    })
}

fn laid(
    song: &Song,
    track: &Track,
    line: &Line,
    start: u64,
    (dur, octave, velocity): (Dur, i8, Velocity),
) -> Result<Laid, Wrong> {
    let from = Frac::whole(i64::try_from(start).unwrap_or(i64::MAX));
    let mut reader = Reader {
        song,
        track,
        chunk: track.chunk,
        at: from,
        bar: from,
        dur: dur.clone(),
        octave,
        velocity,
        silent: true,
        sounds: Vec::new(),
        last: None,
        begun: Vec::new(),
        before: (0, dur.clone()),
        first: dur,
    };
    let mut before = None;
    for (nth, ix) in line.order.iter().enumerate() {
        if before.replace(*ix) >= Some(*ix) {
            reader.again(nth);
        }
        let Some(token) = line.tokens.get(*ix) else {
            continue;
        };
        let wrong = |error| misread(token.place.0, token.place.1.clone(), error);
        if token.item == Item::Bar {
            reader.barline(line, nth, wrong)?;
        } else {
            reader.begun.push((nth, ticks(reader.at)));
            let read = reader.item(&token.item, *ix);
            read.map_err(|error| {
                let own = length(&token.item);
                match own.is_some_and(|dur| reader.length(dur).is_err()) {
                    true => reader.relengthened(line, token, &error),
                    // The repair is a length, which is not an item.
                    false => wrong(error.maybe_fix(None::<String>)),
                }
            })?;
        }
    }
    Ok(Laid {
        end: ticks(reader.at),
        sounds: reader.sounds,
    })
}

impl Reader<'_> {
    fn item(&mut self, item: &Item, ix: usize) -> Result<(), ValueError> {
        match item {
            Item::Bar => {}
            Item::Loud(velocity) => self.velocity = *velocity,
            Item::Rest(dur) => {
                self.last = Some((ix, self.at));
                self.pass(dur.as_ref())?;
                self.silent = true;
            }
            Item::Hold(dur) => {
                if self.last.is_none() {
                    return Err(ValueError::sentence("_ has nothing before it to hold"));
                }
                self.last = Some((ix, self.at));
                self.pass(dur.as_ref())?;
                if let Some(sound) = self.sounds.last_mut().filter(|_| !self.silent) {
                    sound.end = self.at;
                }
            }
            Item::Notes {
                tones,
                dur,
                accent,
                short,
            } => {
                let mut pitches = Vec::with_capacity(tones.len());
                for tone in tones {
                    pitches.push(self.pitch(*tone)?);
                }
                self.last = Some((ix, self.at));
                let start = self.at;
                self.pass(dur.as_ref())?;
                let harder = if *accent { 16 } else { 0 };
                self.sounds.push(Sound {
                    start,
                    end: self.at,
                    short: *short,
                    velocity: Velocity::clamped(i64::from(self.velocity.get()) + harder),
                    pitches,
                });
                self.silent = false;
            }
        }
        Ok(())
    }

    /// Advances by a length, which stays in effect.
    fn pass(&mut self, dur: Option<&Dur>) -> Result<(), ValueError> {
        if let Some(dur) = dur {
            self.dur = dur.clone();
        }
        let length = self.length(&self.dur)?;
        if length.round() < 1 {
            return Err(ValueError::sentence(format!(
                "{} is shorter than a tick",
                self.dur
            )));
        }
        let beyond = || ValueError::sentence("this would end beyond the last tick of a file");
        let at = self.at.plus(length).ok_or_else(beyond)?;
        if ticks(at) > crate::model::LAST_TICK {
            return Err(beyond());
        }
        self.at = at;
        Ok(())
    }

    fn pitch(&mut self, tone: Tone) -> Result<Pitch, ValueError> {
        match tone {
            Tone::Class(class, octave) => {
                self.octave = octave.unwrap_or(self.octave);
                class.at(self.octave).ok_or_else(|| {
                    ValueError::sentence(format!("{class}{} is not a MIDI pitch", self.octave))
                })
            }
            Tone::Word(word) if word.drum && !self.track.is_drums() => {
                Err(drum_word::no_drums(word, self.track))
            }
            Tone::Word(word) => Ok(word.pitch),
        }
    }

    /// A repetition starts a new bar at the end of one: no barline is needed after the last note
    /// for that.
    fn again(&mut self, nth: usize) {
        let at = ticks(self.at);
        if at > ticks(self.bar) && self.song.on_barline(self.chunk, at) {
            self.begin_bar(nth);
        }
    }
}

impl Laid {
    /// Applies swing: every second eighth starts at `swing` per cent of its quarter.
    #[must_use]
    pub fn swung(mut self, song: &Song, chunk: Id<Chunk>, swing: i64) -> Self {
        if swing == 50 {
            return self;
        }
        let pair = Frac::whole(song.ppqn().into());
        let moved = |at: Frac| {
            let bars = song.bars(chunk);
            let bar = bars.bar(bars.place(ticks(at)).bar);
            let base = Frac::whole(i64::try_from(bar).unwrap_or(0));
            warped(at, base, pair, swing).unwrap_or(at)
        };
        for sound in &mut self.sounds {
            (sound.start, sound.end) = (moved(sound.start), moved(sound.end));
        }
        self
    }

    /// The notes.
    #[must_use]
    pub fn notes(&self, track: Id<Track>, channel: Channel) -> Vec<NewNote> {
        let notes = self.sounds.iter().flat_map(|sound| {
            let (at, end) = (ticks(sound.start), ticks(sound.end));
            let place = end.saturating_sub(at);
            let dur = if sound.short { place / 2 } else { place }.max(1);
            sound.pitches.iter().map(move |pitch| NewNote {
                track,
                channel,
                pitch: *pitch,
                at,
                dur,
                velocity: sound.velocity,
                release: Release::NEUTRAL,
            })
        });
        notes.collect()
    }
}

/// Removes the notes of a track that start between two ticks, the second excluded. A note that
/// equals a `wanted` one stays, and that one is removed from `wanted`. Returns the number of
/// removed notes.
///
/// # Errors
/// The track is damaged.
pub fn clear(
    song: &mut Song,
    track: Id<Track>,
    (from, to): (u64, u64),
    wanted: &mut Vec<NewNote>,
) -> Result<usize> {
    let chunk = song.tracks.need(track)?.chunk;
    song.writable(chunk)?;
    if to <= from {
        return Ok(0);
    }
    let spots = song.notes.index().time.range(chunk, from, to - 1);
    let starts = spots.filter(|(_, spot)| !spot.off);
    let ids: Vec<Id<_>> = starts.map(|(_, spot)| Id::new(spot.id)).collect();
    let mut places: HashMap<(u64, Pitch), Vec<usize>> = HashMap::new();
    for (ix, note) in wanted.iter().enumerate() {
        places.entry((note.at, note.pitch)).or_default().push(ix);
    }
    let mut is_there = vec![false; wanted.len()];
    let mut count = 0_usize;
    for id in ids {
        let Some(note) = song.notes.get(id).filter(|note| note.track == track) else {
            continue;
        };
        let matches = |new: &NewNote| {
            let release = (note.off, note.off_by_on);
            (Some(new.dur), new.velocity, new.channel) == (note.dur, note.velocity, note.channel)
                && (new.release.velocity, new.release.by_on) == release
        };
        let alike = places.get(&(note.at, note.pitch)).into_iter().flatten();
        let same = alike
            .copied()
            .find(|ix| !is_there[*ix] && matches(&wanted[*ix]));
        if let Some(ix) = same {
            is_there[ix] = true;
        } else {
            song.notes.remove(id);
            count += 1;
        }
    }
    let mut at = is_there.into_iter();
    wanted.retain(|_| !at.next().unwrap_or_default());
    Ok(count)
}

/// Puts a syllable under each onset; `_` skips one. Returns the number of syllables.
///
/// # Errors
/// There are more syllables than onsets.
pub fn sing(
    song: &mut Song,
    track: Id<Track>,
    laid: &Laid,
    (text, encoding): (&str, Option<Encoding>),
) -> Result<usize> {
    let chunk = song.tracks.need(track)?.chunk;
    let syllables: Vec<&str> = text
        .split_whitespace()
        .flat_map(|word| word.split_inclusive('-'))
        .collect();
    if syllables.len() > laid.sounds.len() {
        bail!(
            "there are {} syllables, and {} onsets to sing them on",
            syllables.len(),
            laid.sounds.len()
        );
    }
    let own = (song.file.header.format != 0).then_some(track);
    // The encoding of the texts before the first syllable is written.
    let usual = song.text_encoding();
    let mut count = 0_usize;
    for (syllable, sound) in syllables.iter().zip(&laid.sounds) {
        if *syllable == "_" {
            continue;
        }
        let at = ticks(sound.start);
        let written = song.written(syllable, encoding.or(Some(usual)))?;
        let mark = song.place(chunk, at, Rank::Text, None);
        song.lyrics.insert(Lyric {
            chunk,
            track: own,
            at,
            bytes: written.bytes,
            text: written.text,
            mark,
        });
        count += 1;
    }
    Ok(count)
}
