//! Moves key aftertouch with its notes.

use std::collections::{HashMap, HashSet};

use fcp::prelude::*;
use fcp::work;

use crate::model::rows::kinds::Note;
use crate::model::rows::note::{NewNote, Overlaps};
use crate::model::rows::voice::Aftertouch;
use crate::model::song::Song;
use crate::model::{Sources, row_of};
use crate::values::Pitch;

/// Number of notes of a pitch to check that started before a touch.
const LOOK_BACK: usize = 8;

/// Key aftertouch with its notes, as they were.
#[derive(Clone, Debug, Default)]
pub struct Followers(Vec<(Id<Aftertouch>, Id<Note>, Note)>);

/// Distance of a touch from the start of a note, if the note sounds there.
fn within(touch: &Aftertouch, note: &Note) -> Option<u64> {
    let offset = touch.at.checked_sub(note.at);
    offset.filter(|_| touch.at <= note.ending().0)
}

impl Followers {
    /// The rows of the aftertouch.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        let touches = self.0.iter();
        touches.map(|(id, ..)| row_of(*id))
    }
}

impl Song {
    /// The note of a touch: it has its pitch, and sounds at its tick.
    fn pressed(&self, id: Id<Aftertouch>, touch: &Aftertouch) -> Option<Id<Note>> {
        // Notes that are kept apart have only touches that were copied with them.
        let is_apart = self.apart_since().is_some_and(|since| id.number() > since);
        let pitch = touch.pitch?;
        let notes = self.pitches();
        let notes = notes.before(touch.chunk, touch.channel, pitch, touch.at + 1);
        let mut notes = notes.take(LOOK_BACK);
        notes.find(|id| {
            let note = self.notes.get(*id);
            let sounds = note.is_some_and(|note| note.ending().0 >= touch.at);
            sounds && self.is_apart(*id) == is_apart
        })
    }

    /// The key aftertouch of some notes, except for rows that an op changes itself. If they include
    /// all notes of a pitch, it is all aftertouch of that pitch.
    #[must_use]
    pub fn followers(&self, ids: impl Iterator<Item = Id<Note>>, taken: &[Row]) -> Followers {
        if !self.touches.iter().any(|(_, touch)| touch.pitch.is_some()) {
            return Followers::default();
        }
        // The note of each is looked up. The call fails at its next check.
        let _ = work::spend(self.touches.len());
        let taken: HashSet<Row> = taken.iter().copied().collect();
        let ids: HashMap<Id<Note>, &Note> = ids
            .filter_map(|id| Some((id, self.notes.get(id)?)))
            .collect();
        let mut voices: HashMap<_, (usize, Id<Note>)> = HashMap::new();
        for (id, note) in &ids {
            voices.entry(note.voice()).or_insert((0, *id)).0 += 1;
        }
        let index = self.notes.index();
        let touches = self.touches.iter().filter_map(|(id, touch)| {
            let row = row_of(id);
            let voice = (touch.chunk, touch.channel, touch.pitch?);
            let pressed = self.pressed(id, touch);
            let whole = || {
                let (count, first) = voices.get(&voice).copied()?;
                (index.played(voice.0, voice.1, voice.2) == count).then_some(first)
            };
            let note = pressed.or_else(whole)?;
            let before = ids.get(&note)?;
            (!taken.contains(&row)).then(|| (id, note, (*before).clone()))
        });
        Followers(touches.collect())
    }

    /// Moves key aftertouch with its changed notes: to their pitch, channel and track, and by the
    /// same time.
    ///
    /// # Errors
    /// A chunk is damaged.
    pub fn follow(&mut self, followers: Followers, overlaps: &mut Overlaps) -> Result<()> {
        for (id, note, before) in followers.0 {
            // A note that was merged into another has no place of its own.
            let Some(note) = self.notes.get(note).cloned() else {
                continue;
            };
            let touch = self.touches.need(id)?.clone();
            let row = row_of(id);
            let at = match within(&touch, &before) {
                // Aftertouch inside the note stays inside.
                Some(offset) => (note.at + offset).min(note.ending().0),
                None if note.at == before.at => touch.at,
                None => continue,
            };
            let mut differs = false;
            if (note.chunk, note.track) != (touch.chunk, touch.track) {
                let owner = (note.track, Some(note.channel));
                self.writable(note.chunk)?;
                self.give_row(row, note.chunk, at, owner);
                differs = true;
            } else if at != touch.at {
                self.put(row, touch.chunk, at);
                differs = true;
            }
            differs |= self.touches.modify(id, |touch| {
                (touch.pitch, touch.channel) = (Some(note.pitch), note.channel);
            });
            overlaps.followed += usize::from(differs);
        }
        Ok(())
    }

    /// Copies key aftertouch to copies of notes. `copies` maps notes to their copies; `followers`
    /// is the aftertouch of all of them.
    ///
    /// # Errors
    /// A chunk is damaged, or a copy would be after the last tick.
    pub fn copy_followers(
        &mut self,
        followers: &Followers,
        copies: &HashMap<Id<Note>, NewNote>,
        (overlaps, sources): (&mut Overlaps, &mut Sources),
    ) -> Result<()> {
        for (id, note, before) in &followers.0 {
            let (Some(copy), Some(touch)) = (copies.get(note), self.touches.get(*id)) else {
                continue;
            };
            let row = row_of(*id);
            let Some(offset) = within(touch, before) else {
                continue;
            };
            let at = copy.at + offset;
            let chunk = self.tracks.need(copy.track)?.chunk;
            let owner = (copy.track, Some(copy.channel));
            if let Some(made) = self.copy_to(row, chunk, at, Some(owner), sources)? {
                self.press(made.of(), copy.pitch);
                overlaps.followed += 1;
            }
        }
        Ok(())
    }

    /// Changes the key of key aftertouch. Returns whether anything changed.
    pub fn press(&mut self, id: Id<Aftertouch>, pitch: Pitch) -> bool {
        self.touches.modify(id, |touch| touch.pitch = Some(pitch))
    }

    /// Number of key aftertouch events whose pitch no note has.
    #[must_use]
    pub fn unplayed_touches(&self) -> usize {
        let index = self.notes.index();
        let touches = self.touches.iter().filter(|(_, touch)| {
            let pitch = touch.pitch;
            pitch.is_some_and(|pitch| index.played(touch.chunk, touch.channel, pitch) == 0)
        });
        touches.count()
    }
}
