//! `solo`

use fcp::prelude::*;

use crate::model::{Song, Track};

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
    /// The track.
    #[fcp(positional)]
    track: Ref<Track>,
    /// `off` takes it back.
    #[fcp(positional, default = Switch(true))]
    on: Switch,
) -> Result<Reply> {
    let name = song.name_of_track(track.id());
    Ok(match (song.solo(track.id(), on.0), on.0) {
        (true, _) => changed!("Track {name}: solo {on}"),
        (false, true) => unchanged!("Track {name} is solo already"),
        (false, false) => unchanged!("Track {name} is not solo"),
    })
}
