//! Index of the rows that hold for all tracks: tempos, meters and keys.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::sync::Arc;

use fcp::prelude::*;
use fcp::work;
use rustc_hash::FxHashMap;

use super::event_places::{Placed, Timeline, start};
use super::paged::Paged;
use crate::model::rows::kinds::Chunk;
use crate::time::{MeterMap, TempoMap};

/// Tempo changes, with the tempo map.
pub type TempoIndex = SongIndex<TempoMap>;

/// Meter changes, with the meter map.
pub type MeterIndex = SongIndex<MeterMap>;

/// Key signatures.
pub type KeyIndex = SongIndex<()>;

/// Rows that a map is built from in the time of a step.
const ROWS_A_STEP: usize = 4;

/// A place in the order of the song: tick, chunk, and place in the tick.
type Instant = (u64, u32, u32, u32);

/// The rows in the order of the file and of the song, and the maps `M` that they make.
#[derive(Debug)]
pub struct SongIndex<M> {
    /// All rows in the order of the file.
    pub time: Timeline,
    order: Paged<Instant, u32>,
    /// By chunk in a file of patterns; a change drops them.
    maps: RefCell<FxHashMap<Option<Id<Chunk>>, Arc<M>>>,
}

impl<M> Default for SongIndex<M> {
    fn default() -> Self {
        Self {
            time: Timeline::default(),
            order: Paged::default(),
            maps: RefCell::default(),
        }
    }
}

fn instant<T: Placed>(id: Id<T>, row: &T) -> Instant {
    let (key, _) = start(id, row);
    (key.tick, key.chunk, key.pos, key.seq)
}

impl<M> SongIndex<M> {
    /// The last row up to a tick, of one chunk if it is given, with its tick.
    pub(in crate::model) fn up_to<T>(
        &self,
        chunk: Option<Id<Chunk>>,
        tick: u64,
    ) -> Option<(u64, Id<T>)> {
        let (at, id) = match chunk {
            Some(chunk) => {
                let (key, spot) = self.time.back_from(chunk, tick).next()?;
                (key.tick, spot.id)
            }
            None => {
                let last = (tick, u32::MAX, u32::MAX, u32::MAX);
                let (key, id) = self.order.range(..=last).next_back()?;
                (key.0, id)
            }
        };
        Some((at, Id::new(id)))
    }

    /// The tick and the chunk of the first row.
    pub(in crate::model) fn first(&self) -> Option<(u64, Id<Chunk>)> {
        let ((tick, chunk, ..), _) = self.order.iter().next()?;
        Some((tick, Id::new(chunk)))
    }

    /// The map of all rows, or of one chunk if it is given. `make` builds it from the rows in
    /// order, if none is kept that is still `valid`: it also depends on the division of the file.
    pub(in crate::model) fn map<T>(
        &self,
        chunk: Option<Id<Chunk>>,
        valid: impl Fn(&M) -> bool,
        make: impl FnOnce(&mut dyn Iterator<Item = Id<T>>) -> M,
    ) -> Arc<M> {
        let kept = self.maps.borrow().get(&chunk).cloned();
        if let Some(kept) = kept.filter(|kept| valid(kept)) {
            return kept;
        }
        let mut rows: Box<dyn Iterator<Item = u32>> = match chunk {
            Some(chunk) => {
                let own = self.time.range(chunk, 0, u64::MAX);
                Box::new(own.map(|(_, spot)| spot.id))
            }
            None => Box::new(self.order.iter().map(|(_, id)| id)),
        };
        let mut count = 0;
        let map = Arc::new(make(
            &mut rows.by_ref().inspect(|_| count += 1).map(Id::new),
        ));
        // The call fails at its next check.
        let _ = work::spend(count / ROWS_A_STEP);
        self.maps.borrow_mut().insert(chunk, Arc::clone(&map));
        map
    }
}

impl<T: Placed, M: Send + Sync + 'static> RowIndex<T> for SongIndex<M> {
    fn in_file(one: &T, other: &T) -> Ordering {
        Timeline::in_file(one, other)
    }
    fn insert(&mut self, id: Id<T>, row: &T) {
        self.time.insert(id, row);
        self.order.insert(instant(id, row), id.number());
        self.maps.get_mut().clear();
    }
    fn remove(&mut self, id: Id<T>, row: &T) {
        self.time.remove(id, row);
        self.order.remove(&instant(id, row), &id.number());
        self.maps.get_mut().clear();
    }
    fn agrees(&self, other: &Self) -> bool {
        self.time == other.time && self.order == other.order
    }
}
