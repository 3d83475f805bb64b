//! Copies that get new values before they meet other notes.

use fcp::prelude::*;

use super::notes::LAST_TICK;
use crate::model::index::event_places::Rank;
use crate::model::note_batch::Apart;
use crate::model::rows::kinds::Note;
use crate::model::rows::note::{NewNote, Overlaps, Release};
use crate::model::song::Song;

impl Song {
    /// Keeps new notes apart from now on.
    pub(crate) fn begin_apart(&mut self) {
        self.apart.adjust(|own| own.0 = Some(Vec::new()));
    }

    /// Whether new notes are kept apart.
    pub(super) fn keeps_apart(&self) -> bool {
        self.apart.0.is_some()
    }

    /// Whether a note is kept apart.
    pub(super) fn is_apart(&self, id: Id<Note>) -> bool {
        let own = self.apart.0.as_ref();
        // Ids are given in order.
        own.is_some_and(|own| own.binary_search(&id).is_ok())
    }

    /// The number of the first note that is kept apart.
    pub(super) fn apart_since(&self) -> Option<u32> {
        let first = self.apart.0.as_ref()?.first()?;
        Some(first.number())
    }

    /// Adds a note that is kept apart.
    pub(super) fn add_apart(&mut self, note: Note) {
        let note = self.placed_apart(note);
        let id = self.notes.insert(note);
        self.apart
            .adjust(|own| own.0.get_or_insert_default().push(id));
    }

    /// Changes a note that is kept apart.
    ///
    /// # Errors
    /// Its chunk is damaged.
    pub(super) fn change_apart(&mut self, id: Id<Note>, mut after: Note) -> Result<()> {
        after.track = self.home(after.track, after.channel)?;
        self.writable(after.chunk)?;
        let before = self.notes.need(id)?;
        if after == *before {
            return Ok(());
        }
        // A note-on of velocity 0 has no release velocity.
        after.off_by_on &= after.off == before.off;
        let after = self.placed_apart(after);
        self.notes.modify(id, |note| *note = after);
        Ok(())
    }

    fn placed_apart(&self, mut note: Note) -> Note {
        let end = note.at.saturating_add(note.dur.unwrap_or(0));
        let on_mark = self.place(note.chunk, note.at, Rank::On, None);
        note.on_mark = on_mark.of_new(note.on_mark);
        let off_mark = self.place(note.chunk, end, Rank::Off, None);
        note.off_mark = off_mark.of_new(note.off_mark);
        if end == note.at {
            note.end_after_start();
        }
        note
    }

    /// Gives the notes that were kept apart their effect on others, as if they were added now.
    /// Describes that effect.
    ///
    /// # Errors
    /// A note ends after the last tick, or it would overlap one and a setting refuses that.
    pub(crate) fn end_apart(&mut self, keep: bool) -> Result<Vec<String>> {
        let mut held = Apart::default();
        self.apart.adjust(|own| std::mem::swap(own, &mut held));
        let ids = held.0.filter(|_| keep).unwrap_or_default();
        let mut wanted = Vec::with_capacity(ids.len());
        for id in ids {
            let Some(note) = self.notes.get(id).cloned() else {
                continue;
            };
            self.send_away(id);
            wanted.push((id, note));
        }
        let mut overlaps = Overlaps::default();
        for (id, note) in &wanted {
            let dur = note.dur.unwrap_or(1);
            if note.at.saturating_add(dur) > LAST_TICK {
                bail!("the note would end beyond tick {LAST_TICK}, the last one of a file");
            }
            let new = NewNote {
                track: note.track,
                channel: note.channel,
                pitch: note.pitch,
                at: note.at,
                dur,
                velocity: note.velocity,
                release: Release::NEUTRAL,
            };
            if let Some(clash) = self.clash_of(note.chunk, &new) {
                return Err(clash.refused(self));
            }
            self.settle(note.clone(), Some(*id), &mut overlaps)?;
        }
        let mut notes = Vec::new();
        let parts = overlaps.parts();
        if !parts.is_empty() {
            notes.push(parts.join(", "));
        }
        if overlaps.merged > 0 {
            notes.extend(self.merges(&wanted));
        }
        Ok(notes)
    }
}
