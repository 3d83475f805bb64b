//! Keeps the order within a tick of events that move or are copied together.
//!
//! Each event gets its place by the kind of event it is. Where events of one tick come to one tick,
//! they then share the places that they got, in the order they had.

use std::collections::{HashMap, HashSet};

use fcp::prelude::*;
use fcp::work;

use crate::model::index::event_places::{Key, Placed};
use crate::model::rows::kinds::{Chunk, Note, Program, RawEvent};
use crate::model::song::Song;
use crate::model::{IsKind, part};

/// The places of a row: of its start, and of the end of a note.
pub type Places = [Option<Key>; 2];

/// Rows that move or are copies, with the places of their sources.
#[derive(Debug, Default)]
pub struct Sources(Vec<(Row, Places)>);

impl Sources {
    /// Adds a row and the places of its source.
    pub fn add(&mut self, row: Row, from: Places) {
        self.0.push((row, from));
    }
}

/// The place of an event, and its index among those that came, if it is one.
type Rival = ((u32, u32), Option<usize>);

/// An event that came to another place.
struct Came {
    now: Key,
    from: Key,
    row: Row,
    off: bool,
}

impl Came {
    /// Chunk and tick, and those where it comes from.
    const fn ticks(&self) -> [(u32, u64); 2] {
        let (now, from) = (self.now, self.from);
        [(now.chunk, now.tick), (from.chunk, from.tick)]
    }

    const fn place(&self) -> (u32, u32) {
        (self.now.pos, self.now.seq)
    }
}

impl Song {
    /// The places of a row.
    #[must_use]
    pub fn places(&self, row: Row) -> Places {
        let start = self.key_of(row);
        let note = self.row_as::<Note>(row);
        let end = note.and_then(Placed::end).zip(start);
        let end = end.map(|((tick, mark), start)| Key {
            tick,
            pos: mark.pos,
            seq: mark.seq,
            ..start
        });
        [start, end]
    }

    /// Rows that will move, with their places.
    pub fn sources(&self, rows: impl IntoIterator<Item = Row>) -> Sources {
        let rows = rows.into_iter();
        Sources(rows.map(|row| (row, self.places(row))).collect())
    }

    /// Puts rows that moved, and copies, into the order of their sources, where those shared a tick
    /// and they do too. They come where each came before among the events already there; a note
    /// keeps its place where it would end, or be ended by, another one.
    pub fn keep_order(&mut self, sources: Sources) {
        let mut came = Vec::new();
        for (row, from) in sources.0 {
            let ends = from.into_iter().zip(self.places(row)).zip([false, true]);
            came.extend(ends.filter_map(|((from, now), off)| {
                let (from, now) = (from?, now?);
                (from != now).then_some(Came {
                    now,
                    from,
                    row,
                    off,
                })
            }));
        }
        came.sort_unstable_by_key(|own| (own.ticks(), own.from));
        came.dedup_by_key(|own| (own.row, own.off));
        let mut renamed = HashSet::new();
        for group in came.chunk_by(|one, next| one.ticks() == next.ticks()) {
            if !group.is_sorted_by_key(Came::place) && self.reorder(group) {
                renamed.extend(group.first().map(|own| own.now.chunk));
            }
        }
        for chunk in renamed {
            self.relabel_chunk(Id::new(chunk));
        }
    }

    /// Puts events of one tick into the given order. Returns whether that may rename tracks.
    fn reorder(&mut self, group: &[Came]) -> bool {
        let Some(Key { chunk, tick, .. }) = group.first().map(|own| own.now) else {
            return false;
        };
        let rivals = self.rivals(group, (Id::new(chunk), tick));
        let mut stays = vec![false; group.len()];
        let places = loop {
            let own = || group.iter().zip(&stays);
            let free = own().filter(|(_, stays)| !**stays);
            let mut free: Vec<(u32, u32)> = free.map(|(own, _)| own.place()).collect();
            free.sort_unstable();
            let mut free = free.into_iter();
            let places = own().map(|(own, stays)| match stays {
                true => own.place(),
                false => free.next().unwrap_or(own.place()),
            });
            let places: Vec<(u32, u32)> = places.collect();
            let at =
                |(place, ix): &Rival| ix.and_then(|ix| places.get(ix).copied()).unwrap_or(*place);
            let _ = work::spend(group.len());
            let wrong = rivals.iter().filter(|own| !own.is_sorted_by_key(at));
            let wrong: Vec<usize> = wrong.flatten().filter_map(|(_, ix)| *ix).collect();
            if wrong.is_empty() {
                break places;
            }
            for ix in wrong {
                if let Some(stays) = stays.get_mut(ix) {
                    *stays = true;
                }
            }
        };
        let mut renames = false;
        for (own, place) in group.iter().zip(places) {
            if place != own.place() {
                self.seat_at(own.row, own.off, tick, place);
                renames |= own.row.is::<Program>() || own.row.is::<RawEvent>();
            }
        }
        renames
    }

    /// The note-ons and note-offs at a tick of each pitch of a group that others have too, with
    /// their places, and with their index in the group.
    fn rivals(&self, group: &[Came], (chunk, tick): (Id<Chunk>, u64)) -> Vec<Vec<Rival>> {
        let is_voiced = |row: Row| row.is::<Note>() || row.part() == part::<RawEvent>();
        if !group.iter().any(|own| is_voiced(own.row)) {
            return Vec::new();
        }
        let own = group.iter().enumerate();
        let own: HashMap<(Row, bool), usize> =
            own.map(|(ix, own)| ((own.row, own.off), ix)).collect();
        let mut voices: HashMap<_, Vec<_>> = HashMap::new();
        for (place, row, off) in self.seats_at(chunk, tick) {
            if let Some(voice) = self.voice_of(row) {
                let ix = own.get(&(row, off)).copied();
                voices.entry(voice).or_default().push((place, ix));
            }
        }
        let mut rivals: Vec<Vec<_>> = voices.into_values().collect();
        rivals.retain(|own| {
            let is_own = |(_, ix): &Rival| ix.is_some();
            own.iter().any(is_own) && !own.iter().all(is_own)
        });
        rivals
    }
}
