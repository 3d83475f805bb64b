//! Adds notes: the places of their events, and their effect on notes of the same pitch.

use std::collections::HashMap;

use fcp::prelude::*;
use fcp::work;

use super::notes::LAST_TICK;
use super::shift::{Of, Shift};
use crate::model::index::event_places::{Mark, Rank};
use crate::model::rows::kinds::Note;
use crate::model::rows::note::{NewNote, Overlaps};
use crate::model::song::Song;
use crate::model::song_settings::Overlapping;
use crate::model::{Sources, row_of};

/// The fewest notes to add together.
const MANY: usize = 4;

impl Song {
    /// Adds a note. If it overlaps others of its pitch, the earlier of each two ends where the
    /// later starts. Two that start together are merged, with the longer length and the higher
    /// velocity.
    ///
    /// # Errors
    /// The chunk is damaged, the note ends after the last tick, or it would overlap one and a
    /// setting refuses that.
    pub fn add_note(&mut self, new: NewNote) -> Result<(Id<Note>, Overlaps)> {
        let note = self.new_note(new)?;
        let mut overlaps = Overlaps::default();
        let id = self.settle(note, None, &mut overlaps)?;
        Ok((id, overlaps))
    }

    /// Adds notes with the effect of repeated [`Song::add_note`], but visits each pitch and each
    /// tick once.
    ///
    /// # Errors
    /// A chunk is damaged, a note ends after the last tick, or it would overlap one and a setting
    /// refuses that.
    pub fn add_notes(&mut self, new: impl IntoIterator<Item = NewNote>) -> Result<Overlaps> {
        self.add_notes_by(new, MANY)
    }

    /// [`Song::add_notes`], together if there are at least `many` notes.
    pub(in crate::model) fn add_notes_by(
        &mut self,
        new: impl IntoIterator<Item = NewNote>,
        many: usize,
    ) -> Result<Overlaps> {
        let mut overlaps = Overlaps::default();
        let mut shifts = Vec::new();
        for new in new {
            let after = self.new_note(new)?;
            if self.keeps_apart() {
                self.add_apart(after);
            } else if self.manner.overlap == Overlapping::Cut {
                shifts.push(Shift {
                    of: Of::New(None),
                    after,
                });
            } else {
                // The notes that it may overlap are already there.
                self.settle(after, None, &mut overlaps)?;
            }
        }
        for left in self.shift(shifts, many, &mut overlaps, &mut Vec::new()) {
            self.settle(left.after, None, &mut overlaps)?;
        }
        Ok(overlaps)
    }

    /// Adds copies of notes that belong together: copies of overlapping notes overlap too. They are
    /// added to `sources`, for [`Song::keep_order`].
    ///
    /// # Errors
    /// A chunk is damaged, a note ends after the last tick, or it would overlap an existing one and
    /// a setting refuses that.
    pub fn add_copies(
        &mut self,
        copies: impl IntoIterator<Item = (Id<Note>, NewNote)>,
        sources: &mut Sources,
    ) -> Result<Overlaps> {
        let mut overlaps = Overlaps::default();
        let mut shifts = Vec::new();
        let mut places = HashMap::new();
        for (source, new) in copies {
            let (of, mut after) = (Of::New(Some(source)), self.new_note(new)?);
            if let Some(note) = self.notes.get(source) {
                overlaps.given_end += usize::from(note.dur.is_none());
                after.on_mark = Mark::NEW.copied_from(note.on_mark);
                after.off_mark = Mark::NEW.copied_from(note.off_mark);
            }
            if self.keeps_apart() {
                self.add_apart(after);
            } else {
                places.insert(source, self.places(row_of(source)));
                shifts.push(Shift { of, after });
            }
        }
        let mut made = Vec::with_capacity(shifts.len());
        for left in self.shift(shifts, MANY, &mut overlaps, &mut made) {
            let before = self.notes.len();
            let id = self.settle(left.after, None, &mut overlaps)?;
            // One that was merged into a note that is there has no place of its own.
            if let (Of::New(Some(source)), true) = (left.of, self.notes.len() > before) {
                made.push((source, id));
            }
        }
        for (source, copy) in made {
            if let Some(from) = places.get(&source) {
                sources.add(row_of(copy), *from);
            }
        }
        self.allow(overlaps)?;
        Ok(overlaps)
    }

    /// A new note that has no place in the order of the file yet.
    fn new_note(&mut self, new: NewNote) -> Result<Note> {
        let chunk = self.tracks.need(new.track)?.chunk;
        self.writable(chunk)?;
        let track = self.home(new.track, new.channel)?;
        if new.at.saturating_add(new.dur) > LAST_TICK {
            bail!(
                "the note would end at tick {}, and a file goes to tick {LAST_TICK}",
                new.at.saturating_add(new.dur)
            );
        }
        if !self.keeps_apart()
            && let Some(clash) = self.clash_of(chunk, &NewNote { track, ..new })
        {
            return Err(clash.refused(self));
        }
        Ok(Note {
            chunk,
            track,
            pitch: new.pitch,
            at: new.at,
            dur: Some(new.dur),
            velocity: new.velocity,
            off: new.release.velocity,
            channel: new.channel,
            on_mark: Mark::NEW,
            off_mark: Mark::NEW,
            off_by_on: new.release.by_on,
        })
    }

    /// Places a new note, or merges it with the note of its pitch that starts together with it.
    /// `own` is its row if that is there already, but away.
    pub(super) fn settle(
        &mut self,
        mut note: Note,
        own: Option<Id<Note>>,
        overlaps: &mut Overlaps,
    ) -> Result<Id<Note>> {
        work::spend(1)?;
        let (chunk, channel, pitch, at) = (note.chunk, note.channel, note.pitch, note.at);
        let dur = note.dur.unwrap_or(1);
        let notes = self.pitches();
        let twin = notes.from(chunk, channel, pitch, at).next();
        let twin = twin.filter(|id| self.notes.get(*id).is_some_and(|note| note.at == at));
        if let Some(id) = twin {
            if let Some(own) = own {
                self.notes.remove(own);
            }
            self.join_note(id, note.velocity, Some(at + dur), overlaps)?;
            return Ok(id);
        }
        self.end_before(note.voice(), (at, u32::MAX, u32::MAX), overlaps);
        let notes = self.pitches();
        let next = notes.from(chunk, channel, pitch, at + 1).next();
        let next = next.and_then(|next| self.notes.get(next));
        let cut = next.map(|next| next.at).filter(|next| *next < at + dur);
        overlaps.shortened += usize::from(cut.is_some());
        let end = cut.unwrap_or(at + dur);
        note.dur = Some(end - at);
        note.on_mark = self.place(chunk, at, Rank::On, None).of_new(note.on_mark);
        note.off_mark = self.place_end(&note, end).of_new(note.off_mark);
        if end == at {
            note.end_after_start();
        }
        let place = note.ending();
        self.drop_strays(&note, place, overlaps);
        if let Some(own) = own {
            self.notes.modify(own, |row| *row = note);
            return Ok(own);
        }
        Ok(self.notes.insert(note))
    }
}
