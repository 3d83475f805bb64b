//! Places of events in their chunk, and the index of places.

use std::cmp::Ordering;
use std::ops::Bound;

use fcp::prelude::*;
use serde::{Deserialize, Serialize};

use super::paged::Paged;
use crate::model::rows::kinds::Chunk;
use crate::smf::{Spelling, Status};

/// The order of new events inside a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Rank {
    /// Note-off.
    Off,
    /// Tempo, meter, key, marker and other metas of the song.
    Song,
    /// Bank select.
    Bank,
    /// Program change.
    Program,
    /// Other controllers, in the order given.
    Control,
    /// Pitch bend and aftertouch.
    Bend,
    /// Lyrics and texts.
    Text,
    /// Note-on.
    On,
}

impl Rank {
    /// The place of a new event directly after another: [`Mark::pos`] and [`Mark::seq`].
    #[must_use]
    pub fn after(self, (pos, seq): (u32, u32)) -> (u32, u32) {
        let first = (self as u32) << RANK_SHIFT | 1;
        (pos, first.max(seq.saturating_add(1)))
    }
}

/// An event's place inside its tick, and its spelling.
///
/// An event that was read has its place in the chunk as `pos`, counted from 1, and `seq` 0. A new
/// one comes after the event that was read at `pos` (0: before all); `seq` orders new events with
/// the same `pos`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// Place of the event that was read, or of the one that this event follows.
    pub pos: u32,
    /// 0 for an event that was read; else the rank in the high four bits, and a count.
    pub seq: u32,
    /// Spelling of the event in the file.
    pub spelling: Spelling,
}

/// Shift of the rank in [`Mark::seq`].
const RANK_SHIFT: u32 = 28;

impl Mark {
    /// The mark of the event read at place `pos`, counted from 1.
    #[must_use]
    pub const fn read(pos: u32, spelling: Spelling) -> Self {
        Self {
            pos,
            seq: 0,
            spelling,
        }
    }

    /// The mark of a new event without a place, spelled as short as possible.
    pub const NEW: Self = Self {
        pos: 0,
        seq: 0,
        spelling: Spelling {
            delta_width: 0,
            length_width: 0,
            status: Status::Running,
        },
    };

    /// The mark of a new event, spelled as short as possible.
    #[must_use]
    pub fn new(pos: u32, rank: Rank, count: u32) -> Self {
        Self {
            pos,
            seq: (rank as u32) << RANK_SHIFT | (count & ((1 << RANK_SHIFT) - 1)).max(1),
            ..Self::NEW
        }
    }

    /// This place, for a new event whose mark had only a spelling.
    #[must_use]
    pub const fn of_new(self, new: Self) -> Self {
        Self {
            spelling: new.spelling,
            ..self
        }
    }

    /// This place, with the spelling of an event at another place.
    ///
    /// A status omitted across other events is kept only at its original place: RP-001 does not
    /// allow it, so a moved event omits its status only directly after an event with the same one.
    #[must_use]
    pub fn spelled_as(self, before: Self) -> Self {
        if !before.is_placed() {
            return self;
        }
        let status = match before.spelling.status {
            Status::Carried => Status::Running,
            status => status,
        };
        let spelling = Spelling {
            status,
            ..before.spelling
        };
        Self { spelling, ..self }
    }

    /// This place, with the spelling of a copy: status and length as in the source.
    #[must_use]
    pub fn copied_from(self, source: Self) -> Self {
        let mut copy = self.spelled_as(source);
        copy.spelling.delta_width = self.spelling.delta_width;
        copy
    }

    /// Whether an event has this mark: the missing end of a note has none.
    #[must_use]
    pub const fn is_placed(self) -> bool {
        self.pos != 0 || self.seq != 0
    }

    /// The rank and count in the `seq` of a new event.
    pub(in crate::model) const fn counted(seq: u32) -> Option<(u32, u32)> {
        match seq {
            0 => None,
            seq => Some((seq >> RANK_SHIFT, seq & ((1 << RANK_SHIFT) - 1))),
        }
    }
}

/// An event's place in the file.
///
/// The index has one for each event, so it takes no more than the bytes of its fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(Rust, packed(4))]
pub struct Key {
    /// The id of the chunk.
    pub chunk: u32,
    /// Ticks since the start of the chunk.
    pub tick: u64,
    /// See [`Mark::pos`].
    pub pos: u32,
    /// See [`Mark::seq`].
    pub seq: u32,
}

/// The event at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The id of its row.
    pub id: u32,
    /// Its rank.
    pub rank: Rank,
    /// Whether it is the end of the row, not its start: a note-off.
    pub off: bool,
}

/// The events of a table in the order of the file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Timeline(Paged<Key, Spot>);

/// A row with one or two events.
pub trait Placed {
    /// The chunk of its events.
    fn chunk(&self) -> Id<Chunk>;
    /// Tick, mark and rank of its start.
    fn start(&self) -> (u64, Mark, Rank);
    /// Tick and mark of its end, if it has an event there.
    fn end(&self) -> Option<(u64, Mark)> {
        None
    }
}

fn key(chunk: Id<Chunk>, tick: u64, mark: Mark) -> Key {
    Key {
        chunk: chunk.number(),
        tick,
        pos: mark.pos,
        seq: mark.seq,
    }
}

/// The place of a row's start, and its event.
pub(super) fn start<T: Placed>(id: Id<T>, row: &T) -> (Key, Spot) {
    let (tick, mark, rank) = row.start();
    let id = id.number();
    let spot = Spot {
        id,
        rank,
        off: false,
    };
    (key(row.chunk(), tick, mark), spot)
}

/// The place of a row's end and its event, if it has one.
fn end<T: Placed>(id: Id<T>, row: &T) -> Option<(Key, Spot)> {
    let (tick, mark) = row.end()?;
    let spot = Spot {
        id: id.number(),
        rank: Rank::Off,
        off: true,
    };
    Some((key(row.chunk(), tick, mark), spot))
}

/// The one or two places of a row, with their events.
fn places<T: Placed>(id: Id<T>, row: &T) -> impl Iterator<Item = (Key, Spot)> {
    std::iter::once(start(id, row)).chain(end(id, row))
}

impl<T: Placed> RowIndex<T> for Timeline {
    fn of<'r>(rows: impl Iterator<Item = (Id<T>, &'r T)> + Clone) -> Self
    where
        T: 'r,
    {
        let starts = rows.clone().map(|(id, row)| start(id, row));
        let mut ends: Vec<(Key, Spot)> = rows.filter_map(|(id, row)| end(id, row)).collect();
        ends.sort_by_key(|(key, _)| *key);
        // Starts are in order when read from a file.
        if starts.clone().is_sorted_by_key(|(key, _)| key) {
            return Self::merged(starts, ends);
        }
        let mut starts: Vec<(Key, Spot)> = starts.collect();
        starts.sort_by_key(|(key, _)| *key);
        Self::merged(starts.into_iter(), ends)
    }

    fn in_file(one: &T, other: &T) -> Ordering {
        let place = |row: &T| {
            let (tick, mark, _) = row.start();
            key(row.chunk(), tick, mark)
        };
        place(one).cmp(&place(other))
    }

    fn tells_apart(before: &T, after: &T) -> bool {
        (before.chunk(), before.start()) != (after.chunk(), after.start())
            || before.end() != after.end()
    }

    fn insert(&mut self, id: Id<T>, row: &T) {
        for (key, spot) in places(id, row) {
            self.0.insert(key, spot);
        }
    }

    fn remove(&mut self, id: Id<T>, row: &T) {
        for (key, spot) in places(id, row) {
            // If rows change one by one, another may have taken this place before this one leaves
            // it.
            self.0.remove(&key, &spot);
        }
    }

    fn change(&mut self, id: Id<T>, before: &T, after: &T) {
        let mut shift = |before: Option<(Key, Spot)>, after: Option<(Key, Spot)>| {
            // Most changes do not affect the place. One that stays may belong to another row for
            // now: rows that exchange their places change one by one.
            if before == after {
                return;
            }
            if let Some((key, spot)) = before {
                self.0.remove(&key, &spot);
            }
            if let Some((key, spot)) = after {
                self.0.insert(key, spot);
            }
        };
        shift(Some(start(id, before)), Some(start(id, after)));
        shift(end(id, before), end(id, after));
    }

    fn agrees(&self, other: &Self) -> bool {
        self == other
    }
}

impl Timeline {
    /// Merges starts and ends, both in order.
    fn merged(starts: impl Iterator<Item = (Key, Spot)>, ends: Vec<(Key, Spot)>) -> Self {
        let (mut starts, mut ends) = (starts.peekable(), ends.into_iter().peekable());
        Self(Paged::of_sorted(std::iter::from_fn(move || {
            match (starts.peek(), ends.peek()) {
                (Some((start, _)), Some((end, _))) if end < start => ends.next(),
                (Some(_), _) => starts.next(),
                (None, _) => ends.next(),
            }
        })))
    }

    /// The events in a chunk from tick `from` to tick `to`, both included, in order.
    pub fn range(
        &self,
        chunk: Id<Chunk>,
        from: u64,
        to: u64,
    ) -> impl DoubleEndedIterator<Item = (Key, Spot)> + Clone + use<'_> {
        let low = Key {
            chunk: chunk.number(),
            tick: from,
            pos: 0,
            seq: 0,
        };
        let high = Key {
            chunk: chunk.number(),
            tick: to.max(from),
            pos: u32::MAX,
            seq: u32::MAX,
        };
        self.0.range(low..=high)
    }

    /// All events in a chunk, in order, in slices of some.
    pub fn slices(&self, chunk: Id<Chunk>) -> impl Iterator<Item = &[(Key, Spot)]> + use<'_> {
        let first = Key {
            chunk: chunk.number(),
            tick: 0,
            pos: 0,
            seq: 0,
        };
        let last = Key {
            tick: u64::MAX,
            pos: u32::MAX,
            seq: u32::MAX,
            ..first
        };
        self.0.slices(first..=last)
    }

    /// The events in a chunk up to a tick, that included, the last first. Finding the last one is
    /// one search, where [`range`](Self::range) takes two.
    pub fn back_from(
        &self,
        chunk: Id<Chunk>,
        tick: u64,
    ) -> impl Iterator<Item = (Key, Spot)> + use<'_> {
        let chunk = chunk.number();
        let last = Key {
            chunk,
            tick,
            pos: u32::MAX,
            seq: u32::MAX,
        };
        let back = self.0.range(..=last).rev();
        back.take_while(move |(key, _)| key.chunk == chunk)
    }

    /// The events in a chunk after a place, in order.
    pub fn after(
        &self,
        chunk: Id<Chunk>,
        (tick, pos, seq): (u64, u32, u32),
    ) -> impl Iterator<Item = (Key, Spot)> + use<'_> {
        let chunk = chunk.number();
        let place = Key {
            chunk,
            tick,
            pos,
            seq,
        };
        let end = Key {
            chunk,
            tick: u64::MAX,
            pos: u32::MAX,
            seq: u32::MAX,
        };
        self.0.range((Bound::Excluded(place), Bound::Included(end)))
    }

    /// The last event in a chunk.
    #[must_use]
    pub fn last(&self, chunk: Id<Chunk>) -> Option<(Key, Spot)> {
        self.range(chunk, 0, u64::MAX).next_back()
    }

    /// The last event of each chunk with any, the last chunk first.
    pub fn lasts(&self) -> impl Iterator<Item = Key> + use<'_> {
        let last = self.0.iter().next_back().map(|(key, _)| key);
        std::iter::successors(last, |key| {
            let start = Key {
                tick: 0,
                pos: 0,
                seq: 0,
                ..*key
            };
            self.0.range(..start).next_back().map(|(key, _)| key)
        })
    }

    /// The last new event that has the rank of `first` and follows the same read event.
    #[must_use]
    pub fn last_of_rank(&self, first: Key) -> Option<Key> {
        let last = Key {
            seq: first.seq | ((1 << RANK_SHIFT) - 1),
            ..first
        };
        self.0.range(first..=last).next_back().map(|(key, _)| key)
    }

    pub(in crate::model) fn len(&self) -> usize {
        self.0.len()
    }

    pub(in crate::model) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All events, by chunk and then in order.
    pub fn iter(&self) -> impl Iterator<Item = (Key, Spot)> + use<'_> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use crate::model::edit::refused_overlaps::tests::song;

    /// The note-ons and note-offs of four notes without a length, in some order.
    fn order() -> impl Strategy<Value = Vec<usize>> {
        Just((0..8).collect()).prop_shuffle()
    }

    proptest! {
        #[test]
        fn events_of_a_tick_can_exchange_their_places_one_by_one(by in order(), turns in order()) {
            let mut song = song(&[(60, 96, 0), (62, 96, 0), (64, 96, 0), (65, 96, 0)]);
            let chunk = song.conductor();
            let seats: Vec<_> = song.seats_at(chunk, 96).collect();
            prop_assert_eq!(seats.len(), by.len());
            let mut wanted = BTreeMap::new();
            for turn in turns {
                let ((place, ..), (_, row, off)) = (seats[by[turn]], seats[turn]);
                song.seat_at(row, off, 96, place);
                wanted.insert(place, (row, off));
            }
            let found = song.seats_at(chunk, 96).map(|(place, row, off)| (place, (row, off)));
            prop_assert_eq!(found.collect::<Vec<_>>(), Vec::from_iter(wanted));
        }
    }
}
