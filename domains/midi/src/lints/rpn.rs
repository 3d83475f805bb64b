//! `rpn`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Song, Track};
use crate::rpn::stray;

/// Data of a parameter before one is selected, which changes whatever was selected last.
#[fcp_lint(weight = 55)]
pub fn rpn(song: &Song, id: Id<Track>, track: &Track) -> Option<String> {
    let at = stray(song, id)?;
    let (name, at) = (lines::name(song, id), song.shown(track.chunk, at));
    Some(format!(
        "{name}: parameter data at {at}, but none is selected"
    ))
}
