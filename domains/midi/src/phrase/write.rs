//! Converts notes to phrases, which `phrase` can read.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use fcp::prelude::*;
use fcp::work;

use crate::grid::note_grid::{NoteGrid, STEPS, is_off};
use crate::model::{Note, Song, Track};
use crate::time::{Division, Voices};
use crate::values::{Channel, Dur, Pitch, Velocity};

/// The most chords or notes in one op.
const MOST: usize = 256;

/// The least difference of velocity that is written if not all are.
const LOUDER: u8 = 16;

/// The steps that an item counts.
const STEPS_AN_ITEM: usize = 8;

/// The precision of written notes.
#[derive(Clone, Debug)]
pub enum Precision {
    /// Exact to the tick.
    Exact,
    /// On the lines of a grid.
    On(NoteGrid),
    /// Starts exact to the tick, ends on lines of 32nds or finer triplets.
    Clean,
}

/// Notes that start and end together.
#[derive(Clone, Debug)]
struct Piece {
    at: u64,
    end: u64,
    channel: Channel,
    velocity: Velocity,
    pitches: Vec<Pitch>,
}

/// Chooses the precision of notes: starts as they are if nine of ten are on lines, else the
/// coarsest grid that keeps them apart. Also returns a remark about it.
#[must_use]
pub fn automatic(song: &Song, notes: &[&Note]) -> (Precision, Option<String>) {
    let off = notes
        .iter()
        .filter(|note| is_off(song, note.chunk, note.at));
    let off = off.count();
    if off * 10 <= notes.len() || !song.has_bars() {
        let moved = notes.iter().filter(|note| {
            let end = note.dur.map(|dur| note.at + dur.max(1));
            end.is_some_and(|end| placed(song, note, &Precision::Clean).1 != end)
        });
        let remark = match moved.count() {
            0 => None,
            n => Some(format!(
                "ends rounded to t or s3, {n} of {} off grid",
                notes.len()
            )),
        };
        return (Precision::Clean, remark);
    }
    // Notes this close together were meant to start together.
    let near = u64::from(song.ppqn() / 16).max(1);
    let mut onsets: Vec<&Note> = Vec::new();
    for note in notes {
        if onsets.last().is_none_or(|last| note.at - last.at > near) {
            onsets.push(note);
        }
    }
    let apart = |raster: &NoteGrid| {
        let lines = onsets
            .iter()
            .map(|note| raster.line(song, note.chunk, note.at));
        lines
            .collect::<Vec<_>>()
            .windows(2)
            .all(|pair| pair[0] < pair[1])
    };
    let rasters = || STEPS.iter().filter_map(|(_, parts)| NoteGrid::part(*parts));
    let chosen = rasters().find(apart).or_else(|| rasters().next_back());
    let Some(raster) = chosen else {
        return (Precision::Clean, None);
    };
    let name = raster.name();
    let remark = format!("rounded to {name}, {off} of {} off grid", notes.len());
    (Precision::On(raster), Some(remark))
}

/// The notes of a track, in order of their starts, as ops.
#[must_use]
pub fn phrase_ops(
    song: &Song,
    id: Id<Track>,
    notes: &[&Note],
    precision: &Precision,
) -> Vec<String> {
    let Some(track) = song.tracks.get(id) else {
        return Vec::new();
    };
    let exactly = matches!(precision, Precision::Exact);
    let mut pieces: Vec<Piece> = Vec::new();
    // Notes that are written alike form one piece, identified by all its written values.
    let mut known: BTreeMap<(u64, u64, Channel, Option<Velocity>), usize> = BTreeMap::new();
    for note in notes {
        let (at, end) = placed(song, note, precision);
        let own = exactly.then_some(note.velocity);
        let ix = *known
            .entry((at, end, note.channel, own))
            .or_insert_with(|| {
                pieces.push(Piece {
                    at,
                    end,
                    channel: note.channel,
                    velocity: note.velocity,
                    pitches: Vec::new(),
                });
                pieces.len() - 1
            });
        if let Some(piece) = pieces.get_mut(ix) {
            piece.velocity = piece.velocity.max(note.velocity);
            if !piece.pitches.contains(&note.pitch) {
                piece.pitches.push(note.pitch);
            }
        }
    }
    for piece in &mut pieces {
        piece.pitches.sort_unstable();
    }
    pieces.sort_by_key(|piece| {
        (
            piece.at,
            piece.channel,
            Reverse(piece.pitches.last().copied()),
        )
    });
    let mut ops = Vec::new();
    for voice in voices(pieces) {
        let mut writer = Writer::new(song, id, track, exactly);
        for piece in &voice {
            if writer.is_full(piece) {
                ops.extend(writer.finish());
                writer = Writer::new(song, id, track, exactly);
            }
            writer.put(piece);
        }
        ops.extend(writer.finish());
    }
    ops
}

/// Distributes pieces, in order of their starts, to voices: each to the first one of its channel
/// that is silent at its start.
fn voices(pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let mut voices: Vec<Vec<Piece>> = Vec::new();
    let mut channels: BTreeMap<Channel, Voices> = BTreeMap::new();
    for piece in pieces {
        let sounding = channels.entry(piece.channel).or_default();
        let ix = sounding.take(piece.at, piece.end, voices.len());
        match voices.get_mut(ix) {
            Some(voice) => voice.push(piece),
            None => voices.push(vec![piece]),
        }
    }
    voices
}

/// The written start and end of a note.
fn placed(song: &Song, note: &Note, precision: &Precision) -> (u64, u64) {
    let dur = note.dur.unwrap_or_else(|| u64::from(song.ppqn())).max(1);
    let end = note.at + dur;
    let line = |raster: &NoteGrid, tick: u64| raster.line(song, note.chunk, tick).unwrap_or(tick);
    match precision {
        Precision::Exact => (note.at, end),
        Precision::On(raster) => {
            let (at, to) = (line(raster, note.at), line(raster, end));
            let least = at + raster.step(song, note.chunk, at);
            (at, if to > at { to } else { least })
        }
        Precision::Clean => {
            let lines = [32, 24].into_iter().filter_map(NoteGrid::part);
            let lines = lines
                .map(|raster| line(&raster, end))
                .filter(|to| *to > note.at);
            let near = lines.min_by_key(|to| to.abs_diff(end));
            (note.at, near.unwrap_or(end))
        }
    }
}

/// Writes a voice as a phrase.
struct Writer<'a> {
    song: &'a Song,
    id: Id<Track>,
    track: &'a Track,
    exactly: bool,
    line: String,
    start: u64,
    at: u64,
    /// The tick of the last barline.
    barred: u64,
    first: Option<(Velocity, Channel)>,
    velocity: Velocity,
    dur: String,
    count: usize,
}

impl<'a> Writer<'a> {
    const fn new(song: &'a Song, id: Id<Track>, track: &'a Track, exactly: bool) -> Self {
        Self {
            song,
            id,
            track,
            exactly,
            line: String::new(),
            start: 0,
            at: 0,
            barred: 0,
            first: None,
            velocity: Velocity::MF,
            dur: String::new(),
            count: 0,
        }
    }

    /// Whether a piece should begin another op: this one is long, or bars of silence lie between.
    fn is_full(&self, piece: &Piece) -> bool {
        let bar = match self.song.has_bars() {
            true => self.song.bars(self.track.chunk).at(self.at).bar_ticks(),
            // Two seconds, if there are no bars.
            false => match self.song.division() {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                Division::Second(rate) => (rate * 2.0) as u64,
                Division::Quarter(ppqn) => u64::from(ppqn),
            },
        };
        self.first.is_some() && (self.count >= MOST || piece.at - self.at >= 2 * bar)
    }

    fn put(&mut self, piece: &Piece) {
        if self.first.is_none() {
            (self.start, self.at) = (piece.at, piece.at);
            (self.first, self.velocity) = (Some((piece.velocity, piece.channel)), piece.velocity);
        }
        self.barline();
        self.pass("r", piece.at);
        self.barline();
        let differs = self.velocity.get().abs_diff(piece.velocity.get());
        if differs >= if self.exactly { 1 } else { LOUDER } {
            self.write(&format!("v{}", piece.velocity));
            self.velocity = piece.velocity;
        }
        let names = piece.pitches.iter();
        let names = names.map(|pitch| self.song.pitch_on(piece.channel, *pitch));
        self.pass(&names.collect::<Vec<_>>().join("+"), piece.end);
        self.count += 1;
    }

    /// Writes a barline, if one is here and the phrase has begun.
    fn barline(&mut self) {
        let is_new = self.at > self.barred.max(self.start);
        if is_new && self.song.on_barline(self.track.chunk, self.at) {
            self.write("|");
            self.barred = self.at;
        }
    }

    fn write(&mut self, item: &str) {
        if !self.line.is_empty() {
            self.line.push(' ');
        }
        self.line.push_str(item);
    }

    /// Writes an item that lasts until a tick, held across barlines. One note may last for many
    /// millions of bars: they count, and the call fails.
    fn pass(&mut self, head: &str, to: u64) {
        let mut head = head;
        while self.at < to && work::spend(STEPS_AN_ITEM).is_ok() {
            let next = match self.song.has_bars() {
                true => {
                    let bars = self.song.bars(self.track.chunk);
                    bars.bar(bars.place(self.at).bar + 1)
                }
                false => u64::MAX,
            };
            self.barline();
            let end = to.min(next);
            self.item(head, end - self.at);
            self.at = end;
            head = if head == "r" { "r" } else { "_" };
        }
    }

    fn item(&mut self, head: &str, ticks: u64) {
        let ppqn = self.song.has_bars().then(|| self.song.ppqn());
        let dur =
            Dur::of_ticks(ticks, ppqn).map_or_else(|| ticks.to_string(), |dur| dur.to_string());
        if dur == self.dur {
            self.write(head);
        } else {
            self.write(&format!("{head}/{dur}"));
            self.dur = dur;
        }
    }

    /// The op, if anything was written.
    fn finish(self) -> Option<String> {
        let (velocity, channel) = self.first?;
        let name = fcp::op::quote_name(&self.track_name()).into_owned();
        let at = self.song.spelled(self.track.chunk, self.start);
        let own = self.track.channel == Some(channel);
        let channel = if own {
            String::new()
        } else {
            format!(" ch:{channel}")
        };
        let line = &self.line;
        Some(format!(
            "phrase {name} \"{line}\" at:{at} vel:{velocity}{channel}"
        ))
    }

    fn track_name(&self) -> String {
        self.song.name_of_track(self.id)
    }
}
