//! `overlap`

use fcp::prelude::*;

use crate::model::{Flaw, Song, Track};

/// Notes that sound on when the next of their pitch begins.
#[fcp_lint(weight = 85)]
pub fn overlap(song: &Song, id: Id<Track>, _track: &Track) -> Option<String> {
    crate::checks::flaw_text::flawed(
        song,
        id,
        Flaw::Overlap,
        ["overlapping note", "overlapping notes"],
        "fix overlaps",
    )
}
