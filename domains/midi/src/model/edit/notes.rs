//! Changes to a song that keep its file sound: where new events go, and notes that change, one by one.

use fcp::prelude::*;

use super::shift::{Of, Shift};
use crate::model::index::controls::{END, Moment};
use crate::model::index::mark::{Key, Mark, Rank, Spot};
use crate::model::manner::Overlapping;
use crate::model::rows::kinds::{Chunk, Note, Track};
use crate::model::rows::note::Overlaps;
use crate::model::song::Song;
use crate::values::Channel;

/// The last tick that an op writes: four bytes of delta time (RP-001).
pub const LAST_TICK: u64 = 0x0fff_ffff;

/// The fewest notes that are changed together, and what part of all they are at least.
const MANY: usize = 64;

/// Where notes are while others move: at no tick that a file has.
pub(in crate::model) const AWAY: u64 = u64::MAX;

impl Song {
    /// The chunk that song rows go into: the first track chunk. One is made if there is none.
    pub fn conductor(&mut self) -> Id<Chunk> {
        let first = self
            .chunks
            .iter()
            .find(|(_, chunk)| chunk.is_track())
            .map(|(id, _)| id);
        first.unwrap_or_else(|| self.chunks.insert(Chunk::track()))
    }

    /// That events of a chunk may be changed.
    ///
    /// # Errors
    /// It is damaged.
    pub fn writable(&self, chunk: Id<Chunk>) -> Result<()> {
        match self.chunks.need(chunk)?.fault.as_ref() {
            None => Ok(()),
            Some(fault) => {
                bail!("this track is damaged from byte {} of the file on ({})", fault.offset, fault.message;
                    try: "fix damage")
            }
        }
    }

    /// The place of a new event: behind the last one of its tick that is of its rank or lower, and before a place if one is
    /// given.
    #[must_use]
    pub fn place(&self, chunk: Id<Chunk>, tick: u64, rank: Rank, before: Option<Moment>) -> Mark {
        let before = before.unwrap_or(END);
        let lower =
            |(key, spot): &(Key, Spot)| spot.rank <= rank && (key.tick, key.pos, key.seq) < before;
        let last = self
            .timelines()
            .into_iter()
            .filter_map(|(_, timeline)| timeline.range(chunk, tick, tick).rev().find(lower))
            .map(|(key, _)| key)
            .max();
        let pos = last.map_or(0, |key| key.pos);
        // Among the new events behind the same one, those of this rank are counted on.
        let first = Key {
            chunk: chunk.number(),
            tick,
            pos,
            seq: Mark::new(pos, rank, 1).seq,
        };
        let last = self
            .timelines()
            .into_iter()
            .filter_map(|(_, timeline)| timeline.last_of_rank(first))
            .max();
        let count = last.map(|key| key.seq - first.seq + 1);
        Mark::new(pos, rank, count.map_or(1, |count| count + 1))
    }

    /// Where a note ends; where it starts if nothing ends it. What a file has beyond the last tick may go no further.
    fn reach(note: &Note) -> u64 {
        note.at.saturating_add(note.dur.unwrap_or(0))
    }

    /// The last tick at which anything stands in a chunk, its end of track aside.
    #[must_use]
    pub fn last_tick(&self, chunk: Id<Chunk>) -> u64 {
        self.timelines()
            .into_iter()
            .filter_map(|(_, timeline)| timeline.last(chunk))
            .map(|(key, _)| key.tick)
            .max()
            .unwrap_or(0)
    }

    /// The track that a note of a channel belongs to: in a file of format 0 that of the channel, which is made where
    /// there is none; else the one that is given.
    pub(crate) fn home(&mut self, track: Id<Track>, channel: Channel) -> Result<Id<Track>> {
        let row = self.tracks.need(track)?;
        if self.file.header.format != 0 || row.channel == Some(channel) {
            return Ok(track);
        }
        let chunk = row.chunk;
        Ok(self.of_channel(chunk, channel))
    }

    /// Gives a note another content. What does not change keeps its place and spelling.
    ///
    /// # Errors
    /// The chunk is damaged, or the note ends beyond the last tick.
    pub fn change_note(
        &mut self,
        id: Id<Note>,
        change: impl FnOnce(&mut Note),
    ) -> Result<Overlaps> {
        let mut after = self.notes.need(id)?.clone();
        change(&mut after);
        self.change_notes(vec![(id, after)])
    }

    /// Gives notes another content, all at once: none is in the way of another that moves too.
    ///
    /// # Errors
    /// A chunk is damaged, a note ends beyond the last tick, or notes would overlap and a setting refuses that.
    pub fn change_notes(&mut self, changes: Vec<(Id<Note>, Note)>) -> Result<Overlaps> {
        self.change_notes_beside(changes, &[])
    }

    /// Changes notes as [`Song::change_notes`] does. Key aftertouch follows them, but for rows that the op takes by itself.
    ///
    /// # Errors
    /// As for [`Song::change_notes`].
    pub fn change_notes_beside(
        &mut self,
        changes: Vec<(Id<Note>, Note)>,
        taken: &[Row],
    ) -> Result<Overlaps> {
        if self.gathers() {
            return Ok(self.gather_notes(changes, taken));
        }
        let place = |note: &Note| (note.voice(), note.track, note.at);
        let moving = changes.iter().filter_map(|(id, after)| {
            let before = self.notes.get(*id)?;
            (place(before) != place(after)).then_some(*id)
        });
        let followers = self.followers(moving, taken);
        if let Some(clash) = self.clash_among(&changes)? {
            return Err(clash.refused(self));
        }
        let mut overlaps = self.mend_notes(changes)?;
        self.allow(overlaps)?;
        self.follow(followers, &mut overlaps)?;
        Ok(overlaps)
    }

    /// That what became of notes in the way may be so: what overlapped in the file, and cannot where it goes, is cut too.
    ///
    /// # Errors
    /// Some were cut or made one, and a setting refuses that.
    pub(in crate::model) fn allow(&self, overlaps: Overlaps) -> Result<()> {
        if self.manner.overlap == Overlapping::Refuse && overlaps.shortened + overlaps.merged > 0 {
            let told = overlaps.parts().join(", ");
            bail!("notes of one pitch would be in each other's way ({told}), and overlap:refuse is set";
                try: "! set overlap:cut");
        }
        Ok(())
    }

    /// The same, whatever is set about overlaps: for what mends faults of a file, or ends notes where time is cut.
    ///
    /// # Errors
    /// A chunk is damaged, or a note ends beyond the last tick.
    pub fn mend_notes(&mut self, changes: Vec<(Id<Note>, Note)>) -> Result<Overlaps> {
        let many = MANY.max(self.notes.len() / MANY);
        self.change_notes_by(changes, many)
    }

    /// The same, together if they are so many at least.
    pub(in crate::model) fn change_notes_by(
        &mut self,
        changes: Vec<(Id<Note>, Note)>,
        many: usize,
    ) -> Result<Overlaps> {
        let mut overlaps = Overlaps::default();
        let mut shifts = Vec::new();
        let mut ending = Vec::new();
        let mut changes = changes;
        for (id, after) in &mut changes {
            after.track = self.home(after.track, after.channel)?;
            let before = self.notes.need(*id)?;
            self.writable(before.chunk)?;
            self.writable(after.chunk)?;
            // A note-on of velocity 0 says nothing of how a note is let go.
            after.off_by_on &= after.off == before.off;
            self.form_end(before, after);
        }
        for (id, after) in self.change_whole(changes)? {
            let before = self.notes.need(id)?;
            if after == *before {
                continue;
            }
            let place = |note: &Note| (note.chunk, note.track, note.channel, note.pitch, note.at);
            let (moves, ends) = (place(&after) != place(before), after.dur != before.dur);
            if (moves || ends) && Self::reach(&after) > LAST_TICK.max(Self::reach(before)) {
                bail!("the note would end beyond tick {LAST_TICK}, the last one of a file");
            }
            if moves {
                let of = Of::Moved(id);
                shifts.push(Shift { of, after });
            } else if ends {
                let of = Of::Ended(id);
                ending.push(Shift { of, after });
            } else {
                self.notes.modify(id, |note| *note = after);
            }
        }
        shifts.append(&mut ending);
        let (mut moving, mut ending) = (Vec::new(), Vec::new());
        for Shift { of, after } in self.shift(shifts, many, &mut overlaps) {
            match of {
                Of::Moved(id) => moving.push((id, after)),
                Of::Ended(id) => ending.push((id, after)),
                Of::New(_) => {}
            }
        }
        // Out of the way of each other's new places, then in again one by one as new notes would be.
        for (id, _) in &moving {
            self.notes.modify(*id, |note| {
                note.dur = None;
                note.at = AWAY;
            });
        }
        for (id, after) in moving {
            self.bring_back(id, after, &mut overlaps)?;
        }
        // Only an end moves, and what is said besides. First those that come sooner, in order, then those that come later,
        // the last first: none is in the way of another that goes the same way.
        ending.sort_by_key(|(_, after)| after.onset());
        let (later, mut ending): (Vec<_>, Vec<_>) = ending.into_iter().partition(|(id, after)| {
            let before = self.notes.get(*id).and_then(|note| note.dur);
            before.is_some_and(|before| after.dur.is_some_and(|dur| dur > before))
        });
        ending.extend(later.into_iter().rev());
        for (id, after) in ending {
            let Some(before) = self.notes.get(id).cloned() else {
                // One that moved to the same place took it in.
                continue;
            };
            let Some(end) = after.dur.map(|dur| after.at + dur) else {
                continue;
            };
            self.notes.modify(id, |note| {
                *note = Note {
                    dur: before.dur,
                    off_mark: before.off_mark,
                    ..after.clone()
                };
            });
            self.end_note(id, end, &mut overlaps)?;
        }
        Ok(overlaps)
    }

    /// Puts a note that is away into its place.
    fn bring_back(&mut self, id: Id<Note>, after: Note, overlaps: &mut Overlaps) -> Result<()> {
        let (chunk, channel, pitch, at) = (after.chunk, after.channel, after.pitch, after.at);
        let end = after.dur.map(|dur| at + dur);
        let twin = self
            .pitches()
            .from(chunk, channel, pitch, at)
            .find(|other| *other != id);
        let twin = twin.filter(|twin| self.notes.get(*twin).is_some_and(|note| note.at == at));
        if let Some(twin) = twin {
            self.notes.remove(id);
            return self.join_note(twin, after.velocity, end, overlaps);
        }
        self.end_before((chunk, channel, pitch), (at, u32::MAX, u32::MAX), overlaps);
        let on_mark = self.place(chunk, at, Rank::On, None);
        self.notes.modify(id, |note| {
            *note = after;
            note.dur = None;
            note.on_mark = on_mark.spelled_as(note.on_mark);
        });
        match end {
            Some(end) => self.end_note(id, end, overlaps),
            None => self.end_stuck(id, overlaps),
        }
    }
}
