//! `noinst`

use fcp::prelude::*;

use crate::model::{Song, Track};

/// A track with notes and no instrument.
#[fcp_lint]
pub fn noinst(song: &Song, id: Id<Track>, track: &Track) -> Option<String> {
    let silent = song.notes.index().count(id) == 0 || track.is_drums();
    if silent || song.first_program(id).is_some() {
        return None;
    }
    Some(format!("{}: no instrument", crate::lines::name(song, id)))
}
