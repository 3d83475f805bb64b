//! Joins notes of one channel and pitch from several chunks, where a note-off would end the note
//! that started first.
//!
//! If they meet, the earlier ends where the later starts, and those that start together are merged,
//! as for overlaps caused by ops. Overlapping notes of one chunk in the file stay as they are.

use std::collections::BTreeMap;

use fcp::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::join::{Off, Place, Standing, Voice};
use super::refused_overlaps::Clash;
use crate::model::index::event_places::Mark;
use crate::model::rows::kinds::Note;
use crate::model::rows::note::Overlaps;
use crate::model::song::Song;
use crate::values::Velocity;

/// Result for notes that meet.
#[derive(Default)]
pub(in crate::model) struct Untangled {
    /// Counts for the reply.
    pub(in crate::model) overlaps: Overlaps,
    /// The first two that overlap.
    pub(in crate::model) clash: Option<Clash>,
    /// Notes that were merged into another.
    pub(in crate::model) gone: Vec<Id<Note>>,
    /// Notes that took over a higher velocity.
    pub(in crate::model) louder: Vec<(Id<Note>, Velocity)>,
    /// Indexes of removed events in the order.
    out: FxHashSet<usize>,
    /// New events, with the index that each precedes.
    into: Vec<(usize, Standing)>,
}

/// A note of a voice, or a note-off without a note.
#[derive(Clone, Copy)]
struct Item {
    /// Its index in the order.
    on: usize,
    /// The number of its chunk.
    chunk: usize,
    at: u64,
    note: Option<Id<Note>>,
    /// Its end; `None` if it has none.
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
    /// Separates notes that meet in the combined order of several chunks.
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
        // Ends inserted before one note-on have different pitches.
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

/// The items of each channel and pitch that several chunks use, in order.
fn shared(song: &Song, order: &[(Place, Standing)]) -> BTreeMap<Voice, Vec<Item>> {
    let voice = |standing: &Standing| match standing {
        Standing::On(id) => song.notes.get(*id).map(|note| (note.channel, note.pitch)),
        Standing::Off(voice, ..) => Some(*voice),
        Standing::Row(_) => None,
    };
    // The only chunk of each voice; `None` if there are several.
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

/// Separates notes of one voice that meet: each ends before the next starts, and those that start
/// together are merged.
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
                // The longer end counts for both; a note without an end takes the end of the other.
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
