//! `solo`

use fcp::prelude::*;

use crate::model::Song;
use crate::resolve::target_tracks::TargetTracks;

/// Play a track alone, with others that are solo; the file does not change.
///
/// ```fcp
/// # track add Piano
/// solo Piano
/// > * Track Piano: solo on
/// solo Piano off
/// > * Track Piano: solo off
/// solo Piano off
/// > = Track Piano is not solo
/// ```
#[fcp_verb(category = "Tracks")]
pub fn solo(
    song: &mut Song,
    /// The track, or those that selectors match.
    #[fcp(positional)]
    track: TargetTracks,
    /// `off` takes it back.
    #[fcp(positional, default = Switch(true))]
    on: Switch,
) -> Result<Reply> {
    let switched = track.switched(song, |song, id| song.solo(id, on.0));
    Ok(match (switched, on.0) {
        (Ok(changed), _) => changed!("{changed}: solo {on}"),
        (Err(same), true) => unchanged!("{same} solo already"),
        (Err(same), false) => unchanged!("{same} not solo"),
    })
}
