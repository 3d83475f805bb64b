//! Order of events inside ticks, and ends of tracks: content that no row holds.

mod container;

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use fcp::model::{RowChange, hash_of};
use fcp::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use container::Layout;

use super::index::mark::{Key, Mark, Placed, Spot};
use super::rows::kinds::{
    Chunk, ControlChange, Key as KeyChange, Marker, Meter, Note, Program, RawEvent, Tempo,
};
use super::rows::row_ref::part;
use super::rows::voice::{Aftertouch, PitchBend};
use super::rows::words::{Lyric, TextEvent};
use super::song::{Song, SongEvent};

/// The whole order is computed anew if changes concern more than one in this many events: that is
/// less work than to look at each of their ticks.
const PART: usize = 32;

/// Hashes of the order of events inside ticks, and of the ends of tracks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct LayoutHashes {
    /// Sum of the hashes of all ticks with several events.
    order: u64,
    /// Hash of the ends of tracks, in the order of the file.
    ends: u64,
}

/// An event among those at its tick.
#[derive(Clone, Copy)]
struct Seat {
    /// Its place: [`Mark::pos`] and [`Mark::seq`].
    place: (u32, u32),
    /// The table of its row.
    part: usize,
    /// The id of its row.
    id: u32,
    /// Whether it is the end of its row.
    off: bool,
    /// The hash of its row.
    content: u64,
}

/// A tick of a chunk.
type Tick = (Id<Chunk>, u64);

/// The events at the ticks that changes concern, as they were.
#[derive(Default)]
struct Before {
    /// The ids of changed rows.
    rows: FxHashSet<u32>,
    /// Their places before and after.
    ticks: BTreeSet<Tick>,
    /// Their events before the changes.
    seats: FxHashMap<Tick, Vec<Seat>>,
}

impl Before {
    /// The events before changes; `None` if other chunks have other numbers now.
    fn of(changes: &[SongEvent]) -> Option<Self> {
        let mut all = Self::default();
        for change in changes {
            match change {
                SongEvent::Notes(change) => all.add(part::<Note>(), change),
                SongEvent::Controls(change) => all.add(part::<ControlChange>(), change),
                SongEvent::Programs(change) => all.add(part::<Program>(), change),
                SongEvent::Bends(change) => all.add(part::<PitchBend>(), change),
                SongEvent::Touches(change) => all.add(part::<Aftertouch>(), change),
                SongEvent::Lyrics(change) => all.add(part::<Lyric>(), change),
                SongEvent::Texts(change) => all.add(part::<TextEvent>(), change),
                SongEvent::Tempos(change) => all.add(part::<Tempo>(), change),
                SongEvent::Meters(change) => all.add(part::<Meter>(), change),
                SongEvent::Keys(change) => all.add(part::<KeyChange>(), change),
                SongEvent::Markers(change) => all.add(part::<Marker>(), change),
                SongEvent::Others(change) => all.add(part::<RawEvent>(), change),
                SongEvent::Chunks(RowChange::Removed { .. }) => return None,
                _ => {}
            }
        }
        Some(all)
    }

    fn add<T: Entity + Placed>(&mut self, part: usize, change: &RowChange<T>) {
        let (before, after) = change.images();
        let is_first = self.rows.insert(change.id());
        for row in before.into_iter().chain(after) {
            self.ticks
                .extend(marks(row).map(|(tick, _, _)| (row.chunk(), tick)));
        }
        let Some(row) = before.filter(|_| is_first) else {
            return;
        };
        let content = hash_of(row);
        for (tick, mark, off) in marks(row) {
            let seat = Seat {
                place: (mark.pos, mark.seq),
                part,
                id: change.id(),
                off,
                content,
            };
            self.seats
                .entry((row.chunk(), tick))
                .or_default()
                .push(seat);
        }
    }
}

/// The ticks and places of a row's events; the last is whether it is the end of the row.
fn marks<T: Placed>(row: &T) -> impl Iterator<Item = (u64, Mark, bool)> {
    let (tick, mark, _) = row.start();
    let end = row.end().map(|(tick, mark)| (tick, mark, true));
    std::iter::once((tick, mark, false)).chain(end)
}

/// The hash of the order of the events at a tick of a chunk with a number.
fn hash_of_tick(number: usize, seats: &mut [Seat]) -> u64 {
    if seats.len() < 2 {
        return 0;
    }
    seats.sort_unstable_by_key(|seat| seat.place);
    let mut hasher = FxHasher::default();
    number.hash(&mut hasher);
    for seat in seats {
        (seat.part, seat.off, seat.content).hash(&mut hasher);
    }
    hasher.finish()
}

impl Song {
    /// Computes the layout of the whole file.
    pub fn lay_out(&mut self) {
        let layout = LayoutHashes {
            order: self.order_of_all(),
            ends: self.hash_of_ends(),
        };
        self.layout.set(layout);
    }

    /// Updates the layout after changes.
    pub(crate) fn lay_out_after(&mut self, changes: &[SongEvent]) {
        let events: usize = self.timelines().iter().map(|(_, own)| own.len()).sum();
        let is_many = changes.len() > events / PART;
        let before = (!is_many).then(|| Before::of(changes)).flatten();
        let layout = LayoutHashes {
            order: match before {
                Some(before) => self.order_since(&before),
                None => self.order_of_all(),
            },
            ends: self.hash_of_ends(),
        };
        self.layout.set(layout);
    }

    /// The sum for the order, from the one before changes.
    fn order_since(&self, before: &Before) -> u64 {
        let mut order = self.layout.get().order;
        for (chunk, tick) in &before.ticks {
            let number = self.chunks.index().number(*chunk);
            let mut now = self.seats_at(*chunk, *tick);
            let kept = now.iter().filter(|seat| !before.rows.contains(&seat.id));
            let mut then: Vec<Seat> = kept.copied().collect();
            then.extend(before.seats.get(&(*chunk, *tick)).into_iter().flatten());
            order = order
                .wrapping_sub(hash_of_tick(number, &mut then))
                .wrapping_add(hash_of_tick(number, &mut now));
        }
        order
    }

    /// The events at a tick.
    fn seats_at(&self, chunk: Id<Chunk>, tick: u64) -> Vec<Seat> {
        let timelines = self.timelines().into_iter();
        let seats = timelines.flat_map(|(part, timeline)| {
            let here = timeline.range(chunk, tick, tick);
            here.map(move |(key, spot)| self.seat_of(part, key, spot))
        });
        seats.collect()
    }

    fn seat_of(&self, part: usize, key: Key, spot: Spot) -> Seat {
        let rows = self.rows(part);
        Seat {
            place: (key.pos, key.seq),
            part,
            id: spot.id,
            off: spot.off,
            content: rows.map_or(0, |rows| rows.row_hash(spot.id)),
        }
    }

    /// The sum for the order of all chunks.
    fn order_of_all(&self) -> u64 {
        let tracks = self.chunks.iter().filter(|(_, chunk)| chunk.is_track());
        let orders = tracks.map(|(chunk, _)| self.order_of_chunk(chunk));
        orders.fold(0, u64::wrapping_add)
    }

    fn order_of_chunk(&self, chunk: Id<Chunk>) -> u64 {
        let number = self.chunks.index().number(chunk);
        let runs = self.timelines().into_iter();
        let mut runs: Vec<_> = runs
            .map(|(part, timeline)| (part, timeline.range(chunk, 0, u64::MAX).peekable()))
            .collect();
        let mut order = 0_u64;
        let mut seats = Vec::new();
        loop {
            let heads = runs.iter_mut().filter_map(|(_, run)| run.peek());
            let Some(tick) = heads.map(|(key, _)| key.tick).min() else {
                return order;
            };
            seats.clear();
            for (part, run) in &mut runs {
                while let Some((key, spot)) = run.next_if(|(key, _)| key.tick == tick) {
                    seats.push(self.seat_of(*part, key, spot));
                }
            }
            order = order.wrapping_add(hash_of_tick(number, &mut seats));
        }
    }

    fn hash_of_ends(&self) -> u64 {
        let mut hasher = FxHasher::default();
        for (chunk, _) in self.chunks.iter() {
            self.end_of_chunk(chunk).hash(&mut hasher);
        }
        hasher.finish()
    }
}
