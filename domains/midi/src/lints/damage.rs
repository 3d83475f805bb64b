//! `damage`

use fcp::prelude::*;

use crate::model::{Song, Track};

/// A track that could not be read to its end.
#[fcp_lint(weight = 100)]
pub fn damage(song: &Song, id: Id<Track>, track: &Track) -> Option<String> {
    let fault = song.chunks.get(track.chunk)?.fault.as_ref()?;
    let name = crate::lines::name(song, id);
    Some(format!(
        "{name}: damaged from byte {} on, {} (fix damage)",
        fault.offset, fault.message
    ))
}
