//! `rpn`

use fcp::prelude::*;

use crate::model::{Song, Track};
use crate::parameters::stray;

/// Data of a parameter before one is selected, which changes whatever was selected last.
#[fcp_lint(weight = 55)]
pub fn rpn(song: &Song, id: Id<Track>, track: &Track) -> Option<String> {
    let at = stray(song, id)?;
    let (name, at) = (song.name_of_track(id), song.shown(track.chunk, at));
    Some(format!(
        "{name}: parameter data at {at}, but none is selected"
    ))
}
