//! `@dur`

use fcp::prelude::*;
use fcp::work;

use crate::model::{Note, Song};
use crate::values::{Dur, Frac, Several};

/// Notes of a length, as it counts at their position: `e`, `<e`, `q-h`.
///
/// # Errors
/// A length makes no sense in this file.
#[fcp_selector(alias = "duration")]
pub fn dur(song: &Song, lengths: Several<Dur>) -> Result<Pick<'_>, ValueError> {
    if let Some(chunk) = song.first_chunk() {
        for length in lengths.values() {
            length.exact(&song.clock(chunk), Frac::ZERO)?;
        }
    }
    Ok(Pick::test(move |row| {
        let note = song.row_as::<Note>(row);
        let Some((note, dur)) = note.and_then(|note| Some((note, note.dur?))) else {
            return false;
        };
        let at = Frac::whole(i64::try_from(note.at).unwrap_or(i64::MAX));
        let own = Frac::whole(i64::try_from(dur).unwrap_or(i64::MAX));
        let one = Frac::whole(1);
        // A list may name many lengths, and the runtime reports that they are too many.
        let exact = |length: &Dur| {
            work::spend(1).ok()?;
            length.exact(&song.clock(note.chunk), at).ok()
        };
        // A length between two ticks matches either of them.
        lengths.holds(
            |length| {
                let limit = exact(length).and_then(|length| length.minus(one));
                limit.is_none_or(|limit| own <= limit)
            },
            |length| {
                let limit = exact(length).and_then(|length| length.plus(one));
                limit.is_some_and(|limit| own >= limit)
            },
        )
    }))
}
