//! Restores the ends of notes that moved together.

use std::collections::HashMap;

use fcp::prelude::*;
use fcp::work;

use crate::model::rows::kinds::Note;
use crate::model::rows::note::Overlaps;
use crate::model::song::Song;

/// The steps that a compared note counts.
const STEPS_A_NOTE: usize = 2;

/// The start and the end of notes before they moved, in ticks.
#[derive(Debug, Default)]
pub struct Moved(HashMap<Id<Note>, (u64, u64)>);

impl Moved {
    /// Adds a note that is about to move.
    pub fn add(&mut self, id: Id<Note>, note: &Note) {
        self.0.insert(id, (note.at, note.ending().0));
    }

    /// The start and the end that a note had.
    fn of(&self, id: Id<Note>, note: &Note) -> (u64, u64) {
        let here = (note.at, note.ending().0);
        self.0.get(&id).copied().unwrap_or(here)
    }
}

impl Song {
    /// Whether nothing blocks the end of a note: the notes of its pitch that start earlier
    /// overlapped it before they moved, and do not end earlier. `ends` has the ends of notes
    /// without one at present.
    #[must_use]
    pub(crate) fn is_cleared(
        &self,
        id: Id<Note>,
        end: u64,
        before: &Moved,
        ends: &HashMap<Id<Note>, u64>,
    ) -> bool {
        let Some(note) = self.notes.get(id) else {
            return false;
        };
        let (chunk, channel, pitch) = note.voice();
        let own = before.of(id, note);
        let later = self.pitches().from(chunk, channel, pitch, note.at + 1);
        let later = later.filter_map(|other| Some((other, self.notes.get(other)?)));
        let mut later = later.take_while(|(_, other)| other.at < end);
        later.all(|(other_id, other)| {
            // Notes may overlap very many others: they count, and the call fails.
            if work::spend(STEPS_A_NOTE).is_err() {
                return false;
            }
            let (old_start, _) = before.of(other_id, other);
            let other_end = ends.get(&other_id).copied();
            let other_end = other_end.unwrap_or_else(|| other.ending().0);
            own.0 <= old_start && old_start < own.1 && other_end >= end
        })
    }

    /// Whether a note without an end is followed by one of its pitch that has an end: the file
    /// would end it there.
    #[must_use]
    pub(crate) fn is_overtaken(&self, id: Id<Note>) -> bool {
        let Some(note) = self.notes.get(id).filter(|_| self.notes.index().has_ends()) else {
            return false;
        };
        let (chunk, channel, pitch) = note.voice();
        let later = self.pitches().from(chunk, channel, pitch, note.at);
        let mut later = later.filter_map(|other| self.notes.get(other));
        later.any(|other| other.dur.is_some() && other.onset() > note.onset())
    }

    /// Restores the end of a note that has none at present but keeps the spelling of its end
    /// events. Nothing blocks it.
    ///
    /// # Errors
    /// The note is missing.
    pub(crate) fn restore_end(
        &mut self,
        id: Id<Note>,
        end: u64,
        overlaps: &mut Overlaps,
    ) -> Result<()> {
        let note = self.notes.need(id)?.clone();
        let mark = self.place_end(&note, end);
        self.drop_strays(&note, (end, mark.pos, mark.seq), overlaps);
        self.notes.modify(id, |note| {
            note.dur = end.checked_sub(note.at);
            note.off_mark = mark.spelled_as(note.off_mark);
        });
        Ok(())
    }
}
