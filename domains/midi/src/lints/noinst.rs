//! `noinst`

use fcp::prelude::*;

use crate::model::{Song, Track};

/// A track with notes, but with neither an instrument nor a name.
#[fcp_lint]
pub fn noinst(song: &Song, id: Id<Track>, track: &Track) -> Option<String> {
    let silent = song.notes.index().count(id) == 0 || track.is_drums();
    let named = song.track_name(id).is_some();
    if silent || named || song.first_program(id).is_some() {
        return None;
    }
    Some(format!("{}: no instrument", song.name_of_track(id)))
}
