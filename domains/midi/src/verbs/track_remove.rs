//! `track remove`

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::{Song, Track};

/// Remove a track with everything on it.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4
/// track remove Piano
/// > - Removed track Piano (1 note)
/// ```
#[fcp_verb(category = "Tracks", alias = "remove track", deletes)]
pub fn track_remove(
    song: &mut Song,
    /// The track.
    #[fcp(positional)]
    track: Ref<Track>,
) -> Result<Reply> {
    let name = song.name_of_track(track.id());
    let notes = song.notes.index().count(track.id());
    song.remove_track(track.id())?;
    Ok(removed!("Removed track {name} ({})", count(notes, "note")))
}
