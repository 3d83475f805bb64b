//! What tables of a song keep sorted besides ids: the order of the file, names, bars and seconds.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fcp::prelude::*;

use super::controls::{END, Moment, START};
use super::mark::{Rank, Timeline};
use super::rows::{Chunk, Meter, Other, Program, Tempo, Track};
use crate::clock::{MeterMap, TempoMap};

/// Counts one more or less of what is told apart by a key.
pub(super) fn count<K: Ord + Copy>(counts: &mut BTreeMap<K, usize>, key: K, step: isize) {
    let count = counts.entry(key).or_default();
    *count = count.saturating_add_signed(step);
    if *count == 0 {
        counts.remove(&key);
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
        count(&mut self.counts, row.track.number(), 1);
    }
    fn remove(&mut self, id: Id<Program>, row: &Program) {
        self.time.remove(id, row);
        count(&mut self.counts, row.track.number(), -1);
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
    /// What names chunks: chunk, where it stands, id.
    names: BTreeSet<(u32, Moment, u32)>,
    strays: usize,
}

impl OtherIndex {
    /// How many events name a chunk.
    #[must_use]
    pub fn names(&self) -> usize {
        self.names.len()
    }

    /// The first event that names a chunk.
    #[must_use]
    pub fn name(&self, chunk: Id<Chunk>) -> Option<Id<Other>> {
        let chunk = chunk.number();
        let named = self.names.range((chunk, START, 0)..=(chunk, END, u32::MAX));
        named.map(|entry| Id::new(entry.2)).next()
    }

    fn entry(id: Id<Other>, row: &Other) -> (u32, Moment, u32) {
        let moment = (row.at, row.mark.pos, row.mark.seq);
        (row.chunk.number(), moment, id.number())
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
        if row.is_name() {
            self.names.insert(Self::entry(id, row));
        }
        self.strays += usize::from(row.rank() == Rank::Off);
    }
    fn remove(&mut self, id: Id<Other>, row: &Other) {
        self.time.remove(id, row);
        self.names.remove(&Self::entry(id, row));
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
