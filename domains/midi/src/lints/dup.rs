//! `dup`

use fcp::prelude::*;

use crate::model::{Flaw, Song, Track};

/// Notes that start where another of their pitch does.
#[fcp_lint(weight = 84)]
pub fn dup(song: &Song, id: Id<Track>, _track: &Track) -> Option<String> {
    crate::checks::flaw_text::flawed(
        song,
        id,
        Flaw::Dup,
        ["duplicate note", "duplicate notes"],
        "fix duplicates",
    )
}
