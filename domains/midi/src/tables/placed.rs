//! Positions of rows: as bars and beats, as seconds, and as order within a tick.

use std::collections::HashMap;
use std::sync::Arc;

use fcp::model::Level;
use fcp::prelude::*;
use fcp::value::{Cell, SetValue};
use fcp::work;

use crate::model::{Chunk, Holder, IsKind, Note, Parts, Song, Track};
use crate::smf::unhex;
use crate::time::{MeterMap, Place};
use crate::values::{Bpm, Pos};

/// The steps that the name of a track counts.
const STEPS_A_NAME: usize = 4;

/// Positions of the ticks of a chunk.
pub struct Placing<'s> {
    song: &'s Song,
    chunk: Id<Chunk>,
    bars: Option<Arc<MeterMap>>,
}

/// The nearest beat.
pub struct Nearest {
    /// Its bar.
    pub bar: i64,
    /// Its number in the bar.
    pub beat: i64,
    /// Ticks from the beat, negative before it.
    pub off: i64,
}

impl<'s> Placing<'s> {
    /// For a chunk.
    pub fn new(song: &'s Song, chunk: Id<Chunk>) -> Self {
        let bars = song.has_bars().then(|| song.bars(chunk));
        Self { song, chunk, bars }
    }

    /// The bar, the beat, and the ticks after it, if the file has bars.
    pub fn place(&self, tick: u64) -> Option<Place> {
        self.bars.as_ref().map(|bars| bars.place(tick))
    }

    /// The position as ops accept it.
    pub fn pos(&self, tick: u64) -> String {
        match &self.bars {
            Some(bars) => bars.place(tick).to_string(),
            None => self.song.shown(self.chunk, tick),
        }
    }

    /// The nearest beat, if the file has bars; the later of two equally near.
    pub fn nearest(&self, tick: u64) -> Option<Nearest> {
        let bars = self.bars.as_ref()?;
        let (span, own) = (bars.at(tick), bars.place(tick));
        let (mut near, mut beat) = (tick - own.tick, own);
        // A meter may begin before the end of the beat.
        let next = (near + span.beat).min(bars.bar(own.bar + 1).max(tick));
        if own.tick.saturating_mul(2) >= next - near {
            (near, beat) = (next, bars.place(next));
        }
        Some(Nearest {
            bar: whole(beat.bar),
            beat: whole(beat.beat),
            off: whole(tick) - whole(near),
        })
    }

    /// Seconds from the start.
    pub fn seconds(&self, tick: u64) -> f64 {
        self.song.seconds(self.chunk, tick)
    }
}

/// A number of ticks, bars or beats as SQL has it.
pub fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// All rows but tracks in the order of the file, with their ticks. With `counts` also the number of
/// each row among all events at its tick, including ends of notes, from 1.
pub fn in_order(song: &Song, counts: bool) -> Vec<(Id<Chunk>, u64, i64, Row)> {
    let mut all = Vec::new();
    for (chunk, _) in song.chunks.iter() {
        let mut spots = Vec::new();
        for (part, timeline) in song.timelines() {
            let own = timeline.range(chunk, 0, u64::MAX);
            let own = own.filter(|(_, spot)| counts || !spot.off);
            spots.extend(own.map(|(key, spot)| (key, spot.off, Row::new(part, spot.id))));
        }
        spots.sort_by_key(|(key, ..)| (key.tick, key.pos, key.seq));
        let (mut last, mut nth) = (None, 0);
        for (key, off, row) in spots {
            nth = if last == Some(key.tick) { nth + 1 } else { 1 };
            last = Some(key.tick);
            if !off {
                all.push((chunk, key.tick, nth, row));
            }
        }
    }
    all
}

/// Number of events at a tick of a chunk, including ends of notes.
pub fn seats(song: &Song, chunk: Id<Chunk>, tick: u64) -> i64 {
    let lines = song.timelines().into_iter();
    let count = lines.map(|(_, timeline)| timeline.range(chunk, tick, tick).count());
    whole(count.sum::<usize>() as u64)
}

/// The tick of a position as ops accept it.
///
/// # Errors
/// There is no such position.
pub fn pos_tick(
    song: &Song,
    chunk: Id<Chunk>,
    track: Option<Id<Track>>,
    text: &str,
) -> Result<u64> {
    let pos = Pos::parse(text);
    let tick = pos.and_then(|pos| song.pos_tick(&pos, chunk, track));
    tick.map_err(|error| error.refusal(text))
}

/// Seconds from the start, as a position that ops accept.
pub struct Seconds(String);

impl SetValue for Seconds {
    fn read(cell: &Cell) -> std::result::Result<Self, ValueError> {
        let Some(word) = cell.word() else {
            return Err(ValueError::sentence("NULL is not a value here"));
        };
        let number = word.parse().ok().filter(|number: &f64| number.is_finite());
        let number = number.ok_or_else(|| ValueError::new("is not a number of seconds"))?;
        // Computed seconds have the noise of binary fractions, far below any tick.
        let shown = format!("{:.6}", number.abs());
        if number < 0.0 && shown.parse() != Ok(0.0) {
            return Err(ValueError::new("is below 0").fix("0"));
        }
        Ok(Self(format!("{shown}s")))
    }
}

impl Seconds {
    /// The position.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Their tick.
    ///
    /// # Errors
    /// It is beyond the last one of a file.
    pub fn tick(&self, song: &Song, chunk: Id<Chunk>, track: Option<Id<Track>>) -> Result<u64> {
        pos_tick(song, chunk, track, &self.0)
    }
}

/// The part of a position to set: the bar.
pub const BAR: usize = 0;

/// The beat.
pub const BEAT: usize = 1;

/// The ticks after it.
pub const SUB: usize = 2;

/// The tick of a position with some parts replaced: the bar, the beat, or the ticks after it.
///
/// # Errors
/// There is no such position, or the file has no bars.
pub fn with_parts(song: &Song, chunk: Id<Chunk>, tick: u64, parts: Parts) -> Result<u64> {
    if !song.has_bars() {
        bail!("this file counts SMPTE frames, so it has no bars");
    }
    let place = song.bars(chunk).place(tick);
    let [bar, beat, sub] = parts;
    let [bar, beat, sub] = [(bar, place.bar), (beat, place.beat), (sub, place.tick)]
        .map(|(part, own)| part.unwrap_or(whole(own)));
    let pos = Pos::place(bar, beat, sub)
        .ok_or_else(|| ValueError::new("is not a place: bars and beats count from 1"));
    let tick = pos.and_then(|pos| song.pos_tick(&pos, chunk, None));
    tick.map_err(|error| error.refusal(&format!("{bar}.{beat}.{sub}")))
}

/// Moves all rows whose bars, beats or ticks were set to their combined positions.
///
/// # Errors
/// There is no such position.
pub fn settle(song: &mut Song) -> Result<()> {
    for (placed, parts) in song.take_parts() {
        let settled = match placed {
            Holder::Row(row) if row.is::<Note>() => {
                super::setting_notes::settle(song, row.of(), parts)
            }
            _ => super::setting_events::settle(song, placed, parts),
        };
        settled.map_err(|error| Diagnostic::new(error.message))?;
    }
    Ok(())
}

/// A tempo. A computed one may have more decimals than an op can write, and is rounded.
///
/// # Errors
/// It is invalid, or an op cannot write it.
pub fn tempo(text: &str) -> Result<Bpm> {
    Bpm::parse(text).or_else(|error| {
        let number = text.parse().ok();
        let number = number.filter(|number| (4.0..=999.999).contains(number));
        let near = number.and_then(Bpm::near);
        near.ok_or_else(|| error.refusal(text))
    })
}

/// The tempo of a number of microseconds per quarter.
///
/// # Errors
/// No op writes it.
pub fn tempo_of_micros(number: &str) -> Result<Bpm> {
    match number.parse().ok().and_then(Bpm::from_micros) {
        Some(bpm) => Bpm::parse(&bpm.to_string()).map_err(|error| {
            let about = error.about(&bpm.to_string());
            Diagnostic::new(format!("{number} microseconds a quarter: {about}"))
        }),
        None => bail!("{number} is not a quarter's microseconds; 500000 is 120 a minute"),
    }
}

/// The bytes of a sysex after its F0, which may be given too. `is_open` if it may lack its F7: a
/// packet that others continue.
///
/// # Errors
/// They are not a sysex.
pub fn sysex_of(text: &str, is_open: bool) -> Result<Vec<u8>> {
    let mut bytes = bytes_of(text)?;
    if bytes.first() == Some(&0xf0) {
        bytes.remove(0);
    }
    let text = match bytes.as_slice() {
        [] => "a sysex without bytes",
        _ => text,
    };
    let inner = bytes.strip_suffix(&[0xf7]);
    if inner.unwrap_or(&bytes).iter().any(|byte| *byte > 127) {
        bail!("{text} holds a byte above 7F inside the sysex");
    }
    if inner.is_none() && !is_open {
        bail!("{text} does not end: a sysex ends with f7");
    }
    Ok(bytes)
}

/// Bytes in hex, with or without whitespace.
///
/// # Errors
/// They are invalid.
pub fn bytes_of(text: &str) -> Result<Vec<u8>> {
    let digits: String = text.split_whitespace().collect();
    match unhex(&digits) {
        Some(bytes) => Ok(bytes),
        None => bail!("{text} is not bytes in hex: 4d 61, or 4d61"),
    }
}

/// The track with a name, as shown in the column `track`.
///
/// # Errors
/// There is no such track.
pub fn track_named(song: &Song, name: &str) -> Result<Id<Track>> {
    if let [only] = song.tracks.by_label(name, Level::Exact).as_slice()
        && song.name_of_track(Id::new(*only)) == name
    {
        return Ok(Id::new(*only));
    }
    // Tracks that share a name are told apart by a number.
    work::spend(STEPS_A_NAME * song.tracks.len())?;
    let all = song.ordered();
    let all = all.map(|(id, _)| (id, song.name_of_track(id)));
    let all: Vec<(Id<Track>, String)> = all.collect();
    if let Some((id, _)) = all.iter().find(|(_, own)| own == name) {
        return Ok(*id);
    }
    // Any other name is read as an op reads it.
    match fcp::verb::called(song, name, "track", true) {
        Ok(row) => Ok(row.of()),
        Err(_) => {
            let names: Vec<&str> = all.iter().map(|(_, own)| own.as_str()).collect();
            let known = names.join(", ");
            let error = Diagnostic::new(format!("no track is called {name} (tracks: {known})"));
            Err(match fcp::value::nearest_word(name, names) {
                Some(near) => error.or_add(near),
                None => error,
            })
        }
    }
}

/// The names of tracks by id, each computed once.
pub fn names(song: &Song) -> HashMap<u32, String> {
    let ids = song.tracks.iter().map(|(id, _)| id);
    ids.map(|id| (id.number(), song.name_of_track(id)))
        .collect()
}
