//! `track remove`

use fcp::prelude::*;
use fcp::reply::count;

use crate::model::Song;
use crate::resolve::target_tracks::TargetTracks;

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
    /// The track, or those that selectors match.
    #[fcp(positional)]
    track: TargetTracks,
) -> Result<Reply> {
    let names = track.describe(song);
    let notes: usize = track.iter().map(|id| song.notes.index().count(id)).sum();
    for id in track.iter() {
        song.remove_track(id)?;
    }
    Ok(removed!("Removed {names} ({})", count(notes, "note")))
}
