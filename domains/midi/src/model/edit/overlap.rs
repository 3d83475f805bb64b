//! Overlapping notes of one pitch: an op shortens the earlier one where the later starts, and merges
//! two that start together.

use std::collections::BTreeSet;
use std::ops::Bound::{Excluded, Unbounded};

use fcp::prelude::*;

use super::ends::Voice;
use crate::model::index::controls::Moment;
use crate::model::index::event_places::Rank;
use crate::model::rows::kinds::Note;
use crate::model::rows::note::Overlaps;
use crate::model::song::Song;
use crate::values::Velocity;

impl Note {
    /// Whether one of two notes of a pitch starts while the other sounds, or together with it.
    pub(in crate::model) fn overlaps(&self, other: &Self) -> bool {
        let covers = |one: &Self, later: u64| one.at <= later && later < one.ending().0;
        self.voice() == other.voice()
            && (self.at == other.at || covers(self, other.at) || covers(other, self.at))
    }
}

impl Song {
    /// Ends notes of a pitch at a moment if they start before it and sound longer.
    pub(in crate::model) fn end_before(
        &mut self,
        voice: Voice,
        moment: Moment,
        overlaps: &mut Overlaps,
    ) {
        let (chunk, end) = (voice.0, moment.0);
        let lasting = self.lasting(voice, moment, end);
        let lasting = lasting.filter(|(_, note)| note.at < end);
        let mut lasting: Vec<(Moment, Id<Note>, u64)> = lasting
            .map(|(id, note)| (note.onset(), id, note.ending().0))
            .collect();
        if lasting.iter().all(|(.., own)| *own == end) {
            return;
        }
        // In the order they started, so that their note-offs have that order too.
        lasting.sort_unstable();
        let starts: BTreeSet<Moment> = self.events_with(voice, end).collect();
        let mut last = None;
        for (_, id, own) in lasting {
            if own > end {
                let first = starts.range((last.map_or(Unbounded, Excluded), Unbounded));
                let mark = self.place(chunk, end, Rank::Off, first.min().copied());
                self.notes.modify(id, |note| {
                    note.dur = Some(end - note.at);
                    note.off_mark = mark.spelled_as(note.off_mark);
                });
                overlaps.shortened += 1;
            }
            last = last.max(self.notes.get(id).map(Note::ending));
        }
    }

    /// Merges a note that would start together with another: the result has the higher velocity and
    /// the later end.
    pub(in crate::model) fn join_note(
        &mut self,
        id: Id<Note>,
        velocity: Velocity,
        end: Option<u64>,
        overlaps: &mut Overlaps,
    ) -> Result<()> {
        overlaps.merged += 1;
        let own = self.notes.need(id)?.clone();
        self.notes.modify(id, |note| {
            note.velocity = note.velocity.max(velocity);
        });
        match end {
            Some(end) if own.dur.is_none_or(|dur| own.at + dur < end) => {
                self.end_note(id, end, overlaps)
            }
            _ => Ok(()),
        }
    }
}
