//! From a line to notes: where each starts and ends, and whether barlines stand where the bars end.

use std::ops::Range;

use fcp::prelude::*;

use super::item::{Item, Tone};
use super::line::{Line, Token, Wrong, misread};
use crate::model::{Chunk, Lyric, NewNote, Overlaps, Rank, Song, Track};
use crate::smf::Bytes;
use crate::values::{Channel, Dur, Frac, Pitch, Velocity};

/// Notes that start together.
#[derive(Clone, Debug)]
pub struct Sound {
    /// Where they start.
    pub start: Frac,
    /// Where their place ends.
    pub end: Frac,
    /// They sound for half of their place.
    pub short: bool,
    /// How hard they are struck.
    pub velocity: Velocity,
    /// What they are.
    pub pitches: Vec<Pitch>,
}

/// What a line comes to.
#[derive(Clone, Debug)]
pub struct Laid {
    /// Its notes.
    pub sounds: Vec<Sound>,
    /// Where it ends, in ticks.
    pub end: u64,
}

/// How a line is read.
struct Reader<'a> {
    song: &'a Song,
    track: &'a Track,
    chunk: Id<Chunk>,
    /// Where the next item starts, exactly.
    at: Frac,
    /// Where the bar that is counted began.
    bar: Frac,
    dur: Dur,
    octave: i8,
    velocity: Velocity,
    /// The last item was a rest, or there was none.
    silent: bool,
    sounds: Vec<Sound>,
    /// Where the items of the bar begin, by their numbers.
    begun: Vec<(usize, u64)>,
    /// Where the last item began, and which it was.
    last: Option<(usize, Frac)>,
    /// How many items came before the bar, and how long one lasted there.
    before: (usize, Dur),
    /// How long items last before one says otherwise.
    first: Dur,
}

/// How many items of a bar an error shows.
const SHOWN: usize = 16;

fn ticks(at: Frac) -> u64 {
    u64::try_from(at.round()).unwrap_or(0)
}

/// Works out where the notes of a line stand.
///
/// # Errors
/// A barline stands elsewhere than where a bar ends, a pitch or a length makes no sense here.
pub fn lay(
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
            let is_own = length(&token.item).is_some_and(|dur| reader.length(dur).is_err());
            read.map_err(|error| match is_own {
                true => reader.relengthened(line, token, &error),
                // A length is no item.
                false => wrong(error.maybe_fix(None::<String>)),
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
                    return Err(ValueError::sentence(
                        "_ holds what came before, and nothing did",
                    ));
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

    /// The items of the bar up to one, each with its length; the last few of many.
    fn held(&self, line: &Line, nth: usize) -> String {
        let (from, mut dur) = self.before.clone();
        let mut held = Vec::new();
        for ix in line.order.get(from..nth).unwrap_or_default() {
            let Some(Token { item, .. }) = line.tokens.get(*ix) else {
                continue;
            };
            if let Item::Rest(own) | Item::Hold(own) | Item::Notes { dur: own, .. } = item {
                dur = own.clone().unwrap_or(dur);
            }
            held.extend(respelled(item, &dur));
        }
        held.split_off(held.len().saturating_sub(SHOWN)).join(" ")
    }

    /// How long a length is here.
    fn length(&self, dur: &Dur) -> Result<Frac, ValueError> {
        dur.exact(&self.song.clock(self.chunk), self.at)
    }

    /// That an item is of no length, with all that are of none in its word put right: a repair of each alone would end at
    /// the next.
    fn relengthened(&self, line: &Line, wrong: &Token, error: &ValueError) -> Wrong {
        let (word, place) = wrong.place.clone();
        let mut text = line.words.get(word).map_or("", |text| text).to_owned();
        let whole = 0..text.len();
        let error = ValueError::sentence(error.about(text.get(place.clone()).unwrap_or_default()));
        let own = line.tokens.iter().rev().filter(|it| it.place.0 == word);
        let mended = own.filter_map(|token| {
            let fix = self.length(length(&token.item)?).err()?.fix;
            let dur = fix.and_then(|fix| Dur::parse(&fix).ok());
            Some((
                &token.place.1,
                dur.and_then(|dur| respelled(&token.item, &dur)),
            ))
        });
        for (own, item) in mended {
            match item {
                Some(item) => text.replace_range(own.clone(), &item),
                None => return misread(word, place, error),
            }
        }
        misread(word, whole, error.fix(text))
    }

    /// How long each item lasts in the order they are played, where some have other lengths.
    fn lengths<'l>(&'l self, line: &'l Line, other: &'l [(usize, Dur)]) -> Vec<(usize, &'l Dur)> {
        let mut dur = &self.first;
        let items = line.order.iter().filter_map(|ix| {
            let item = &line.tokens.get(*ix)?.item;
            let other = other.iter().find(|(item, _)| item == ix);
            let own = other.map(|(_, dur)| dur).or(length(item));
            dur = own.unwrap_or(dur);
            lasts(item).then_some((*ix, dur))
        });
        items.collect()
    }

    /// The item that keeps its length by saying it, where the one before gets another length; that there is none, or
    /// that lengths cannot be kept.
    fn keeping(&self, line: &Line, (ix, dur): (usize, &Dur)) -> Option<Option<(usize, Dur)>> {
        let mut behind = line.tokens.iter().enumerate().skip(ix + 1);
        let next = behind.find(|(_, token)| lasts(&token.item));
        let before = self.lengths(line, &[]);
        let kept = next.filter(|(_, token)| length(&token.item).is_none());
        let kept = kept.and_then(|(next, _)| {
            let (_, own) = before.iter().find(|(item, _)| *item == next)?;
            Some((next, (*own).clone()))
        });
        let mut other = vec![(ix, dur.clone())];
        other.extend(kept.clone());
        let after = self.lengths(line, &other);
        let mut items = before.iter().zip(&after);
        let same = items.all(|(before, after)| before.0 == ix || before == after);
        same.then_some(kept)
    }

    /// Goes on by a length, which holds from then on.
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
                    ValueError::sentence(format!("{class}{} is no pitch of MIDI", self.octave))
                })
            }
            Tone::Word(word) if word.drum && !self.track.is_drums() => {
                Err(crate::lines::no_drums(word, self.track))
            }
            Tone::Word(word) => Ok(word.pitch),
        }
    }

    /// What is played again begins a bar where one ends: nobody writes a barline behind the last note for that.
    fn again(&mut self, nth: usize) {
        let at = ticks(self.at);
        if at > ticks(self.bar) && self.song.on_barline(self.chunk, at) {
            self.begin_bar(nth);
        }
    }

    /// A bar begins with the item of a number.
    fn begin_bar(&mut self, nth: usize) {
        self.bar = self.at;
        self.begun.clear();
        self.before = (nth, self.dur.clone());
    }

    /// Checks a barline, the item of a number.
    fn barline(
        &mut self,
        line: &Line,
        nth: usize,
        wrong: impl Fn(ValueError) -> Wrong,
    ) -> Result<(), Wrong> {
        if !self.song.has_bars() {
            return Err(wrong(ValueError::sentence(
                "this file counts SMPTE frames, so it has no barlines",
            )));
        }
        let bars = self.song.bars(self.chunk);
        let (from, at) = (ticks(self.bar), ticks(self.at));
        let bar = bars.place(from).bar;
        let (first, next) = (bars.bar(bar), bars.bar(bar + 1));
        // A line may begin with a barline.
        if at == next || (at == from && at == first) {
            self.begin_bar(nth + 1);
            return Ok(());
        }
        let span = bars.at(first);
        let beats = Frac::new(i128::from(at) - i128::from(first), span.beat.into());
        let beats = beats.map_or_else(String::new, |beats| beats.to_string());
        let noun = if beats == "1" { "beat" } else { "beats" };
        let told = format!(
            "phrase: bar {bar} holds {beats} {noun} before \"|\", meter is {}/{} ({})",
            span.beats,
            span.unit,
            self.held(line, nth)
        );
        let error = ValueError::sentence(told);
        // The last item is made to end where the bar does, if a note value does that.
        let fit = self.last.and_then(|(ix, start)| {
            let length = next.checked_sub(ticks(start))?;
            let dur = Dur::of_ticks(length, Some(self.song.ppqn()))?;
            let Token { place, item } = line.tokens.get(ix)?;
            let kept = self.keeping(line, (ix, &dur))?;
            let also = kept.and_then(|(next, own)| {
                let Token { place, item } = line.tokens.get(next)?;
                Some((place.0, place.1.clone(), respelled(item, &own)?))
            });
            Some((place, respelled(item, &dur)?, also))
        });
        if let Some((place, item, also)) = fit {
            let mut wrong = misread(place.0, place.1.clone(), error.fix(item));
            wrong.also = also;
            return Err(wrong);
        }
        Err(match self.rebarred(line, nth, next) {
            Some((word, place, text)) => misread(word, place, error.fix(text)),
            None => wrong(error),
        })
    }

    /// A barline, the item of a number, put before the item that starts where the bar ends: `F G |` as `F | G`, and so at
    /// each bar that ends before it; it stays where one ends there as well. Where no item starts there, it is left out.
    fn rebarred(
        &self,
        line: &Line,
        nth: usize,
        next: u64,
    ) -> Option<(usize, Range<usize>, String)> {
        let place = |nth: usize| Some(&line.tokens.get(*line.order.get(nth)?)?.place);
        let (word, bar) = place(nth)?;
        let text = line.words.get(*word)?;
        let is_bar = |at: u64| self.song.on_barline(self.chunk, at);
        let first = self.begun.iter().position(|(_, at)| *at == next);
        let behind = first.and_then(|first| self.begun.get(first..));
        let begins = behind.and_then(|behind| place(behind.first()?.0));
        if let (Some((first_word, first)), Some(behind)) = (begins, behind)
            && first_word == word
            && let Some(between) = text.get(first.start..bar.start)
            && !between.contains(['(', ')'])
        {
            let mut moved = between.trim_end().to_owned();
            // What lasts no time stands where the next item does.
            let (mut places, mut last) = (Vec::new(), None);
            for (nth, at) in behind.iter().filter(|(_, at)| is_bar(*at)) {
                if last.replace(*at) != Some(*at) {
                    places.push(place(*nth)?.1.start.checked_sub(first.start)?);
                }
            }
            for at in places.into_iter().rev() {
                moved.insert_str(at, "| ");
            }
            if is_bar(ticks(self.at)) {
                moved.push_str(" |");
            }
            return Some((*word, first.start..bar.end, moved));
        }
        let before = text.get(..bar.start)?.trim_end();
        Some((*word, before.len()..bar.end, String::new()))
    }
}

/// Whether an item lasts any time.
const fn lasts(item: &Item) -> bool {
    !matches!(item, Item::Bar | Item::Loud(_))
}

/// How long an item says that it lasts.
const fn length(item: &Item) -> Option<&Dur> {
    match item {
        Item::Notes { dur, .. } | Item::Rest(dur) | Item::Hold(dur) => dur.as_ref(),
        Item::Bar | Item::Loud(_) => None,
    }
}

/// An item of another length.
fn respelled(item: &Item, dur: &Dur) -> Option<String> {
    let head = match item {
        Item::Rest(_) => "r".to_owned(),
        Item::Hold(_) => "_".to_owned(),
        Item::Notes { tones, .. } => {
            let names = tones.iter().map(|tone| match tone {
                Tone::Class(class, octave) => {
                    format!("{class}{}", octave.map_or(String::new(), |n| n.to_string()))
                }
                Tone::Word(word) => word.to_string(),
            });
            names.collect::<Vec<_>>().join("+")
        }
        Item::Bar | Item::Loud(_) => return None,
    };
    let marks = match item {
        Item::Notes { accent, short, .. } => {
            format!(
                "{}{}",
                if *accent { ">" } else { "" },
                if *short { "!" } else { "" }
            )
        }
        _ => String::new(),
    };
    Some(format!("{head}/{dur}{marks}"))
}

impl Laid {
    /// Moves what stands off the beat: every second eighth begins at `swing` per cent of its quarter.
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

    /// Writes the notes. Says how many, and what became of others.
    ///
    /// # Errors
    /// The track is damaged.
    pub fn write(
        &self,
        song: &mut Song,
        track: Id<Track>,
        channel: Channel,
    ) -> Result<(usize, Overlaps)> {
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
                off: 64,
            })
        });
        let count = self.sounds.iter().map(|sound| sound.pitches.len()).sum();
        Ok((count, song.add_notes(notes)?))
    }
}

/// A place in pairs of equal halves, its second half begun at `swing` per cent.
pub fn warped(at: Frac, base: Frac, pair: Frac, swing: i64) -> Option<Frac> {
    let (one, two) = (Frac::whole(1), Frac::whole(2));
    let share = Frac::new(swing.into(), 100)?;
    let pairs = at.minus(base)?.over(pair)?;
    let whole = Frac::whole(pairs.floor());
    let part = pairs.minus(whole)?;
    let doubled = part.times(two)?;
    let part = if doubled < one {
        doubled.times(share)?
    } else {
        share.plus(doubled.minus(one)?.times(one.minus(share)?)?)?
    };
    base.plus(whole.plus(part)?.times(pair)?)
}

/// Removes the notes of a track that start between two ticks, the second not included. Says how many.
///
/// # Errors
/// The track is damaged.
pub fn clear(song: &mut Song, track: Id<Track>, from: u64, to: u64) -> Result<usize> {
    let chunk = song.tracks.need(track)?.chunk;
    song.writable(chunk)?;
    if to <= from {
        return Ok(0);
    }
    let spots = song.notes.index().time.range(chunk, from, to - 1);
    let starts = spots.filter(|(_, spot)| !spot.off);
    let ids: Vec<Id<_>> = starts.map(|(_, spot)| Id::new(spot.id)).collect();
    let mut count = 0_usize;
    for id in ids {
        if song.notes.get(id).is_some_and(|note| note.track == track) {
            song.notes.remove(id);
            count += 1;
        }
    }
    Ok(count)
}

/// Puts a syllable under each onset; `_` leaves one out. Says how many.
///
/// # Errors
/// There are more syllables than onsets.
pub fn sing(song: &mut Song, track: Id<Track>, laid: &Laid, text: &str) -> Result<usize> {
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
    let mut count = 0_usize;
    for (syllable, sound) in syllables.iter().zip(&laid.sounds) {
        if *syllable == "_" {
            continue;
        }
        let at = ticks(sound.start);
        let mark = song.place(chunk, at, Rank::Text, None);
        song.lyrics.insert(Lyric {
            chunk,
            track: own,
            at,
            bytes: Bytes::new(syllable.as_bytes()),
            text: (*syllable).to_owned(),
            mark,
        });
        count += 1;
    }
    Ok(count)
}
