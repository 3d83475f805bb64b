//! `stuck`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Note, Song};

/// A note that nothing ends.
#[fcp_lint(weight = 90)]
pub fn stuck(song: &Song, _id: Id<Note>, note: &Note) -> Option<String> {
    if note.dur.is_some() {
        return None;
    }
    let (on, pitch) = (lines::name(song, note.track), lines::pitch(song, note));
    Some(format!(
        "{on}: stuck note, {pitch} at {}",
        song.shown(note.chunk, note.at)
    ))
}
