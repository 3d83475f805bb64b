//! Edits that keep the file consistent: places of new events, and changes of notes one by one.

use fcp::prelude::*;
use fcp::work;

use super::shift::{Of, Shift};
use crate::model::index::controls::{END, Moment};
use crate::model::index::event_places::{Key, Mark, Rank, Spot};
use crate::model::row_of;
use crate::model::rows::kinds::{Chunk, Note, Track};
use crate::model::rows::note::Overlaps;
use crate::model::song::Song;
use crate::model::song_settings::Overlapping;
use crate::values::Channel;

/// The last tick that an op may write: four bytes of delta time (RP-001).
pub const LAST_TICK: u64 = 0x0fff_ffff;

/// Notes are changed together if there are at least this many, and at least one in this many of all
/// notes.
const MANY: usize = 64;

/// The tick of notes that are temporarily removed while others move; no file has it.
pub(in crate::model) const AWAY: u64 = u64::MAX;

impl Song {
    /// The chunk of song rows: the first track chunk. Created if there is none.
    pub fn conductor(&mut self) -> Id<Chunk> {
        let first = self.first_chunk();
        first.unwrap_or_else(|| self.chunks.insert(Chunk::track()))
    }

    /// Checks that the events of a chunk may be changed. Every change asks, so a call that has
    /// taken too many steps ends here.
    ///
    /// # Errors
    /// It is damaged, or the call must end.
    pub fn writable(&self, chunk: Id<Chunk>) -> Result<()> {
        work::spend(0)?;
        match self.chunks.need(chunk)?.fault.as_ref() {
            None => Ok(()),
            Some(fault) => {
                bail!("this track is damaged from byte {} of the file on ({})", fault.offset, fault.message;
                    try: "fix damage")
            }
        }
    }

    /// The place of a new event: after the last event of its tick with its rank or a lower one, but
    /// before `before` if that is given.
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
        // The new events after the same read event with this rank are numbered on.
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

    /// The end of a note, or its start if it has no end. Notes of a file beyond the last tick may
    /// move no further.
    fn reach(note: &Note) -> u64 {
        note.at.saturating_add(note.dur.unwrap_or(0))
    }

    /// The last tick with any event in a chunk, apart from its end of track.
    #[must_use]
    pub fn last_tick(&self, chunk: Id<Chunk>) -> u64 {
        self.timelines()
            .into_iter()
            .filter_map(|(_, timeline)| timeline.last(chunk))
            .map(|(key, _)| key.tick)
            .max()
            .unwrap_or(0)
    }

    /// The tick of a chunk's end of track, if it has one: never before its last event, as it is
    /// written. The row keeps its own end, which applies again if these events are removed.
    #[must_use]
    pub fn end_of_chunk(&self, chunk: Id<Chunk>) -> Option<u64> {
        let end = self.chunks.get(chunk)?.end.as_ref()?;
        Some(end.tick.max(self.last_tick(chunk)))
    }

    /// The track of a note on a channel: in a file of format 0 the track of the channel, created if
    /// there is none; else the given track.
    pub(crate) fn home(&mut self, track: Id<Track>, channel: Channel) -> Result<Id<Track>> {
        let row = self.tracks.need(track)?;
        if self.file.header.format != 0 || row.channel == Some(channel) {
            return Ok(track);
        }
        let chunk = row.chunk;
        Ok(self.of_channel(chunk, channel))
    }

    /// Changes notes at once: none is in the way of another that moves too. Unchanged parts keep
    /// their place and spelling.
    ///
    /// # Errors
    /// A chunk is damaged, a note ends after the last tick, or notes would overlap and a setting
    /// refuses that.
    pub fn change_notes(&mut self, changes: Vec<(Id<Note>, Note)>) -> Result<Overlaps> {
        self.change_notes_with(changes, &[])
    }

    /// [`Song::change_notes`], with key aftertouch following its notes, except for rows that the op
    /// changes itself.
    ///
    /// # Errors
    /// As for [`Song::change_notes`].
    pub fn change_notes_with(
        &mut self,
        changes: Vec<(Id<Note>, Note)>,
        taken: &[Row],
    ) -> Result<Overlaps> {
        if self.gathers() {
            return Ok(self.gather_notes(changes, taken));
        }
        self.change_rows(changes, taken, |_| Ok(()))
            .map(|(overlaps, ())| overlaps)
    }

    /// [`Song::change_notes_with`], and then other changes of rows. All these rows keep their order
    /// among each other within a tick.
    ///
    /// # Errors
    /// As for [`Song::change_notes`], or those of the other changes.
    pub fn change_rows<T>(
        &mut self,
        changes: Vec<(Id<Note>, Note)>,
        taken: &[Row],
        others: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(Overlaps, T)> {
        let place = |note: &Note| (note.voice(), note.track, note.at);
        let placed = changes.iter().filter_map(|(id, after)| {
            let before = self.notes.get(*id)?;
            let moves = place(before) != place(after);
            (moves || before.dur != after.dur).then_some((*id, moves))
        });
        let placed: Vec<(Id<Note>, bool)> = placed.collect();
        let moving = placed.iter().filter(|(_, moves)| *moves);
        let followers = self.followers(moving.map(|(id, _)| *id), taken);
        let rows = placed.iter().map(|(id, _)| row_of(*id));
        let rows = rows.chain(followers.rows());
        let sources = self.sources(rows.chain(taken.iter().copied()));
        if let Some(clash) = self.clash_among(&changes)? {
            return Err(clash.refused(self));
        }
        let (apart, changes): (Vec<_>, Vec<_>) =
            changes.into_iter().partition(|(id, _)| self.is_apart(*id));
        for (id, after) in apart {
            self.change_apart(id, after)?;
        }
        let mut overlaps = self.change_notes_only(changes)?;
        self.allow(overlaps)?;
        self.follow(followers, &mut overlaps)?;
        let others = others(self)?;
        self.keep_order(sources);
        Ok((overlaps, others))
    }

    /// Checks that an effect on other notes is allowed. It includes notes that overlapped in the
    /// file and cannot at their new place.
    ///
    /// # Errors
    /// Notes were cut or merged, and a setting refuses that.
    pub(in crate::model) fn allow(&self, overlaps: Overlaps) -> Result<()> {
        if self.manner.overlap == Overlapping::Refuse && overlaps.shortened + overlaps.merged > 0 {
            let effects = overlaps.parts().join(", ");
            bail!("notes of one pitch would overlap ({effects}), and overlap:refuse is set";
                try: "! set overlap:cut");
        }
        Ok(())
    }

    /// [`Song::change_notes`] regardless of the overlap setting, for repairs of a file and for ends
    /// of notes when time is cut.
    ///
    /// # Errors
    /// A chunk is damaged, or a note ends after the last tick.
    pub fn change_notes_only(&mut self, changes: Vec<(Id<Note>, Note)>) -> Result<Overlaps> {
        let many = MANY.max(self.notes.len() / MANY);
        self.change_notes_by(changes, many)
    }

    /// [`Song::change_notes_only`], together if there are at least `many` changes.
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
            work::spend(1)?;
            after.track = self.home(after.track, after.channel)?;
            let before = self.notes.need(*id)?;
            self.writable(before.chunk)?;
            self.writable(after.chunk)?;
            // A note-on of velocity 0 has no release velocity.
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
        for Shift { of, after } in self.shift(shifts, many, &mut overlaps, &mut Vec::new()) {
            match of {
                Of::Moved(id) => moving.push((id, after)),
                Of::Ended(id) => ending.push((id, after)),
                Of::New(_) => {}
            }
        }
        // Move all notes away first, then place them one by one like new notes, so that none blocks
        // another.
        for (id, _) in &moving {
            self.send_away(*id);
        }
        for (id, after) in moving {
            self.bring_back(id, after, &mut overlaps)?;
        }
        // Only the end and other data change. Ends that move earlier come first, in order, then
        // those that move later, the last first: so none is in the way of another that goes the
        // same way.
        ending.sort_by_key(|(_, after)| after.onset());
        let (later, mut ending): (Vec<_>, Vec<_>) = ending.into_iter().partition(|(id, after)| {
            let before = self.notes.get(*id).and_then(|note| note.dur);
            before.is_some_and(|before| after.dur.is_some_and(|dur| dur > before))
        });
        ending.extend(later.into_iter().rev());
        for (id, after) in ending {
            let Some(before) = self.notes.get(id).cloned() else {
                // It was merged into a note that moved to the same place.
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

    /// Takes a note out of the way of others, to be placed again.
    pub(super) fn send_away(&mut self, id: Id<Note>) {
        self.notes.modify(id, |note| {
            note.dur = None;
            note.at = AWAY;
        });
    }

    /// Places a note that is away.
    fn bring_back(&mut self, id: Id<Note>, after: Note, overlaps: &mut Overlaps) -> Result<()> {
        work::spend(1)?;
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
