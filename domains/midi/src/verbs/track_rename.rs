//! `track rename`

use fcp::prelude::*;

use crate::model::{Song, Track, row_of};
use crate::values::Encoding;

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
    /// The encoding of the name; that of the other texts if left out.
    encoding: Option<Encoding>,
) -> Result<Reply> {
    let before = song.name_of_track(track.id());
    let name = song.instead(name.as_str(), encoding);
    let differs = song.rename_track(track.id(), &name)?;
    let after = song.name_of_track(track.id());
    Ok(if !differs {
        unchanged!("Track {before} has that name already")
    } else {
        changed!("Track {before} -> {after}{}", name.note).about([row_of(track.id())])
    })
}
