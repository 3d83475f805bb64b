//! Changes to a song that keep its file sound: where new events go, and that no two notes of a pitch overlap.

use fcp::prelude::*;

use super::mark::{Key, Mark, Rank, Spot};
use super::note::Overlaps;
use super::rows::{Chunk, Note, Other, Track};
use super::shift::{Of, Shift};
use super::song::Song;
use crate::smf::Body;
use crate::values::{Channel, Pitch};

/// The last tick that an op writes: four bytes of delta time (RP-001).
pub const LAST_TICK: u64 = 0x0fff_ffff;

/// The fewest notes that are changed together, and what part of all they are at least.
const MANY: usize = 64;

/// Where notes are while others move: at no tick that a file has.
const AWAY: u64 = u64::MAX;

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

    /// The place of a new event: behind the last one of its tick that is of its rank or lower. A note-off of a pitch
    /// stays before the note-on of that pitch and channel.
    #[must_use]
    pub fn place(
        &self,
        chunk: Id<Chunk>,
        tick: u64,
        rank: Rank,
        before: Option<(Channel, Pitch)>,
    ) -> Mark {
        let own_on = before.and_then(|(channel, pitch)| {
            let notes = self.pitches().from(chunk, channel, pitch, tick);
            notes
                .map_while(|id| self.notes.get(id).filter(|note| note.at == tick))
                .map(|note| (note.on_mark.pos, note.on_mark.seq))
                .min()
        });
        let lower = |(key, spot): &(Key, Spot)| {
            spot.rank <= rank && own_on.is_none_or(|limit| (key.pos, key.seq) < limit)
        };
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
    pub(super) fn home(&mut self, track: Id<Track>, channel: Channel) -> Result<Id<Track>> {
        let row = self.tracks.need(track)?;
        if self.file.header.format != 0 || row.channel == Some(channel) {
            return Ok(track);
        }
        let chunk = row.chunk;
        let own = self
            .tracks
            .iter()
            .find(|(_, row)| row.chunk == chunk && row.channel == Some(channel));
        if let Some((own, _)) = own {
            return Ok(own);
        }
        let made = self.tracks.insert(Track {
            chunk,
            name: String::new(),
            channel: Some(channel),
        });
        self.relabel(made);
        Ok(made)
    }

    /// Notes of a pitch that sound at `at` end there.
    pub(super) fn end_before(
        &mut self,
        chunk: Id<Chunk>,
        channel: Channel,
        pitch: Pitch,
        at: u64,
        overlaps: &mut Overlaps,
    ) {
        let mut sounding: Vec<Id<Note>> = self
            .pitches()
            .before(chunk, channel, pitch, at)
            // Notes that do not overlap end in the order they start: behind one that is over there is none.
            .take_while(|id| {
                self.notes
                    .get(*id)
                    .is_some_and(|note| note.dur.is_none_or(|dur| note.at + dur > at))
            })
            .collect();
        // In the order they started, so that the offs stand in that order too.
        sounding.sort_by_key(|id| self.notes.get(*id).map(Note::onset));
        for id in sounding {
            let mark = self.place(chunk, at, Rank::Off, Some((channel, pitch)));
            self.notes.modify(id, |note| {
                note.dur = Some(at - note.at);
                note.off_mark = mark;
            });
            overlaps.shortened += 1;
        }
    }

    /// The other notes of a note's pitch that start with it, which only files have.
    fn twins(&self, id: Id<Note>, note: &Note) -> Vec<Id<Note>> {
        self.pitches()
            .from(note.chunk, note.channel, note.pitch, note.at)
            .take_while(|other| self.notes.get(*other).is_some_and(|row| row.at == note.at))
            .filter(|other| *other != id)
            .collect()
    }

    /// Removes the note-offs of a note's pitch that stand before its own and have no note: they would end it.
    pub(super) fn drop_strays(&mut self, note: &Note, end: u64, overlaps: &mut Overlaps) {
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
        let place = (note.at, note.on_mark.pos, note.on_mark.seq);
        let strays: Vec<Id<Other>> = self
            .others
            .index()
            .time
            .range(note.chunk, note.at, end)
            .filter(|(key, spot)| spot.rank == Rank::Off && (key.tick, key.pos, key.seq) > place)
            .map(|(_, spot)| Id::new(spot.id))
            .filter(|id| self.others.get(*id).is_some_and(|row| is_stray(&row.body)))
            .collect();
        overlaps.dropped += strays.len();
        for id in strays {
            self.others.remove(id);
        }
    }

    /// Ends a note at `end`, or where the next of its pitch starts.
    pub(super) fn end_note(
        &mut self,
        id: Id<Note>,
        end: u64,
        overlaps: &mut Overlaps,
    ) -> Result<()> {
        let note = self.notes.need(id)?.clone();
        let next = self
            .pitches()
            .from(note.chunk, note.channel, note.pitch, note.at + 1)
            .find(|other| *other != id);
        let next = next
            .and_then(|next| self.notes.get(next))
            .map(|next| next.at);
        let cut = next.filter(|next| *next < end);
        overlaps.shortened += usize::from(cut.is_some());
        let mut end = cut.unwrap_or(end);
        for twin in self.twins(id, &note) {
            let other = self.notes.need(twin)?.clone();
            let other_end = other.dur.map_or(u64::MAX, |dur| other.at + dur);
            let in_order = if other.onset() < note.onset() {
                other_end <= end
            } else {
                end < other_end
            };
            // Of two that start together, the one that starts first in the file would take the first end.
            if !in_order {
                overlaps.merged += 1;
                self.notes.remove(twin);
                self.notes.modify(id, |note| {
                    note.velocity = note.velocity.max(other.velocity);
                });
                end = end.max(other.dur.map_or(end, |dur| other.at + dur));
                end = next.map_or(end, |next| end.min(next));
            }
        }
        self.drop_strays(&note, end, overlaps);
        // A note of no length ends behind its own start, every other before the next of its pitch.
        let mark = if end == note.at {
            self.place(note.chunk, end, Rank::On, None)
        } else {
            self.place(note.chunk, end, Rank::Off, Some((note.channel, note.pitch)))
        };
        self.notes.modify(id, |note| {
            note.dur = Some(end - note.at);
            note.off_mark = mark;
        });
        Ok(())
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
        if let Some(clash) = self.clash_among(&changes)? {
            return Err(clash.refused(self));
        }
        self.mend_notes(changes)
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
    pub(super) fn change_notes_by(
        &mut self,
        changes: Vec<(Id<Note>, Note)>,
        many: usize,
    ) -> Result<Overlaps> {
        let mut overlaps = Overlaps::default();
        let mut shifts = Vec::new();
        let mut ending = Vec::new();
        for (id, mut after) in changes {
            after.track = self.home(after.track, after.channel)?;
            let before = self.notes.need(id)?;
            if after == *before {
                continue;
            }
            let place = |note: &Note| (note.chunk, note.track, note.channel, note.pitch, note.at);
            let (moves, ends) = (place(&after) != place(before), after.dur != before.dur);
            self.writable(before.chunk)?;
            self.writable(after.chunk)?;
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
                Of::New => {}
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
        // Only an end moves, and what is said besides.
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
            // One that sounds on from before would take this end for its own.
            let (chunk, channel, pitch) = (after.chunk, after.channel, after.pitch);
            self.end_before(chunk, channel, pitch, after.at, &mut overlaps);
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
            overlaps.merged += 1;
            self.notes.remove(id);
            let own = self.notes.need(twin)?.clone();
            self.notes.modify(twin, |note| {
                note.velocity = note.velocity.max(after.velocity);
            });
            if let Some(end) = end
                && own.dur.is_none_or(|dur| at + dur < end)
            {
                // One that sounds on from before would take this end for its own.
                self.end_before(chunk, channel, pitch, at, overlaps);
                self.end_note(twin, end, overlaps)?;
            }
            return Ok(());
        }
        self.end_before(chunk, channel, pitch, at, overlaps);
        let on_mark = self.place(chunk, at, Rank::On, None);
        self.notes.modify(id, |note| {
            *note = after;
            note.dur = None;
            note.on_mark = on_mark;
        });
        match end {
            Some(end) => self.end_note(id, end, overlaps),
            None => self.end_stuck(id, overlaps),
        }
    }

    /// Ends a note that nothing ends where the next of its pitch starts or a note-off without a note stands, if one is
    /// there.
    fn end_stuck(&mut self, id: Id<Note>, overlaps: &mut Overlaps) -> Result<()> {
        let note = self.notes.need(id)?.clone();
        let next = self
            .pitches()
            .from(note.chunk, note.channel, note.pitch, note.at + 1)
            .find(|other| *other != id);
        let next = next.and_then(|next| self.notes.get(next));
        match next.map(|next| next.at).filter(|at| *at != AWAY) {
            Some(end) => {
                overlaps.shortened += 1;
                self.end_note(id, end, overlaps)
            }
            None => {
                self.drop_strays(&note, u64::MAX, overlaps);
                Ok(())
            }
        }
    }

    /// The note that a note-off at a place would end, though it is not that note's own.
    pub(super) fn ended_by(
        &self,
        chunk: Id<Chunk>,
        (channel, pitch): (Channel, Pitch),
        tick: u64,
        mark: Mark,
    ) -> Option<Id<Note>> {
        let notes = self.pitches();
        let here = notes
            .from(chunk, channel, pitch, tick)
            .take_while(|id| self.notes.get(*id).is_some_and(|note| note.at == tick));
        here.chain(notes.before(chunk, channel, pitch, tick).take(1))
            .find(|id| {
                self.notes.get(*id).is_some_and(|note| {
                    let end = note.dur.map_or((u64::MAX, 0, 0), |dur| {
                        (note.at + dur, note.off_mark.pos, note.off_mark.seq)
                    });
                    note.onset() < (tick, mark.pos, mark.seq) && (tick, mark.pos, mark.seq) < end
                })
            })
    }
}
