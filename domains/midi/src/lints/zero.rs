//! `zero`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Note, Song};

/// A note of no length.
#[fcp_lint(weight = 50)]
pub fn zero(song: &Song, _id: Id<Note>, note: &Note) -> Option<String> {
    if note.dur != Some(0) {
        return None;
    }
    let (on, pitch) = (lines::name(song, note.track), lines::pitch(song, note));
    Some(format!(
        "{on}: note of no length, {pitch} at {}",
        song.shown(note.chunk, note.at)
    ))
}
