//! Flaws of notes, kept up to date: stuck, without length, overlapping, or duplicated.
//!
//! Changes are only recorded; they are evaluated on demand, from the neighbouring notes.

use std::collections::BTreeSet;

use fcp::prelude::*;
use rustc_hash::FxHashMap;

use crate::model::row_of;
use crate::model::rows::kinds::{Note, Track};
use crate::model::song::Song;

/// A flaw of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Nothing ends it.
    Stuck,
    /// It ends at its start.
    Zero,
    /// It sounds on when the next note of its pitch begins.
    Overlap,
    /// It starts together with another note of its pitch.
    Dup,
}

/// Every flaw, by index.
const FLAWS: [Flaw; 4] = [Flaw::Stuck, Flaw::Zero, Flaw::Overlap, Flaw::Dup];

/// Looking a note up costs as much as skipping this many.
const FAR: usize = 8;

/// Chunk, channel, pitch, onset and id of a note.
pub(in crate::model) type Voice = (u32, u8, u8, u64, u32);

/// Track, onset and id of a note with a flaw.
type Found = BTreeSet<(u32, u64, u32)>;

/// The notes with flaws.
#[derive(Debug, Default)]
pub(in crate::model) struct Flaws {
    /// Whether all notes have been checked once.
    is_known: bool,
    found: [Found; FLAWS.len()],
    /// Changes since then: the previous or present place of a note, and its track.
    changed: Vec<(Voice, u32)>,
}

// A cache derived from the notes alone, so two for the same notes are equal.
impl PartialEq for Flaws {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Flaws {}

impl Flaws {
    /// Records that a note was added or removed.
    pub(in crate::model) fn touch(&mut self, voice: Voice, track: Id<Track>, notes: usize) {
        if !self.is_known {
            return;
        }
        if self.changed.len() > 1024 + notes {
            // Checking all notes takes no longer than that.
            *self = Self::default();
            return;
        }
        self.changed.push((voice, track.number()));
    }

    /// Evaluates recorded changes.
    fn settle(&mut self, song: &Song) {
        let notes = &song.notes;
        if !self.is_known {
            self.is_known = true;
            if let Some(found) = in_order(notes) {
                self.found = found;
                return;
            }
            let mut all = song.pitches().voices().peekable();
            let mut last: Option<Voice> = None;
            let mut together: Vec<Voice> = Vec::new();
            while let Some(voice) = all.next() {
                let same = |a: Voice, b: Voice| (a.0, a.1, a.2) == (b.0, b.1, b.2);
                let is_twin = last.is_some_and(|last| same(last, voice) && last.3 == voice.3);
                if !is_twin {
                    together.clear();
                }
                together.push(voice);
                last = Some(voice);
                let next = all.peek().filter(|next| same(**next, voice));
                let next = next.map(|next| next.3);
                if next == Some(voice.3) {
                    continue;
                }
                for (ix, own) in together.iter().enumerate() {
                    self.judge(notes, *own, ix > 0, next);
                }
            }
            return;
        }
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort_unstable();
        for (voice, track) in &changed {
            let place = (*track, voice.3, voice.4);
            for found in &mut self.found {
                found.remove(&place);
            }
        }
        let pitch = |voice: Voice| (voice.0, voice.1, voice.2);
        for own in changed.chunk_by(|(a, _), (b, _)| pitch(*a) == pitch(*b)) {
            self.look(song, own);
        }
    }

    /// Checks the notes around changes of one pitch, which are in order: the last onset before
    /// each, the notes that start with it, and the next. Notes far from any change are skipped.
    fn look(&mut self, song: &Song, changed: &[(Voice, u32)]) {
        let (notes, pitches) = (&song.notes, song.pitches());
        let mut left = changed.iter().map(|(voice, _)| *voice).peekable();
        let mut together = Vec::new();
        while let Some(voice) = left.peek().copied() {
            // The previous onset may now end in time for this one, or no longer.
            let before = pitches.up_to(voice).find(|other| other.3 < voice.3);
            let mut here = pitches.since(before.unwrap_or(voice)).peekable();
            let mut far = 0;
            while let Some(first) = here.next() {
                together.clear();
                together.push(first);
                while let Some(voice) = here.next_if(|voice| voice.3 == first.3) {
                    together.push(voice);
                }
                let next = here.peek().map(|next| next.3);
                for (ix, voice) in together.iter().enumerate() {
                    self.judge(notes, *voice, ix > 0, next);
                }
                far += 1;
                while left.next_if(|voice| voice.3 <= first.3).is_some() {
                    far = 0;
                }
                if left.peek().is_none() {
                    return;
                }
                if far > FAR {
                    break;
                }
            }
            if here.peek().is_none() {
                // The last onset has been checked, and the changed notes after it are gone.
                return;
            }
        }
    }

    /// Records the flaws of a note, given whether another starts with it, and the start of the next
    /// of its pitch.
    fn judge(&mut self, notes: &Table<Note>, voice: Voice, is_twin: bool, next: Option<u64>) {
        let Some(note) = notes.get(Id::new(voice.4)) else {
            return;
        };
        let ends = note.dur.map(|dur| note.at.saturating_add(dur));
        let place = (note.track.number(), voice.3, voice.4);
        for (flaw, found) in FLAWS.iter().zip(&mut self.found) {
            let holds = match flaw {
                Flaw::Stuck => note.dur.is_none(),
                Flaw::Zero => note.dur == Some(0),
                Flaw::Overlap => ends.zip(next).is_some_and(|(end, next)| end > next),
                Flaw::Dup => is_twin,
            };
            if holds {
                found.insert(place);
            } else {
                found.remove(&place);
            }
        }
    }

    fn of(&self, flaw: Flaw) -> impl Iterator<Item = &Found> {
        let both = FLAWS.iter().zip(&self.found);
        both.filter(move |(own, _)| **own == flaw)
            .map(|(_, found)| found)
    }
}

/// A pitch during the scan: its last onset, and the ends of the notes there.
#[derive(Default)]
struct Sounding {
    at: u64,
    any: bool,
    here: Vec<((u32, u64, u32), u64)>,
}

/// The flaws of all notes, found by a fast scan in the order of ids. `None` if they do not start in
/// that order too, as notes read from a file do.
fn in_order(notes: &Table<Note>) -> Option<[Found; FLAWS.len()]> {
    let mut found: [Found; FLAWS.len()] = Default::default();
    let mut sounding: FxHashMap<(u32, u8, u8), Sounding> = FxHashMap::default();
    let [stuck, zero, overlap, dup] = &mut found;
    for (id, note) in notes.iter() {
        let place = (note.track.number(), note.at, id.number());
        let voice = (note.chunk.number(), note.channel.get(), note.pitch.get());
        let own = sounding.entry(voice).or_default();
        match note.dur {
            None => drop(stuck.insert(place)),
            Some(0) => drop(zero.insert(place)),
            Some(_) => {}
        }
        if note.at < own.at {
            return None;
        }
        if note.at > own.at {
            let over = own.here.drain(..).filter(|(_, end)| *end > note.at);
            overlap.extend(over.map(|(place, _)| place));
        } else if own.any {
            dup.insert(place);
        }
        (own.at, own.any) = (note.at, true);
        let end = note.dur.map(|dur| note.at.saturating_add(dur));
        // Notes without an end have their own flaw.
        own.here.extend(end.map(|end| (place, end)));
    }
    Some(found)
}

impl Song {
    /// The notes with a flaw.
    #[must_use]
    pub fn flawed(&self, flaw: Flaw) -> Vec<Row> {
        let mut flaws = self.notes.index().flaws.borrow_mut();
        flaws.settle(self);
        let found = flaws.of(flaw).flatten();
        found
            .map(|(_, _, id)| row_of::<Note>(Id::new(*id)))
            .collect()
    }

    /// The notes of a track with a flaw that start before a tick, in order of their starts.
    #[must_use]
    pub fn flawed_before(&self, flaw: Flaw, track: Id<Track>, tick: u64) -> Vec<Id<Note>> {
        let mut flaws = self.notes.index().flaws.borrow_mut();
        flaws.settle(self);
        let track = track.number();
        let found = flaws.of(flaw);
        let here = found.flat_map(|found| found.range((track, 0, 0)..(track, tick, 0)));
        here.map(|(_, _, id)| Id::new(*id)).collect()
    }

    /// Number of notes of a track with a flaw, and the first of them.
    #[must_use]
    pub fn flaws_on(&self, flaw: Flaw, track: Id<Track>) -> Option<(usize, Id<Note>)> {
        let mut flaws = self.notes.index().flaws.borrow_mut();
        flaws.settle(self);
        let track = track.number();
        let found = flaws.of(flaw).next()?;
        let mut here = found.range((track, 0, 0)..=(track, u64::MAX, u32::MAX));
        let first = here.next()?;
        Some((1 + here.count(), Id::new(first.2)))
    }
}
