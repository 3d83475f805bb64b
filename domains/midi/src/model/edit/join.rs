//! Joins the chunks of a file into one: format 0.

use std::collections::{BTreeMap, HashMap, VecDeque};

use fcp::prelude::*;

use crate::model::IsKind;
use crate::model::index::event_places::{Mark, Rank};
use crate::model::name::prefix;
use crate::model::rows::kinds::{Chunk, Note, RawEvent, Track};
use crate::model::rows::note::NEUTRAL_OFF;
use crate::model::song::Song;
use crate::model::song_settings::Overlapping;
use crate::smf::{Body, End, Spelling};
use crate::values::{Channel, Pitch};

/// The end of a note, or a stray note-off.
#[derive(Clone, Copy)]
pub(in crate::model) struct Off {
    pub(in crate::model) at: u64,
    pub(in crate::model) mark: Mark,
    pub(in crate::model) velocity: u8,
    pub(in crate::model) by_on: bool,
}

/// A channel and pitch: in one chunk, a note-off ends a note of its voice.
pub(in crate::model) type Voice = (Channel, Pitch);

/// A place in the order of one chunk: tick, number of its chunk, place in that.
pub(in crate::model) type Place = (u64, usize, u32, u32);

/// The channels of tracks, including those that were removed.
type Channels = HashMap<Id<Track>, Channel>;

/// An event of the joined chunk.
pub(in crate::model) enum Standing {
    On(Id<Note>),
    /// Its voice, and the note that it ends, if any.
    Off(Voice, Option<Id<Note>>, Off),
    Row(Row),
}

impl Song {
    /// Joins everything into one chunk, for format 0, in which a track is a channel. Describes the
    /// effect on tracks; `None` if the format was 0 already.
    ///
    /// # Errors
    /// The chunks are separate pieces, or one is damaged.
    pub fn join(&mut self) -> Result<Option<String>> {
        match self.file.header.format {
            0 => return Ok(None),
            1 => {}
            _ => {
                bail!("each chunk of this file is a piece of its own, so they cannot be one chunk")
            }
        }
        let tracks = self.chunks.iter().filter(|(_, chunk)| chunk.is_track());
        let chunks: Vec<Id<Chunk>> = tracks.map(|(id, _)| id).collect();
        for chunk in &chunks {
            self.writable(*chunk)?;
        }
        let mut order = self.order(&chunks);
        let untangled = self.untangle(&mut order);
        if let (Overlapping::Refuse, Some(clash)) = (self.manner.overlap, untangled.clash) {
            return Err(clash.refused(self));
        }
        for id in untangled.gone {
            self.notes.remove(id);
        }
        for (id, velocity) in untangled.louder {
            self.notes
                .modify(id, |note| note.velocity = note.velocity.max(velocity));
        }
        let order: Vec<(u64, Standing)> = order
            .into_iter()
            .map(|(place, standing)| (place.0, standing))
            .collect();
        let target = self.conductor();
        let rows = self.tracks.iter();
        let channels: Channels = rows
            .filter_map(|(id, row)| Some((id, row.channel?)))
            .collect();
        let (homes, merged) = self.homes(target, &order);
        self.put_all(target, order, (&homes, &channels));
        let others: Vec<Id<Chunk>> = chunks.iter().copied().filter(|id| *id != target).collect();
        let mut dropped = 0;
        let mut last = 0;
        for chunk in others {
            let row = self.chunks.need(chunk)?;
            dropped += row.tail.len();
            last = last.max(row.end.as_ref().map_or(0, |end| end.tick));
            self.chunks.remove(chunk);
        }
        self.chunks.modify(target, |row| {
            let end = row.end.get_or_insert_with(|| End::at(0));
            end.tick = end.tick.max(last);
            row.claim = None;
        });
        self.file.modify(|shell| shell.header.format = 0);
        self.own_names();
        self.relabel_all();
        let mut summary = match chunks.len() {
            1 => "SMF 1 -> 0".to_owned(),
            n => format!("SMF 1 -> 0, {n} chunks made one"),
        };
        for line in merged {
            summary.push_str(&format!("; {line}"));
        }
        let overlaps = untangled.overlaps.parts();
        if !overlaps.is_empty() {
            summary.push_str(&format!("; overlapping notes: {}", overlaps.join(", ")));
        }
        if dropped > 0 {
            summary.push_str(&format!(
                "; {dropped} bytes after the ends of tracks dropped"
            ));
        }
        Ok(Some(summary))
    }

    /// The events of chunks in the order of one: by tick, then by chunk.
    fn order(&self, chunks: &[Id<Chunk>]) -> Vec<(Place, Standing)> {
        let mut order = Vec::new();
        for (ix, chunk) in chunks.iter().enumerate() {
            for (of, timeline) in self.timelines() {
                for (key, spot) in timeline.range(*chunk, 0, u64::MAX) {
                    let place = (key.tick, ix, key.pos, key.seq);
                    let row = Row::new(of, spot.id);
                    if let Some(standing) = self.standing(row, spot.off) {
                        order.push((place, standing));
                    }
                }
            }
        }
        order.sort_unstable_by_key(|(place, _)| *place);
        order
    }

    fn standing(&self, row: Row, off: bool) -> Option<Standing> {
        if row.is::<Note>() {
            let note = self.notes.get(row.of())?;
            return Some(if off {
                let off = Off {
                    at: note.at + note.dur.unwrap_or(0),
                    mark: note.off_mark,
                    velocity: note.off,
                    by_on: note.off_by_on,
                };
                Standing::Off((note.channel, note.pitch), Some(row.of()), off)
            } else {
                Standing::On(row.of())
            });
        }
        // The order in the file decides which note a note-off ends, if any.
        if row.is::<RawEvent>() {
            let other = self.others.get(row.of())?;
            if let (Rank::Off, Body::Channel { status, data }) = (other.rank(), &other.body) {
                let voice = (Channel::new(status & 15)?, Pitch::new(data[0])?);
                let off = Off {
                    at: other.at,
                    mark: other.mark,
                    velocity: data[1],
                    by_on: status & 0xf0 == 0x90,
                };
                return Some(Standing::Off(voice, None, off));
            }
        }
        Some(Standing::Row(row))
    }

    /// The track of each channel, the first one that plays on it, and the names of the removed
    /// tracks.
    fn homes(
        &mut self,
        target: Id<Chunk>,
        order: &[(u64, Standing)],
    ) -> (BTreeMap<Channel, Id<Track>>, Vec<String>) {
        let channels = order.iter().filter_map(|(_, standing)| match standing {
            Standing::On(id) => self.notes.get(*id).map(|note| note.channel),
            Standing::Off((channel, _), ..) => Some(*channel),
            Standing::Row(row) => self.channel_of(*row),
        });
        let channels: std::collections::BTreeSet<Channel> = channels.collect();
        let mut homes: BTreeMap<Channel, Id<Track>> = BTreeMap::new();
        let mut merged = Vec::new();
        let rows: Vec<(Id<Track>, Track, String)> = self
            .ordered()
            .map(|(id, row)| (id, row.clone(), self.name_of_track(id)))
            .collect();
        // Names as shown before any track is removed.
        let mut names: BTreeMap<Channel, String> = BTreeMap::new();
        for (id, row, name) in rows {
            let channel = row.channel.filter(|channel| channels.contains(channel));
            match channel.map(|channel| (channel, homes.get(&channel))) {
                Some((channel, None)) => {
                    homes.insert(channel, id);
                    names.insert(channel, name);
                    self.tracks.modify(id, |row| row.chunk = target);
                }
                Some((channel, Some(_))) => {
                    let first = names.get(&channel).map_or("", String::as_str);
                    merged.push(format!("{name} merged into {first} on channel {channel}"));
                    self.tracks.remove(id);
                }
                // It makes no sound.
                None => {
                    self.tracks.remove(id);
                }
            }
        }
        for channel in channels {
            homes.entry(channel).or_insert_with(|| {
                self.tracks.insert(Track {
                    chunk: target,
                    name: String::new(),
                    channel: Some(channel),
                })
            });
        }
        (homes, merged)
    }

    fn put_all(
        &mut self,
        target: Id<Chunk>,
        order: Vec<(u64, Standing)>,
        (homes, channels): (&BTreeMap<Channel, Id<Track>>, &Channels),
    ) {
        let mut open: HashMap<Voice, VecDeque<Id<Note>>> = HashMap::new();
        let mut ends: HashMap<Id<Note>, Off> = HashMap::new();
        let mut starts: Vec<(Id<Note>, Mark)> = Vec::new();
        let mut strays: Vec<(Voice, Off)> = Vec::new();
        let mut gone: Vec<Id<RawEvent>> = Vec::new();
        let all = self.others.iter();
        gone.extend(
            all.filter(|(_, row)| row.rank() == Rank::Off)
                .map(|(id, _)| id),
        );
        for id in gone {
            self.others.remove(id);
        }
        let mut pos = 0;
        let mut next = |spelling| {
            pos += 1;
            Mark::read(pos, spelling)
        };
        for (_, standing) in order {
            match standing {
                Standing::On(id) => {
                    let Some(note) = self.notes.get(id) else {
                        continue;
                    };
                    let voice = (note.channel, note.pitch);
                    open.entry(voice).or_default().push_back(id);
                    starts.push((id, next(note.on_mark.spelling)));
                }
                Standing::Off(voice, _, off) => {
                    let mark = next(off.mark.spelling);
                    let off = Off { mark, ..off };
                    match open.get_mut(&voice).and_then(VecDeque::pop_front) {
                        Some(note) => {
                            ends.insert(note, off);
                        }
                        None => strays.push((voice, off)),
                    }
                }
                Standing::Row(row) => {
                    let Some(mark) = self.mark_of(row) else {
                        continue;
                    };
                    self.prefix(row, target, channels, &mut next);
                    self.seat(row, target, next(mark.spelling));
                    let home = self.channel_of(row).and_then(|channel| homes.get(&channel));
                    self.assign(row, home.copied());
                }
            }
        }
        for (id, mark) in starts {
            let end = ends.get(&id).copied();
            self.notes.modify(id, |note| {
                note.chunk = target;
                note.on_mark = mark;
                if let Some(home) = homes.get(&note.channel) {
                    note.track = *home;
                }
                note.dur = end.map(|end| end.at - note.at);
                if let Some(end) = end {
                    note.off_mark = end.mark;
                    note.off = if end.by_on { NEUTRAL_OFF } else { end.velocity };
                    note.off_by_on = end.by_on;
                }
            });
        }
        for ((channel, pitch), off) in strays {
            let (kind, velocity) = if off.by_on {
                (0x90, 0)
            } else {
                (0x80, off.velocity)
            };
            let body = Body::Channel {
                status: kind | channel.get(),
                data: [pitch.get(), velocity],
            };
            self.others.insert(RawEvent {
                chunk: target,
                track: homes.get(&channel).copied(),
                at: off.at,
                body,
                mark: off.mark,
            });
        }
    }

    /// Puts the channel of its track before the name of a track, so that the name can be assigned.
    fn prefix(
        &mut self,
        row: Row,
        target: Id<Chunk>,
        channels: &Channels,
        next: &mut impl FnMut(Spelling) -> Mark,
    ) {
        if !row.is::<RawEvent>() {
            return;
        }
        let Some(name) = self.others.get(row.of()).filter(|row| row.is_name()) else {
            return;
        };
        let (at, chunk) = (name.at, name.chunk);
        // A name in the first chunk is the title.
        if chunk == target {
            return;
        }
        let Some(channel) = name.track.and_then(|track| channels.get(&track)) else {
            return;
        };
        self.others.insert(RawEvent {
            chunk: target,
            track: None,
            at,
            body: prefix(*channel),
            mark: next(Spelling::default()),
        });
    }
}
