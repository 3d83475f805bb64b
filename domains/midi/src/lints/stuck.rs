//! `stuck`

use fcp::prelude::*;

use crate::model::{Flaw, Song, Track};

/// Notes that nothing ends.
#[fcp_lint(weight = 90)]
pub fn stuck(song: &Song, id: Id<Track>, _track: &Track) -> Option<String> {
    crate::checks::flaw_text::flawed(
        song,
        id,
        Flaw::Stuck,
        ["stuck note", "stuck notes"],
        "fix stuck",
    )
}
