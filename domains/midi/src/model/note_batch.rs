//! Changes of notes that are collected and made at once, and reordering of events at one tick.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use fcp::prelude::*;

use super::index::event_places::{Key, Rank};
use super::kept_order::{Places, Sources};
use super::rows::kinds::{Chunk, Note};
use super::rows::note::Overlaps;
use super::song::Song;
use crate::model::RowRef;
use crate::smf::Body;
use crate::values::{Channel, Pitch};

/// The most notes of a reply on places beyond the last one.
const SHOWN: usize = 3;

/// The collected changes of notes.
#[derive(Debug, Default)]
pub struct Gathering {
    on: bool,
    notes: Vec<(Id<Note>, Note)>,
    places: HashMap<Id<Note>, usize>,
    taken: Vec<Row>,
    seats: Vec<(Row, u64)>,
    moved: Sources,
    parts: Vec<(Holder, Parts)>,
    parted: HashMap<Holder, usize>,
}

/// New notes that have no effect on others yet, in the order they were made; `None` if new notes have it at once.
#[derive(Debug, Default)]
pub struct Apart(pub(in crate::model) Option<Vec<Id<Note>>>);

/// The owner of a place: a row, or the end of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A note or an event.
    Row(Row),
    /// The end of the track of a chunk.
    End(Id<Chunk>),
}

/// The bar, the beat and the ticks after it, as far as they change.
pub type Parts = [Option<i64>; 3];

/// An event at a tick: the start of a row, or the end of a note.
#[derive(Clone, Copy, PartialEq)]
struct Seated {
    key: Key,
    row: Row,
    off: bool,
    rank: Rank,
}

/// Inserts moving events among those that stay, at given places from 1; at the end if there are
/// fewer events.
fn merged(staying: impl Iterator<Item = Seated>, moving: Vec<(u64, Seated)>) -> Vec<Seated> {
    let (mut staying, mut order) = (staying, Vec::new());
    for (nth, own) in moving {
        while (order.len() as u64) < nth.saturating_sub(1)
            && let Some(before) = staying.next()
        {
            order.push(before);
        }
        order.push(own);
    }
    order.extend(staying);
    order
}

impl Song {
    /// Whether changes are being collected.
    #[must_use]
    pub fn gathers(&self) -> bool {
        self.gathering.on
    }

    /// Collects changes from now on.
    pub(crate) fn begin_gathering(&mut self) {
        self.gathering.adjust(|own| {
            *own = Gathering {
                on: true,
                ..Gathering::default()
            };
        });
    }

    /// A note with its collected changes.
    ///
    /// # Errors
    /// It is missing.
    pub fn coming(&self, id: Id<Note>) -> Result<Note> {
        let own = &*self.gathering;
        let held = own.places.get(&id).and_then(|at| own.notes.get(*at));
        match held {
            Some((_, note)) => Ok(note.clone()),
            None => self.notes.need(id).cloned(),
        }
    }

    /// Records new states of notes.
    pub(super) fn keep(&mut self, changes: Vec<(Id<Note>, Note)>, taken: &[Row]) {
        self.gathering.adjust(|own| {
            own.taken.extend_from_slice(taken);
            for (id, note) in changes {
                let next = own.notes.len();
                let at = *own.places.entry(id).or_insert(next);
                match own.notes.get_mut(at) {
                    Some(held) => held.1 = note,
                    None => own.notes.push((id, note)),
                }
            }
        });
    }

    /// Records the places of a row that moves at once.
    pub(super) fn keep_places(&mut self, row: Row, from: Places) {
        self.gathering.adjust(|own| own.moved.add(row, from));
    }

    /// Records the place that a row gets among the events at its tick, from 1.
    pub(crate) fn keep_seat(&mut self, row: Row, nth: u64) {
        self.gathering.adjust(|own| own.seats.push((row, nth)));
    }

    /// Records a part of a new position.
    pub(crate) fn keep_part(&mut self, placed: Holder, part: usize, value: i64) {
        self.gathering.adjust(|own| {
            let next = own.parts.len();
            let at = *own.parted.entry(placed).or_insert(next);
            if at == next {
                own.parts.push((placed, Parts::default()));
            }
            let part = own
                .parts
                .get_mut(at)
                .and_then(|(_, parts)| parts.get_mut(part));
            if let Some(part) = part {
                *part = Some(value);
            }
        });
    }

    /// Takes the recorded parts of positions.
    pub(crate) fn take_parts(&mut self) -> Vec<(Holder, Parts)> {
        let mut parts = Vec::new();
        if !self.gathering.parts.is_empty() {
            self.gathering.adjust(|own| {
                own.parted.clear();
                parts = std::mem::take(&mut own.parts);
            });
        }
        parts
    }

    /// Makes the collected changes, or discards them. Describes the effect on other notes.
    ///
    /// # Errors
    /// They cannot be made.
    pub(crate) fn end_gathering(&mut self, keep: bool) -> Result<Vec<String>> {
        let mut held = Gathering::default();
        self.gathering.adjust(|own| std::mem::swap(own, &mut held));
        if !keep {
            return Ok(Vec::new());
        }
        let wanted = held.notes.clone();
        let overlaps = self.change_notes_with(held.notes, &held.taken)?;
        self.keep_order(held.moved);
        let places = self.reseat(&held.seats)?;
        let parts = overlaps.parts();
        let mut notes = Vec::new();
        if !parts.is_empty() {
            notes.push(parts.join(", "));
        }
        if overlaps.merged > 0 {
            notes.extend(self.merges(&wanted));
        }
        notes.extend(places);
        Ok(notes)
    }

    /// Gives rows their places among the events at their ticks. Returns notes on places beyond the
    /// last one.
    fn reseat(&mut self, seats: &[(Row, u64)]) -> Result<Vec<String>> {
        let mut notes = Vec::new();
        let mut ticks: BTreeMap<_, HashMap<Row, u64>> = BTreeMap::new();
        for (row, nth) in seats {
            // A note that was merged into another has no place.
            if let Some(place) = self.starts(*row).filter(|_| self.has(*row)) {
                ticks.entry(place).or_default().insert(*row, *nth);
            }
        }
        let mut chunks = BTreeSet::new();
        for ((chunk, tick), wanted) in ticks {
            self.writable(chunk)?;
            let all = self.seated(chunk, tick);
            let most = all.len() as u64;
            let nth = |own: &Seated| wanted.get(&own.row).copied().filter(|_| !own.off);
            let mut moving: Vec<(u64, Seated)> = all
                .iter()
                .filter_map(|own| Some((nth(own)?, *own)))
                .collect();
            moving.sort_by_key(|(nth, _)| *nth);
            let staying = all.iter().copied().filter(|own| nth(own).is_none());
            let order = merged(staying, moving);
            for (place, own) in (1..).zip(&order) {
                let Some(nth) = nth(own).filter(|nth| *nth != place) else {
                    continue;
                };
                notes.push(match nth > most {
                    true => {
                        format!("the tick has only {most} events, so nth {nth} became {place}")
                    }
                    false => {
                        format!("another row of the tick is nth {nth} too, so one became {place}")
                    }
                });
            }
            if order == all {
                continue;
            }
            if let Some(row) = self.parted(&all, &order) {
                bail!(
                    "in this order {} would end another note; the end of a note stays before what starts after it",
                    self.describe(row)
                );
            }
            let mut last: Option<(u32, u32)> = None;
            for own in order {
                let there = (own.key.pos, own.key.seq);
                let moves = nth(&own).is_some();
                let place = match last {
                    Some(last) if moves || there <= last => own.rank.after(last),
                    None if moves => own.rank.after((0, 0)),
                    _ => there,
                };
                last = Some(place);
                if place != there {
                    self.seat_at(own.row, own.off, tick, place);
                }
            }
            chunks.insert(chunk);
        }
        for chunk in chunks {
            self.relabel_chunk(chunk);
        }
        notes.sort();
        notes.dedup();
        notes.truncate(SHOWN);
        Ok(notes)
    }

    /// All events at a tick, in order.
    fn seated(&self, chunk: Id<Chunk>, tick: u64) -> Vec<Seated> {
        let mut all = Vec::new();
        for (part, timeline) in self.timelines() {
            let own = timeline.range(chunk, tick, tick);
            all.extend(own.map(|(key, spot)| Seated {
                key,
                row: Row::new(part, spot.id),
                off: spot.off,
                rank: spot.rank,
            }));
        }
        all.sort_by_key(|own| own.key);
        all
    }

    /// All events at a tick, in order: their places, rows, and whether they end them.
    pub(super) fn seats_at(
        &self,
        chunk: Id<Chunk>,
        tick: u64,
    ) -> impl Iterator<Item = ((u32, u32), Row, bool)> {
        let all = self.seated(chunk, tick).into_iter();
        all.map(|own| ((own.key.pos, own.key.seq), own.row, own.off))
    }

    /// Moves an event inside its tick.
    pub(super) fn seat_at(&mut self, row: Row, off: bool, tick: u64, place: (u32, u32)) {
        let at = self.row_as(row).map_or(tick, |note: &Note| note.at);
        let places = match off {
            true => [None, Some(place)],
            false => [Some(place), None],
        };
        self.set_tick_at(row, at, places);
    }

    /// A row whose note-on or note-off would change its order with others of its pitch.
    fn parted(&self, before: &[Seated], after: &[Seated]) -> Option<Row> {
        let voices = |all: &[Seated]| {
            let mut voices: HashMap<(Channel, Pitch), Vec<(Row, bool)>> = HashMap::new();
            for own in all {
                if let Some(voice) = self.voice_of(own.row) {
                    voices.entry(voice).or_default().push((own.row, own.off));
                }
            }
            voices
        };
        let (before, after) = (voices(before), voices(after));
        let other = before
            .into_iter()
            .find(|(voice, own)| after.get(voice) != Some(own));
        other.and_then(|(_, rows)| rows.first().map(|(row, _)| *row))
    }

    /// The channel and pitch of a note, or of a note-off without a note.
    pub(super) fn voice_of(&self, row: Row) -> Option<(Channel, Pitch)> {
        match self.row_ref(row)? {
            RowRef::Note(note) => Some((note.channel, note.pitch)),
            RowRef::Raw(other) if other.is_note_off() => match &other.body {
                Body::Channel { status, data } => {
                    Some((Channel::new(status & 15)?, Pitch::new(data[0])?))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Collects changes of notes; they have no effect on others yet.
    pub(super) fn gather_notes(
        &mut self,
        changes: Vec<(Id<Note>, Note)>,
        taken: &[Row],
    ) -> Overlaps {
        self.keep(changes, taken);
        Overlaps::default()
    }
}
