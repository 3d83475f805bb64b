//! `export musicxml`

use fcp::prelude::*;

use crate::extent::asked_bars;
use crate::model::Song;
use crate::notation;
use crate::values::{Rounding, Span};

/// Write a score for notation programs, as MusicXML: a part a track.
///
/// It has voices, ties, keys, meters, tempo, dynamics, markers and lyrics. Starts and ends of notes are moved to
/// lines of 32nds or of triplets of 16ths, unless the grid is `exact` or a length.
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
/// ! export musicxml as:song.musicxml
/// > ! there are no notes to write
/// >   …
/// ```
#[fcp_action]
pub fn export_musicxml(
    song: &Song,
    /// Where it goes.
    #[fcp(key = "as")]
    _path: Text,
    /// What starts and ends are moved to: `auto`, `exact`, or a length.
    #[fcp(default = Rounding::Auto)]
    grid: Rounding,
    /// Bars or a section, both ends included; all if left out.
    range: Option<Spanned<Span>>,
) -> Result<Vec<u8>> {
    let Some(chunk) = song.first_chunk() else {
        bail!("there are no notes to write")
    };
    if !song.has_bars() {
        bail!("this file counts SMPTE frames, so it has no bars"; try: "retime ppqn:480");
    }
    if song.is_patterns() {
        bail!("each pattern of this file has bars of its own");
    }
    let span = asked_bars(song, chunk, range.as_ref())?;
    let score = notation::score(song, chunk, span, &grid)?;
    Ok(score.into_bytes())
}
