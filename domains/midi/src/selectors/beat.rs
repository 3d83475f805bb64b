//! `@beat`

use fcp::prelude::*;

use crate::model::Song;
use crate::values::{Beat, Several};

/// Rows that start in a beat of their bar, `2,4`, or on a tick of it, `1.0`.
///
/// # Errors
/// The file has no bars.
#[fcp_selector]
pub fn beat(song: &Song, beats: Several<Beat>) -> Result<Pick<'_>, ValueError> {
    if !song.has_bars() {
        return Err(ValueError::sentence(
            "this file counts SMPTE frames, so it has no beats",
        ));
    }
    Ok(Pick::test(move |row| {
        song.starts(row).is_some_and(|(chunk, tick)| {
            let place = song.bars(chunk).place(tick);
            let here = (place.beat, place.tick);
            beats.holds(|beat| here < beat.first(), |beat| here > beat.last())
        })
    }))
}
