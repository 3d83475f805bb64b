//! The form of a note's end: note-off or note-on of velocity 0, and the release velocity.

use fcp::prelude::*;

use crate::model::index::mark::Spot;
use crate::model::rows::kinds::Note;
use crate::model::rows::note::{NEUTRAL_OFF, Release};
use crate::model::song::Song;

impl Song {
    /// Release velocity and form of an end for a note that has none: those of the note of its track that starts last
    /// before it and has an end, else of the first after it; a note-off of the neutral velocity if there is none.
    #[must_use]
    pub fn usual_end(&self, note: &Note) -> Release {
        let time = &self.notes.index().time;
        let ended = |(_, spot): (_, Spot)| {
            let other = self.notes.get(Id::new(spot.id))?;
            let is_like = other.track == note.track && other.dur.is_some();
            (is_like && !spot.off).then_some(Release {
                velocity: other.off,
                by_on: other.off_by_on,
            })
        };
        let mut before = time.range(note.chunk, 0, note.at).rev();
        let mut after = time.range(note.chunk, note.at, u64::MAX);
        let found = before.find_map(ended).or_else(|| after.find_map(ended));
        found.unwrap_or(Release::NEUTRAL)
    }

    /// Gives an end its usual form, if a note that no event ended is to have one and its form is not named.
    pub(in crate::model) fn form_end(&self, before: &Note, after: &mut Note) {
        let is_new = before.dur.is_none() && !before.off_mark.is_placed() && after.dur.is_some();
        let is_named = (after.off, after.off_by_on) != (NEUTRAL_OFF, false);
        if is_new && !is_named {
            let release = self.usual_end(after);
            (after.off, after.off_by_on) = (release.velocity, release.by_on);
        }
    }
}
