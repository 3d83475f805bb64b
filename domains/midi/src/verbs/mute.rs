//! `mute`

use fcp::prelude::*;

use crate::model::{Song, Track};

/// Mute a track, or unmute it; the file does not change.
///
/// ```fcp
/// # track add Piano
/// mute Piano
/// > * Track Piano: mute on
/// mute Piano
/// > = Track Piano is muted already
/// mute Piano off
/// > * Track Piano: mute off
/// ```
#[fcp_verb(category = "Tracks")]
pub fn mute(
    song: &mut Song,
    /// The track.
    #[fcp(positional)]
    track: Ref<Track>,
    /// `off` unmutes it.
    #[fcp(positional, default = Switch(true))]
    on: Switch,
) -> Result<Reply> {
    let name = song.name_of_track(track.id());
    Ok(match (song.mute(track.id(), on.0), on.0) {
        (true, _) => changed!("Track {name}: mute {on}"),
        (false, true) => unchanged!("Track {name} is muted already"),
        (false, false) => unchanged!("Track {name} is not muted"),
    })
}
