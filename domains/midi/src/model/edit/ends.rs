//! Ends of notes. The file pairs note-ons and note-offs of a pitch first in, first out, so notes
//! end in the order in which they start.
//!
//! Notes that overlap in a file keep their overlap as long as that order allows it. If an op makes
//! two notes overlap, or the later would have to end first, the earlier ends where the later
//! starts.

use fcp::prelude::*;
use fcp::work;

use super::notes::AWAY;
use crate::model::index::controls::{END, Moment};
use crate::model::index::event_places::{Mark, Rank};
use crate::model::row_of;
use crate::model::rows::kinds::{Chunk, Note, RawEvent};
use crate::model::rows::note::Overlaps;
use crate::model::song::Song;
use crate::smf::Body;
use crate::values::{Channel, Pitch};

/// Identifies the notes of one pitch.
pub(in crate::model) type Voice = (Id<Chunk>, Channel, Pitch);

impl Note {
    /// The voice of a note: its note-off may end any note of that voice.
    pub(in crate::model) const fn voice(&self) -> Voice {
        (self.chunk, self.channel, self.pitch)
    }

    /// The place of its note-off among the events of its chunk; after all events if it has none.
    #[must_use]
    pub fn ending(&self) -> Moment {
        self.dur.map_or(END, |dur| {
            let end = self.at.saturating_add(dur);
            (end, self.off_mark.pos, self.off_mark.seq)
        })
    }

    /// Places the end of a note without a length directly after its start, which is not in the
    /// index yet.
    pub(super) fn end_after_start(&mut self) {
        let on = (self.on_mark.pos, self.on_mark.seq);
        (self.off_mark.pos, self.off_mark.seq) = Rank::On.after(on);
    }
}

impl Song {
    /// The notes of a pitch that start before a moment and do not end before a tick, the latest
    /// first.
    pub(super) fn lasting(
        &self,
        (chunk, channel, pitch): Voice,
        before: Moment,
        to: u64,
    ) -> impl Iterator<Item = (Id<Note>, &Note)> {
        let rows = self
            .pitches()
            .before(chunk, channel, pitch, before.0.saturating_add(1));
        // They end in the order they start: before one that is over there are no others, except
        // those that start with it.
        let mut over = None;
        rows.filter_map(|id| Some((id, self.notes.get(id)?)))
            // Many notes may start together: looking at them counts, and `end_note` ends the call.
            .inspect(|_| {
                work::spend(1).ok();
            })
            .filter(move |(_, note)| note.onset() < before)
            .take_while(move |(_, note)| match over {
                Some(at) => note.at == at,
                None => {
                    over = (note.ending().0 < to).then_some(note.at);
                    true
                }
            })
            .filter(move |(_, note)| note.ending().0 >= to)
    }

    /// The note that starts at the same tick, on the same channel and pitch.
    #[must_use]
    pub fn starting_with(&self, note: &Note) -> Option<Row> {
        let (chunk, channel, pitch) = note.voice();
        let here = self.pitches().from(chunk, channel, pitch, note.at).next();
        let here = here.filter(|id| self.notes.get(*id).is_some_and(|own| own.at == note.at));
        here.map(row_of)
    }

    /// The note that a note-off at a place would end, without being that note's own.
    pub(in crate::model) fn ended_by(&self, voice: Voice, place: Moment) -> Option<Id<Note>> {
        let mut lasting = self.lasting(voice, place, place.0);
        lasting
            .find(|(_, note)| place < note.ending())
            .map(|(id, _)| id)
    }

    /// The starts and ends of the notes of a pitch that start at a tick.
    pub(super) fn events_with(
        &self,
        (chunk, channel, pitch): Voice,
        tick: u64,
    ) -> impl Iterator<Item = Moment> {
        let here = self.pitches().from(chunk, channel, pitch, tick);
        let here = here
            .map_while(|id| self.notes.get(id))
            .take_while(move |other| other.at == tick);
        here.flat_map(|other| [other.onset(), other.ending()])
    }

    /// The place of a note's end at a tick: before the note-on of its pitch that starts there, but
    /// after the ends of notes that started earlier.
    pub(in crate::model) fn place_end(&self, note: &Note, end: u64) -> Mark {
        if end == note.at {
            // A note without length ends after its own start.
            return self.place(note.chunk, end, Rank::On, None);
        }
        let earlier = self.lasting(note.voice(), note.onset(), end);
        let earlier = earlier.map(|(_, other)| other.ending());
        let last = earlier.filter(|ending| ending.0 == end).max();
        let first = self.events_with(note.voice(), end);
        let first = first.filter(|place| last.is_none_or(|last| *place > last));
        self.place(note.chunk, end, Rank::Off, first.min())
    }

    /// Ends a note at `end`, or earlier: where the next of its pitch starts that did not overlap it
    /// before or would end first.
    pub(in crate::model) fn end_note(
        &mut self,
        id: Id<Note>,
        end: u64,
        overlaps: &mut Overlaps,
    ) -> Result<()> {
        work::spend(1)?;
        let note = self.notes.need(id)?.clone();
        let (mut asked, mut sounded) = (end, note.at + note.dur.unwrap_or(0));
        let end = loop {
            let end = self.room(id, &note, asked, sounded);
            // Of two that start together, the first in the file would take the first end.
            let twin = self.twin_in_the_way(id, &note, end);
            let Some((twin, other)) = twin else { break end };
            overlaps.merged += 1;
            let other_end = other.at + other.dur.unwrap_or(0);
            (asked, sounded) = (asked.max(other_end), sounded.max(other_end));
            self.notes.remove(twin);
            self.notes.modify(id, |note| {
                note.velocity = note.velocity.max(other.velocity);
            });
        };
        overlaps.shortened += usize::from(end < asked);
        if note.dur == Some(end - note.at) {
            return Ok(());
        }
        // A note that started earlier and ends later would take this end for its own.
        let mut lasting = self.lasting(note.voice(), note.onset(), end);
        let is_longer = lasting.any(|(_, other)| other.ending().0 > end);
        drop(lasting);
        if is_longer {
            self.end_before(note.voice(), note.onset(), overlaps);
        }
        let off_mark = self.place_end(&note, end);
        self.drop_strays(&note, (end, off_mark.pos, off_mark.seq), overlaps);
        let mut after = note.clone();
        after.dur = Some(end - note.at);
        self.form_end(&note, &mut after);
        self.notes.modify(id, |note| {
            after.off_mark = off_mark.spelled_as(note.off_mark);
            *note = after;
        });
        Ok(())
    }

    /// The tick at which a note can end instead of `end`, if it ended at `sounded` before.
    fn room(&self, id: Id<Note>, note: &Note, end: u64, sounded: u64) -> u64 {
        let (chunk, channel, pitch) = note.voice();
        let first = |from: u64, to: u64| {
            let mut later = self.pitches().from(chunk, channel, pitch, from);
            let later = later.find(|other| *other != id)?;
            self.notes.get(later).filter(|other| other.at < to)
        };
        let next = first(sounded.max(note.at + 1), end);
        let end = next.map_or(end, |next| next.at);
        // They end in the order they start: if any ends too soon, the first does.
        let first_out = first(note.at + 1, end.min(sounded));
        match first_out.filter(|other| other.ending().0 <= end) {
            Some(other) => other.at,
            None => end,
        }
    }

    /// A note that starts together with another one (which only files have), and cannot keep its
    /// end if the other ends at `end`.
    fn twin_in_the_way(&self, id: Id<Note>, note: &Note, end: u64) -> Option<(Id<Note>, Note)> {
        let (chunk, channel, pitch) = note.voice();
        let twins = self.pitches().from(chunk, channel, pitch, note.at);
        let mut twins = twins
            .map_while(|twin| Some((twin, self.notes.get(twin)?)))
            .take_while(|(_, other)| other.at == note.at)
            .filter(|(twin, _)| *twin != id);
        let found = twins.find(|(_, other)| match other.onset() < note.onset() {
            true => other.ending().0 > end,
            false => other.ending().0 <= end,
        });
        found.map(|(twin, other)| (twin, other.clone()))
    }

    /// Ends a note without an end where the next of its pitch starts, or at a note-off without a
    /// note, if there is either.
    pub(crate) fn end_stuck(&mut self, id: Id<Note>, overlaps: &mut Overlaps) -> Result<()> {
        let note = self.notes.need(id)?.clone();
        let (chunk, channel, pitch) = note.voice();
        let later = self.pitches();
        let next = later
            .from(chunk, channel, pitch, note.at + 1)
            .find(|other| *other != id);
        let next = next.and_then(|next| self.notes.get(next));
        match next.map(|next| next.at).filter(|at| *at != AWAY) {
            Some(end) => {
                overlaps.ended += 1;
                self.end_note(id, end, overlaps)
            }
            None => {
                self.drop_strays(&note, END, overlaps);
                Ok(())
            }
        }
    }

    /// Removes note-offs of a note's pitch that are before its own and belong to no note: they
    /// would end it.
    pub(in crate::model) fn drop_strays(
        &mut self,
        note: &Note,
        end: Moment,
        overlaps: &mut Overlaps,
    ) {
        if self.others.index().strays() == 0 {
            return;
        }
        let (status, pitch) = (0x80 | note.channel.get(), note.pitch.get());
        let is_stray = |body: &Body| match body {
            Body::Channel { status: own, data } => {
                own & 0x8f == status & 0x8f && own & 0xf0 < 0xa0 && data[0] == pitch
            }
            _ => false,
        };
        let place = note.onset();
        let strays: Vec<Id<RawEvent>> = self
            .others
            .index()
            .time
            .range(note.chunk, note.at, end.0)
            .filter(|(key, spot)| {
                let own = (key.tick, key.pos, key.seq);
                spot.rank == Rank::Off && place < own && own < end
            })
            .map(|(_, spot)| Id::new(spot.id))
            .filter(|id| self.others.get(*id).is_some_and(|row| is_stray(&row.body)))
            .collect();
        overlaps.dropped += strays.len();
        for id in strays {
            self.others.remove(id);
        }
    }
}
