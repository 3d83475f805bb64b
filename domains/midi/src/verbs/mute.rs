//! `mute`

use fcp::prelude::*;

use crate::model::Song;
use crate::resolve::target_tracks::TargetTracks;

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
    /// The track, or those that selectors match.
    #[fcp(positional)]
    track: TargetTracks,
    /// `off` unmutes it.
    #[fcp(positional, default = Switch(true))]
    on: Switch,
) -> Result<Reply> {
    let switched = track.switched(song, |song, id| song.mute(id, on.0));
    Ok(match (switched, on.0) {
        (Ok(changed), _) => changed!("{changed}: mute {on}"),
        (Err(same), true) => unchanged!("{same} muted already"),
        (Err(same), false) => unchanged!("{same} not muted"),
    })
}
