//! Indexes of a song's tables: the order of the file, tracks, programs and names.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use fcp::prelude::*;

use super::controls::{END, Moment, START};
use super::event_places::{Rank, Timeline};
use super::paged::Paged;
use crate::model::rows::kinds::{Chunk, Program, RawEvent, Track};
use crate::values::Channel;

/// Adds `step` to the count of a key.
pub(in crate::model) fn count<K: Ord + Copy>(counts: &mut BTreeMap<K, usize>, key: K, step: isize) {
    let count = counts.entry(key).or_default();
    *count = count.saturating_add_signed(step);
    if *count == 0 {
        counts.remove(&key);
    }
}

/// Chunks in the order of the file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ChunkIndex(Paged<u32, ()>);

impl ChunkIndex {
    /// The number of a chunk in the file, from 1.
    #[must_use]
    pub fn number(&self, id: Id<Chunk>) -> usize {
        self.0.rank(&id.number()) + 1
    }
}

impl RowIndex<Chunk> for ChunkIndex {
    fn insert(&mut self, id: Id<Chunk>, _: &Chunk) {
        self.0.insert(id.number(), ());
    }
    fn remove(&mut self, id: Id<Chunk>, _: &Chunk) {
        self.0.remove(&id.number(), &());
    }
    fn tells_apart(_: &Chunk, _: &Chunk) -> bool {
        false
    }
    fn agrees(&self, other: &Self) -> bool {
        self == other
    }
}

/// Tracks in the order of the file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TrackIndex {
    /// Chunk, id.
    order: BTreeSet<(u32, u32)>,
}

impl TrackIndex {
    /// The tracks in the order of their chunks.
    pub fn ordered(&self) -> impl Iterator<Item = Id<Track>> + '_ {
        self.order.iter().map(|(_, id)| Id::new(*id))
    }

    /// The tracks of a chunk, in order of ids.
    pub fn of(&self, chunk: Id<Chunk>) -> impl Iterator<Item = Id<Track>> + use<'_> {
        let chunk = chunk.number();
        let own = self.order.range((chunk, 0)..=(chunk, u32::MAX));
        own.map(|(_, id)| Id::new(*id))
    }
}

impl RowIndex<Track> for TrackIndex {
    fn insert(&mut self, id: Id<Track>, row: &Track) {
        self.order.insert((row.chunk.number(), id.number()));
    }
    fn remove(&mut self, id: Id<Track>, row: &Track) {
        self.order.remove(&(row.chunk.number(), id.number()));
    }
    fn tells_apart(before: &Track, after: &Track) -> bool {
        before.chunk != after.chunk
    }
    fn agrees(&self, other: &Self) -> bool {
        self == other
    }
}

/// Program changes in the order of the file and by channel, and their number per track.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ProgramIndex {
    /// All program changes in the order of the file.
    pub time: Timeline,
    /// Track, channel, place, id.
    channels: BTreeSet<(u32, u8, Moment, u32)>,
    counts: BTreeMap<u32, usize>,
}

impl ProgramIndex {
    /// Number of program changes of a track.
    #[must_use]
    pub fn count(&self, track: Id<Track>) -> usize {
        self.counts.get(&track.number()).copied().unwrap_or(0)
    }

    /// The program changes of a track on a channel, in order.
    pub fn of(
        &self,
        track: Id<Track>,
        channel: Channel,
    ) -> impl Iterator<Item = Id<Program>> + use<'_> {
        let (track, channel) = (track.number(), channel.get());
        let range = (track, channel, START, 0)..=(track, channel, END, u32::MAX);
        self.channels.range(range).map(|entry| Id::new(entry.3))
    }

    fn entry(id: Id<Program>, row: &Program) -> (u32, u8, Moment, u32) {
        let moment = (row.at, row.mark.pos, row.mark.seq);
        let (track, channel) = (row.track.number(), row.channel.get());
        (track, channel, moment, id.number())
    }

    /// Number of tracks with an instrument.
    #[must_use]
    pub fn tracks(&self) -> usize {
        self.counts.len()
    }
}

impl RowIndex<Program> for ProgramIndex {
    fn in_file(one: &Program, other: &Program) -> Ordering {
        Timeline::in_file(one, other)
    }
    fn insert(&mut self, id: Id<Program>, row: &Program) {
        self.time.insert(id, row);
        self.channels.insert(Self::entry(id, row));
        count(&mut self.counts, row.track.number(), 1);
    }
    fn remove(&mut self, id: Id<Program>, row: &Program) {
        self.time.remove(id, row);
        self.channels.remove(&Self::entry(id, row));
        count(&mut self.counts, row.track.number(), -1);
    }
    fn agrees(&self, other: &Self) -> bool {
        self == other
    }
}

/// Other events in the order of the file, with counts of names and stray note-offs.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct OtherIndex {
    /// All events in the order of the file.
    pub time: Timeline,
    /// Names of chunks: chunk, place, id.
    names: BTreeSet<(u32, Moment, u32)>,
    /// Channel prefixes: chunk, place, id.
    prefixes: BTreeSet<(u32, Moment, u32)>,
    /// Number of prefixes that belong to a track.
    owned: usize,
    strays: usize,
}

impl OtherIndex {
    /// Number of events that name a chunk.
    #[must_use]
    pub fn names(&self) -> usize {
        self.names.len()
    }

    /// The events that name a chunk, in order.
    pub fn names_of(&self, chunk: Id<Chunk>) -> impl Iterator<Item = Id<RawEvent>> + use<'_> {
        let chunk = chunk.number();
        let named = self.names.range((chunk, START, 0)..=(chunk, END, u32::MAX));
        named.map(|entry| Id::new(entry.2))
    }

    /// Names and channel prefixes, by chunk and in order.
    pub(in crate::model) fn names_and_prefixes(&self) -> Vec<(u32, Moment, Id<RawEvent>)> {
        let both = self.names.iter().chain(&self.prefixes);
        let mut both: Vec<_> = both
            .map(|(chunk, place, id)| (*chunk, *place, Id::new(*id)))
            .collect();
        both.sort_unstable();
        both
    }

    /// The place of the first channel prefix of a chunk.
    #[must_use]
    pub fn first_prefix(&self, chunk: Id<Chunk>) -> Option<Moment> {
        let chunk = chunk.number();
        let mut own = self
            .prefixes
            .range((chunk, START, 0)..=(chunk, END, u32::MAX));
        own.next().map(|entry| entry.1)
    }

    /// Number of channel prefixes.
    #[must_use]
    pub fn prefixes(&self) -> usize {
        self.prefixes.len()
    }

    /// Number of channel prefixes that belong to a track.
    #[must_use]
    pub const fn owned_prefixes(&self) -> usize {
        self.owned
    }

    fn entry(id: Id<RawEvent>, row: &RawEvent) -> (u32, Moment, u32) {
        let moment = (row.at, row.mark.pos, row.mark.seq);
        (row.chunk.number(), moment, id.number())
    }

    /// Number of note-offs that end nothing.
    #[must_use]
    pub const fn strays(&self) -> usize {
        self.strays
    }
}

impl RowIndex<RawEvent> for OtherIndex {
    fn insert(&mut self, id: Id<RawEvent>, row: &RawEvent) {
        self.time.insert(id, row);
        if row.is_name() {
            self.names.insert(Self::entry(id, row));
        }
        if row.is_prefix() {
            self.prefixes.insert(Self::entry(id, row));
            self.owned += usize::from(row.track.is_some());
        }
        self.strays += usize::from(row.rank() == Rank::Off);
    }
    fn remove(&mut self, id: Id<RawEvent>, row: &RawEvent) {
        self.time.remove(id, row);
        self.names.remove(&Self::entry(id, row));
        self.prefixes.remove(&Self::entry(id, row));
        self.owned -= usize::from(row.is_prefix() && row.track.is_some());
        self.strays -= usize::from(row.rank() == Rank::Off);
    }
    fn agrees(&self, other: &Self) -> bool {
        self == other
    }
}
