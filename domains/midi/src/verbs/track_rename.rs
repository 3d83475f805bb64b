//! `track rename`

use fcp::prelude::*;

use crate::lines;
use crate::model::{Song, Track};
use crate::tracks;

/// Give a track another name.
///
/// ```fcp
/// # track add Piano
/// track rename Piano Keys
/// > * Track Piano -> Keys
/// rename Keys "Grand piano"
/// > * Track Keys -> Grand piano
/// ```
#[fcp_verb(category = "Tracks", alias = "rename")]
pub fn track_rename(
    song: &mut Song,
    /// The track.
    #[fcp(positional)]
    track: Ref<Track>,
    /// Its new name.
    #[fcp(positional)]
    name: Name,
) -> Result<Reply> {
    let before = lines::name(song, track.id());
    song.rename_track(track.id(), name.as_str())?;
    let after = lines::name(song, track.id());
    Ok(if before == after {
        unchanged!("Track {before} is called so already")
    } else {
        changed!("Track {before} -> {after}").about([tracks::row(track.id())])
    })
}
