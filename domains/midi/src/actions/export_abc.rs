//! `export abc`

use fcp::prelude::*;

use crate::model::Song;
use crate::notation::{self, Scoring};

/// Write a score as text, in ABC notation 2.1: a voice or several a track.
///
/// It has what `export musicxml` writes: ties, tuplets, keys, meters, tempo, dynamics, markers, lyrics and drums. Starts
/// and ends of notes are moved alike, and tracks that are not heard are left out.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4
/// ! export abc as:song.abc
/// > * Exported song.abc (…
/// ! export abc as:other.abc on:Paino
/// > ! Track "Paino" not found
/// >   try: export abc as:other.abc on:Piano
/// ```
#[fcp_action]
pub fn export_abc(
    song: &Song,
    /// The output file.
    #[fcp(key = "as")]
    _path: Text,
    #[fcp(flatten)] scoring: Scoring,
) -> Result<Exported> {
    scoring.exported(song, notation::abc)
}
