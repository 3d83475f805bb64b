//! The form of a note's end: a note-off or a note-on of velocity 0, and the release velocity.

use fcp::prelude::*;
use fcp::work;

use crate::model::index::event_places::Spot;
use crate::model::rows::kinds::Note;
use crate::model::rows::note::{NEUTRAL_OFF, Release};
use crate::model::song::Song;

impl Song {
    /// Release velocity and form of a new end of a note: those of the last earlier note of its
    /// track with an end, else of the first later one; a note-off of the neutral velocity if there
    /// is none.
    #[must_use]
    pub fn usual_end(&self, note: &Note) -> Release {
        let index = self.notes.index();
        // Many notes without an end may come between; they count, and the call fails.
        if !index.has_ends() || work::spend(1).is_err() {
            return Release::NEUTRAL;
        }
        let time = &index.time;
        let ended = |(_, spot): (_, Spot)| {
            let other = self.notes.get(Id::new(spot.id))?;
            let is_like = other.track == note.track && other.dur.is_some();
            (is_like && !spot.off).then_some(Release {
                velocity: other.off,
                by_on: other.off_by_on,
            })
        };
        let mut before = time.back_from(note.chunk, note.at);
        let mut after = time.range(note.chunk, note.at, u64::MAX);
        let found = before.find_map(ended).or_else(|| after.find_map(ended));
        found.unwrap_or(Release::NEUTRAL)
    }

    /// Gives a new end the usual form, if the note had no end event and no form is given.
    pub(in crate::model) fn form_end(&self, before: &Note, after: &mut Note) {
        let is_new = before.dur.is_none() && !before.off_mark.is_placed() && after.dur.is_some();
        let is_named = (after.off, after.off_by_on) != (NEUTRAL_OFF, false);
        if is_new && !is_named {
            let release = self.usual_end(after);
            (after.off, after.off_by_on) = (release.velocity, release.by_on);
        }
    }
}
