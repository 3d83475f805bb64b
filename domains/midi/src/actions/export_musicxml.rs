//! `export musicxml`

use fcp::prelude::*;

use crate::model::Song;
use crate::notation::{self, Scoring};

/// Write a score for notation programs, as MusicXML: a part a track.
///
/// It has voices, ties, keys, meters, tempo, dynamics, markers and lyrics. Starts and ends of notes are moved to
/// lines of 32nds or of triplets of 16ths, unless the grid is `exact` or a length. Tracks that are not heard, for `mute` or
/// `solo`, are left out, unless `on:` names one.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4
/// ! export musicxml as:song.musicxml
/// > * Exported song.musicxml (…
/// ```
///
/// ```fcp
/// # track add Piano
/// # track add Bass
/// ! export musicxml as:empty.musicxml
/// > ! there are no notes to write
/// >   …
/// # note Bass C2
/// ! export musicxml as:bass.musicxml on:Piano
/// > ! there are no notes on Piano
/// >   try: export musicxml as:bass.musicxml on:Bass
/// ```
#[fcp_action]
pub fn export_musicxml(
    song: &Song,
    /// The output file.
    #[fcp(key = "as")]
    _path: Text,
    #[fcp(flatten)] scoring: Scoring,
) -> Result<Exported> {
    scoring.exported(song, notation::musicxml)
}
