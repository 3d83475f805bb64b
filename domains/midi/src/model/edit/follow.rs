//! Key aftertouch follows the notes that it presses.

use std::collections::{HashMap, HashSet};

use fcp::prelude::*;

use crate::model::rows::kinds::Note;
use crate::model::rows::note::{NewNote, Overlaps};
use crate::model::rows::voice::Aftertouch;
use crate::model::song::Song;
use crate::model::tables::part;
use crate::values::Pitch;

/// How many notes of a pitch that started before a touch are looked at.
const LOOK_BACK: usize = 8;

/// Key aftertouch of notes, with the notes as they were.
#[derive(Clone, Debug, Default)]
pub struct Followers(Vec<(Id<Aftertouch>, Id<Note>, Note)>);

/// How far after the start of a note a touch is, if the note sounds there.
fn within(touch: &Aftertouch, note: &Note) -> Option<u64> {
    let offset = touch.at.checked_sub(note.at);
    offset.filter(|_| touch.at <= note.ending().0)
}

impl Followers {
    /// The rows of the aftertouch.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        let touches = self.0.iter();
        touches.map(|(id, ..)| Row::new(part::<Aftertouch>(), id.number()))
    }
}

impl Song {
    /// The note that a touch presses: of its pitch, and sounding where the touch is.
    fn pressed(&self, touch: &Aftertouch) -> Option<Id<Note>> {
        let pitch = touch.pitch?;
        let notes = self.pitches();
        let notes = notes.before(touch.chunk, touch.channel, pitch, touch.at + 1);
        let mut notes = notes.take(LOOK_BACK);
        notes.find(|id| {
            let note = self.notes.get(*id);
            note.is_some_and(|note| note.ending().0 >= touch.at)
        })
    }

    /// The key aftertouch of some notes, but for rows that an op takes by itself. Where all notes of a pitch are among
    /// them, it is all of that pitch.
    #[must_use]
    pub fn followers(&self, ids: impl Iterator<Item = Id<Note>>, taken: &[Row]) -> Followers {
        if !self.touches.iter().any(|(_, touch)| touch.pitch.is_some()) {
            return Followers::default();
        }
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
            let row = Row::new(part::<Aftertouch>(), id.number());
            let voice = (touch.chunk, touch.channel, touch.pitch?);
            let pressed = self.pressed(touch);
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

    /// Lets key aftertouch follow its notes, which have changed: to their pitch, channel and track, and as far in time.
    ///
    /// # Errors
    /// A chunk is damaged.
    pub fn follow(&mut self, followers: Followers, overlaps: &mut Overlaps) -> Result<()> {
        for (id, note, before) in followers.0 {
            // One that another note took in has no place of its own.
            let Some(note) = self.notes.get(note).cloned() else {
                continue;
            };
            let touch = self.touches.need(id)?.clone();
            let row = Row::new(part::<Aftertouch>(), id.number());
            let at = match within(&touch, &before) {
                // What was inside stays inside.
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

    /// Copies key aftertouch of notes to copies of them. Given are a note and its copy, and the followers of all.
    ///
    /// # Errors
    /// A chunk is damaged, or a copy would be beyond the last tick.
    pub fn copy_followers(
        &mut self,
        followers: &Followers,
        copies: &HashMap<Id<Note>, NewNote>,
        overlaps: &mut Overlaps,
    ) -> Result<()> {
        for (id, note, before) in &followers.0 {
            let (Some(copy), Some(touch)) = (copies.get(note), self.touches.get(*id)) else {
                continue;
            };
            let row = Row::new(part::<Aftertouch>(), id.number());
            let Some(offset) = within(touch, before) else {
                continue;
            };
            let at = copy.at + offset;
            let chunk = self.tracks.need(copy.track)?.chunk;
            let owner = (copy.track, Some(copy.channel));
            if let Some(made) = self.copy_to(row, chunk, at, Some(owner))? {
                self.press(made.of(), copy.pitch);
                overlaps.followed += 1;
            }
        }
        Ok(())
    }

    /// Gives key aftertouch another key. Returns whether that made a difference.
    pub fn press(&mut self, id: Id<Aftertouch>, pitch: Pitch) -> bool {
        self.touches.modify(id, |touch| touch.pitch = Some(pitch))
    }

    /// How much key aftertouch there is whose pitch no note has.
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
