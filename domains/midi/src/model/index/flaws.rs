//! What is wrong with notes, kept up as they change: which sound on, are of no length, overlap, or stand twice.
//!
//! A change is only noted; what it means is found out when somebody asks, from the notes next to it.

use std::collections::BTreeSet;

use fcp::prelude::*;
use rustc_hash::FxHashMap;

use crate::model::rows::kinds::{Note, Track};
use crate::model::song::Song;

/// What may be wrong with a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Nothing ends it.
    Stuck,
    /// It ends where it starts.
    Zero,
    /// It sounds on when the next of its pitch begins.
    Overlap,
    /// It starts where another of its pitch does.
    Dup,
}

/// Every flaw, by its place.
const FLAWS: [Flaw; 4] = [Flaw::Stuck, Flaw::Zero, Flaw::Overlap, Flaw::Dup];

/// To look a note up is as much work as to pass so many.
const FAR: usize = 8;

/// Chunk, channel, pitch, onset and id of a note.
pub(in crate::model) type Voice = (u32, u8, u8, u64, u32);

/// Track, onset and id of a note with a flaw.
type Found = BTreeSet<(u32, u64, u32)>;

/// The notes with flaws.
#[derive(Debug, Default)]
pub(in crate::model) struct Flaws {
    /// Whether all was looked at once.
    is_known: bool,
    found: [Found; FLAWS.len()],
    /// What changed since: the note as it stood or stands, and its track.
    changed: Vec<(Voice, u32)>,
}

// It is told from the notes alone, so two that stand for the same notes are alike.
impl PartialEq for Flaws {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Flaws {}

impl Flaws {
    /// Notes that a note came or went.
    pub(in crate::model) fn touch(&mut self, voice: Voice, track: Id<Track>, notes: usize) {
        if !self.is_known {
            return;
        }
        if self.changed.len() > 1024 + notes {
            // To look at all is no more work than that.
            *self = Self::default();
            return;
        }
        self.changed.push((voice, track.number()));
    }

    /// Looks at what changed.
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

    /// Looks at what stands next to changes of one pitch, which are in order: the last onset before each, what starts
    /// together with it, and so on. What lies far from any is passed over.
    fn look(&mut self, song: &Song, changed: &[(Voice, u32)]) {
        let (notes, pitches) = (&song.notes, song.pitches());
        let mut left = changed.iter().map(|(voice, _)| *voice).peekable();
        let mut together = Vec::new();
        while let Some(voice) = left.peek().copied() {
            // The onset before may have ended, or not ended, in time for this one.
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
                // The last onset was looked at, and what changed behind it is gone.
                return;
            }
        }
    }

    /// Says what is wrong with a note: whether another stands where it does, and where the next of its pitch starts.
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

/// A pitch as notes are gone through: the onset that was come to last, and where the notes there end.
#[derive(Default)]
struct Sounding {
    at: u64,
    any: bool,
    here: Vec<((u32, u64, u32), u64)>,
}

/// The flaws of all notes, found in the order of their ids, which is quick since they lie in it. Nothing if they do not
/// start in that order too, as they do when they were read from a file.
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
        // What nothing ends is told as that.
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
        let part = <Self as HasTable<Note>>::PART;
        let found = flaws.of(flaw).flatten();
        found.map(|(_, _, id)| Row::new(part, *id)).collect()
    }

    /// How many notes of a track have a flaw, and the first of them.
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
