//! Notes of one channel and pitch that come from several chunks into one, where a note-off ends the one that started first.
//!
//! Where they meet, the earlier one ends where the later starts, and those that start together become one, as where an op
//! makes notes overlap. Notes of one chunk that overlap, as a file has them, stay as they are.

use std::collections::BTreeMap;

use fcp::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::clash::Clash;
use super::join::{Off, Place, Standing, Voice};
use crate::model::index::mark::Mark;
use crate::model::rows::kinds::Note;
use crate::model::rows::note::Overlaps;
use crate::model::song::Song;
use crate::values::Velocity;

/// What becomes of notes that meet.
#[derive(Default)]
pub(in crate::model) struct Untangled {
    /// What is to be told.
    pub(in crate::model) overlaps: Overlaps,
    /// The first two that overlap.
    pub(in crate::model) clash: Option<Clash>,
    /// Those that became one with another.
    pub(in crate::model) gone: Vec<Id<Note>>,
    /// Those that took in a louder one.
    pub(in crate::model) louder: Vec<(Id<Note>, Velocity)>,
    /// What stands in the order no more, by its index.
    out: FxHashSet<usize>,
    /// What comes into the order, and before which index.
    into: Vec<(usize, Standing)>,
}

/// Something of a voice that takes up time: a note, or a note-off that ends none.
#[derive(Clone, Copy)]
struct Item {
    /// Its index in the order.
    on: usize,
    /// The number of its chunk.
    chunk: usize,
    at: u64,
    note: Option<Id<Note>>,
    /// Where it ends; nowhere if nothing ends it.
    end: Option<u64>,
    /// The index of its note-off.
    off: Option<usize>,
}

impl Item {
    fn reach(&self) -> u64 {
        self.end.unwrap_or(u64::MAX)
    }
}

impl Song {
    /// Takes notes apart that meet in an order of several chunks.
    pub(in crate::model) fn untangle(&self, order: &mut Vec<(Place, Standing)>) -> Untangled {
        let mut done = Untangled::default();
        for items in shared(self, order).into_values() {
            let mut rest = items.as_slice();
            while let Some((first, others)) = rest.split_first() {
                let mut reach = first.reach();
                let meets = |item: &&Item| {
                    let meets = item.at <= reach;
                    reach = reach.max(item.reach());
                    meets
                };
                let (own, behind) = rest.split_at(1 + others.iter().take_while(meets).count());
                if own.iter().any(|item| item.chunk != first.chunk) {
                    part(self, own, &mut done);
                }
                rest = behind;
            }
        }
        if done.out.is_empty() && done.into.is_empty() {
            return done;
        }
        // None of the ends that come before one note-on is of the pitch of another.
        done.into.sort_by_key(|(before, _)| *before);
        let mut into = std::mem::take(&mut done.into).into_iter().peekable();
        let mut whole = Vec::with_capacity(order.len());
        for (ix, (place, standing)) in std::mem::take(order).into_iter().enumerate() {
            while let Some((_, end)) = into.next_if(|(before, _)| *before == ix) {
                whole.push((place, end));
            }
            if !done.out.contains(&ix) {
                whole.push((place, standing));
            }
        }
        *order = whole;
        done
    }
}

/// The items of each channel and pitch that several chunks have, in order.
fn shared(song: &Song, order: &[(Place, Standing)]) -> BTreeMap<Voice, Vec<Item>> {
    let voice = |standing: &Standing| match standing {
        Standing::On(id) => song.notes.get(*id).map(|note| (note.channel, note.pitch)),
        Standing::Off(voice, ..) => Some(*voice),
        Standing::Row(_) => None,
    };
    // The only chunk of each voice; none if there are several.
    let mut only: FxHashMap<Voice, Option<usize>> = FxHashMap::default();
    for ((_, chunk, ..), standing) in order {
        if let Some(voice) = voice(standing) {
            let own = only.entry(voice).or_insert(Some(*chunk));
            *own = own.filter(|own| own == chunk);
        }
    }
    let mut shared: BTreeMap<Voice, Vec<Item>> = BTreeMap::new();
    let mut ends: FxHashMap<Id<Note>, usize> = FxHashMap::default();
    for (on, ((at, chunk, ..), standing)) in order.iter().enumerate() {
        let Some(voice) = voice(standing).filter(|voice| only.get(voice) == Some(&None)) else {
            continue;
        };
        let (note, end) = match standing {
            Standing::On(id) => {
                let dur = song.notes.get(*id).and_then(|note| note.dur);
                (Some(*id), dur.map(|dur| at.saturating_add(dur)))
            }
            Standing::Off(_, Some(id), _) => {
                ends.insert(*id, on);
                continue;
            }
            _ => (None, Some(*at)),
        };
        shared.entry(voice).or_default().push(Item {
            on,
            chunk: *chunk,
            at: *at,
            note,
            end,
            off: None,
        });
    }
    for item in shared.values_mut().flatten() {
        item.off = item.note.and_then(|note| ends.get(&note)).copied();
    }
    shared
}

/// Ends notes of one voice that meet before the next of them starts, and makes those one that start together.
fn part(song: &Song, items: &[Item], done: &mut Untangled) {
    let mut notes: Vec<Item> = Vec::new();
    for item in items.iter().filter(|item| item.note.is_some()) {
        let last = notes.last_mut();
        if let Some(last) = last
            .as_deref()
            .filter(|last| item.at < last.reach() || item.at == last.at)
        {
            done.clash = done.clash.or_else(|| clash(song, last, item));
        }
        match last {
            Some(last) if last.at == item.at => {
                done.overlaps.merged += 1;
                done.out.insert(item.on);
                done.gone.extend(item.note);
                louder(song, last, item, done);
                // The longer one ends both; one that nothing ends is ended by the other.
                let (longer, other) = match item.end > last.end {
                    true => (item.off, last.off),
                    false => (last.off, item.off),
                };
                done.out.extend(other);
                (last.end, last.off) = (last.end.max(item.end), longer);
            }
            _ => notes.push(*item),
        }
    }
    for ix in 0..notes.len() {
        let next = notes.get(ix + 1).copied();
        if let (Some(item), Some(next)) = (notes.get_mut(ix), next) {
            end(song, item, &next, done);
        }
    }
    for stray in items.iter().filter(|item| item.note.is_none()) {
        let begun = notes.partition_point(|note| note.at <= stray.at);
        let last = begun.checked_sub(1).and_then(|ix| notes.get(ix));
        if last.is_some_and(|last| stray.at <= last.reach()) {
            done.overlaps.dropped += 1;
            done.out.insert(stray.on);
        }
    }
}

/// Ends a note before the next one of its voice.
fn end(song: &Song, item: &mut Item, next: &Item, done: &mut Untangled) {
    if item.reach() < next.at || item.end == Some(next.at) && item.off < Some(next.on) {
        return;
    }
    let Some(note) = item.note.and_then(|id| song.notes.get(id)) else {
        return;
    };
    done.overlaps.shortened += usize::from(item.end != Some(next.at));
    done.out.extend(item.off);
    let off = Off {
        at: next.at,
        mark: match item.off {
            Some(_) => note.off_mark,
            None => Mark::default(),
        },
        velocity: note.off,
        by_on: note.off_by_on,
    };
    let voice = (note.channel, note.pitch);
    done.into
        .push((next.on, Standing::Off(voice, item.note, off)));
    item.end = Some(next.at);
}

fn louder(song: &Song, first: &Item, other: &Item, done: &mut Untangled) {
    let velocity = |item: &Item| Some(song.notes.get(item.note?)?.velocity);
    if let (Some(id), Some(velocity)) = (
        first.note,
        velocity(other).filter(|own| Some(*own) > velocity(first)),
    ) {
        done.louder.push((id, velocity));
    }
}

fn clash(song: &Song, earlier: &Item, later: &Item) -> Option<Clash> {
    let note = |item: &Item| song.notes.get(item.note?);
    Some(Clash::between(note(earlier)?, note(later)?))
}
