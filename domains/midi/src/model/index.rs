//! What the tables of a song keep sorted besides ids: the order of the file, pitches, controllers, bars and seconds.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fcp::prelude::*;

use super::mark::{Rank, Timeline};
use super::rows::{Chunk, Control, Meter, Note, Other, Program, Tempo, Track};
use crate::clock::{MeterMap, TempoMap};
use crate::values::{Channel, Pitch};

/// The notes in the order of the file, and by pitch.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct NoteIndex {
    /// Note-ons and note-offs in the order of the file.
    pub time: Timeline,
    /// Chunk, channel, pitch, onset, id.
    pitches: BTreeSet<(u32, u8, u8, u64, u32)>,
    /// How many notes there are, by the track's id.
    counts: BTreeMap<u32, usize>,
}

impl NoteIndex {
    fn entry(id: Id<Note>, note: &Note) -> (u32, u8, u8, u64, u32) {
        (
            note.chunk.number(),
            note.channel.get(),
            note.pitch.get(),
            note.at,
            id.number(),
        )
    }

    /// How many notes a track has.
    #[must_use]
    pub fn count(&self, track: Id<Track>) -> usize {
        self.counts.get(&track.number()).copied().unwrap_or(0)
    }

    /// The notes of one pitch in a chunk and on a channel that start before `to`, the latest first.
    pub fn before(
        &self,
        chunk: Id<Chunk>,
        channel: Channel,
        pitch: Pitch,
        to: u64,
    ) -> impl Iterator<Item = Id<Note>> + use<'_> {
        let (chunk, channel, pitch) = (chunk.number(), channel.get(), pitch.get());
        let range = (chunk, channel, pitch, 0, 0)..(chunk, channel, pitch, to, 0);
        self.pitches
            .range(range)
            .rev()
            .map(|entry| Id::new(entry.4))
    }

    /// The notes of one pitch in a chunk and on a channel that start at `from` or later, the earliest first.
    pub fn from(
        &self,
        chunk: Id<Chunk>,
        channel: Channel,
        pitch: Pitch,
        from: u64,
    ) -> impl Iterator<Item = Id<Note>> + use<'_> {
        let (chunk, channel, pitch) = (chunk.number(), channel.get(), pitch.get());
        let range = (chunk, channel, pitch, from, 0)..=(chunk, channel, pitch, u64::MAX, u32::MAX);
        self.pitches.range(range).map(|entry| Id::new(entry.4))
    }
}

impl RowIndex<Note> for NoteIndex {
    fn insert(&mut self, id: Id<Note>, row: &Note) {
        self.time.insert(id, row);
        self.pitches.insert(Self::entry(id, row));
        count(&mut self.counts, row.track, 1);
    }
    fn remove(&mut self, id: Id<Note>, row: &Note) {
        self.time.remove(id, row);
        self.pitches.remove(&Self::entry(id, row));
        count(&mut self.counts, row.track, -1);
    }
    fn agrees(&self, other: &Self) -> bool {
        self == other
    }
}

/// Counts one more or less of what a track has.
fn count(counts: &mut BTreeMap<u32, usize>, track: Id<Track>, step: isize) {
    let count = counts.entry(track.number()).or_default();
    *count = count.saturating_add_signed(step);
    if *count == 0 {
        counts.remove(&track.number());
    }
}

/// The control changes in the order of the file, and by controller.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ControlIndex {
    /// In the order of the file.
    pub time: Timeline,
    /// Track, controller, tick, place, id.
    numbers: BTreeSet<(u32, u8, u64, u32, u32, u32)>,
    /// How many there are, by the track's id.
    counts: BTreeMap<u32, usize>,
}

impl ControlIndex {
    fn entry(id: Id<Control>, row: &Control) -> (u32, u8, u64, u32, u32, u32) {
        (
            row.track.number(),
            row.number,
            row.at,
            row.mark.pos,
            row.mark.seq,
            id.number(),
        )
    }

    /// How many control changes a track has.
    #[must_use]
    pub fn count(&self, track: Id<Track>) -> usize {
        self.counts.get(&track.number()).copied().unwrap_or(0)
    }

    /// The changes of one controller on a track, in order.
    pub fn of(&self, track: Id<Track>, number: u8) -> impl Iterator<Item = Id<Control>> + use<'_> {
        let low = (track.number(), number, 0, 0, 0, 0);
        let high = (
            track.number(),
            number,
            u64::MAX,
            u32::MAX,
            u32::MAX,
            u32::MAX,
        );
        self.numbers.range(low..=high).map(|entry| Id::new(entry.5))
    }
}

impl RowIndex<Control> for ControlIndex {
    fn insert(&mut self, id: Id<Control>, row: &Control) {
        self.time.insert(id, row);
        self.numbers.insert(Self::entry(id, row));
        count(&mut self.counts, row.track, 1);
    }
    fn remove(&mut self, id: Id<Control>, row: &Control) {
        self.time.remove(id, row);
        self.numbers.remove(&Self::entry(id, row));
        count(&mut self.counts, row.track, -1);
    }
    fn agrees(&self, other: &Self) -> bool {
        self == other
    }
}

/// Program changes in the order of the file, and how many a track has.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ProgramIndex {
    /// In the order of the file.
    pub time: Timeline,
    counts: BTreeMap<u32, usize>,
}

impl ProgramIndex {
    /// How many program changes a track has.
    #[must_use]
    pub fn count(&self, track: Id<Track>) -> usize {
        self.counts.get(&track.number()).copied().unwrap_or(0)
    }

    /// How many tracks have an instrument.
    #[must_use]
    pub fn tracks(&self) -> usize {
        self.counts.len()
    }
}

impl RowIndex<Program> for ProgramIndex {
    fn insert(&mut self, id: Id<Program>, row: &Program) {
        self.time.insert(id, row);
        count(&mut self.counts, row.track, 1);
    }
    fn remove(&mut self, id: Id<Program>, row: &Program) {
        self.time.remove(id, row);
        count(&mut self.counts, row.track, -1);
    }
    fn agrees(&self, other: &Self) -> bool {
        self == other
    }
}

/// Other events in the order of the file, and how many of them name a chunk or end nothing.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct OtherIndex {
    /// In the order of the file.
    pub time: Timeline,
    names: usize,
    strays: usize,
}

impl OtherIndex {
    /// How many events name a chunk.
    #[must_use]
    pub const fn names(&self) -> usize {
        self.names
    }

    /// How many are note-offs that end nothing.
    #[must_use]
    pub const fn strays(&self) -> usize {
        self.strays
    }
}

impl RowIndex<Other> for OtherIndex {
    fn insert(&mut self, id: Id<Other>, row: &Other) {
        self.time.insert(id, row);
        self.names += usize::from(row.is_name());
        self.strays += usize::from(row.rank() == Rank::Off);
    }
    fn remove(&mut self, id: Id<Other>, row: &Other) {
        self.time.remove(id, row);
        self.names -= usize::from(row.is_name());
        self.strays -= usize::from(row.rank() == Rank::Off);
    }
    fn agrees(&self, other: &Self) -> bool {
        self == other
    }
}

/// Tempo changes in the order of the file, and the seconds they make.
#[derive(Debug, Default)]
pub struct TempoIndex {
    /// In the order of the file.
    pub time: Timeline,
    pub(crate) map: OnceCell<Arc<TempoMap>>,
}

/// Meter changes in the order of the file, and the bars they make.
#[derive(Debug, Default)]
pub struct MeterIndex {
    /// In the order of the file.
    pub time: Timeline,
    pub(crate) map: OnceCell<Arc<MeterMap>>,
}

macro_rules! mapped {
    ($($index:ty, $row:ty);*) => {$(
        impl RowIndex<$row> for $index {
            fn insert(&mut self, id: Id<$row>, row: &$row) {
                self.time.insert(id, row);
                self.map.take();
            }
            fn remove(&mut self, id: Id<$row>, row: &$row) {
                self.time.remove(id, row);
                self.map.take();
            }
            fn agrees(&self, other: &Self) -> bool {
                self.time == other.time
            }
        }
    )*};
}

mapped!(TempoIndex, Tempo; MeterIndex, Meter);
