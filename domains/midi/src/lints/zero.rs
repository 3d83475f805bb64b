//! `zero`

use fcp::prelude::*;

use crate::model::{Flaw, Song, Track};

/// Notes of no length.
#[fcp_lint(weight = 83)]
pub fn zero(song: &Song, id: Id<Track>, _track: &Track) -> Option<String> {
    crate::checks::flaw_text::flawed(
        song,
        id,
        Flaw::Zero,
        ["note of no length", "notes of no length"],
        "fix zero",
    )
}
