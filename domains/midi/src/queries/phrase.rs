//! `phrase`

use fcp::prelude::*;

use crate::grid::note_grid::NoteGrid;
use crate::model::{NEUTRAL_OFF, Note, Song};
use crate::phrase::{Precision, automatic, phrase_ops};
use crate::resolve::query_scope::{NoteScope, Sounding};
use crate::values::{Rounding, Span};

/// Show the notes of a track as ops that `phrase` takes, an op for each voice.
///
/// Notes that are off the grid are rounded to one that keeps them apart, unless the grid is `exact`.
///
/// ```fcp
/// # track add Bass instrument:bass
/// # phrase Bass "A1/q. A1/e E2/h | F1/q. F1/e C2/h" vel:f
/// # note Bass E3 at:2.1 dur:w vel:60
/// ? phrase Bass
/// > phrase Bass "A1/q. A1/e E2/h | v60 E3/w" at:1 vel:96
/// > phrase Bass "F1/q. F1/e C2/h" at:2 vel:96
/// ? phrase Bass 1
/// > phrase Bass "A1/q. A1/e E2/h" at:1 vel:96
/// ? phrase @pitch:A1,E2 1
/// > phrase Bass "A1/q. A1/e E2/h" at:1 vel:96
/// ? phrase @track:Bass @velocity:60
/// > phrase Bass "E3/w" at:2 vel:60
/// ```
///
/// ```fcp
/// # track add Lead
/// # note Lead C4,E4 at:1.1+ticks:7 dur:q
/// # note Lead G4 at:1.2-ticks:9 dur:q
/// ? phrase Lead
/// > rounded to q, 3 of 3 off grid
/// > phrase Lead "C4+E4/q G4" at:1 vel:80
/// ? phrase Lead grid:exact
/// > phrase Lead "C4+E4/q" at:1.1.7 vel:80
/// > phrase Lead "G4/q" at:1.1.471 vel:80
/// ```
///
/// ```fcp
/// # track add Lead
/// # note Lead C4 at:1 off:90
/// ? phrase Lead grid:exact
/// > off velocities are not shown
/// > phrase Lead "C4/q" at:1 vel:80
/// ```
#[fcp_query]
pub fn phrase(
    song: &Song,
    /// The tracks, or notes by selectors.
    #[fcp(positional)]
    tracks: NoteScope,
    /// Bars, beats or ticks in which notes start, both ends included.
    #[fcp(positional, key = "range")]
    span: Option<Spanned<Span>>,
    /// The grid for starts and ends: `auto`, `exact`, or a length.
    #[fcp(default = Rounding::Auto)]
    grid: Rounding,
) -> Result<Listing<'_>> {
    let mut lines = Vec::new();
    for Sounding { track, span, notes } in tracks.sounding(song, span.as_ref())? {
        let notes = notes.into_iter();
        let mut notes: Vec<&Note> = notes.filter(|note| note.at >= span.0).collect();
        notes.sort_by_key(|note| note.onset());
        let (precision, remark) = match &grid {
            Rounding::Exact => {
                let differs = notes.iter().any(|note| note.off != NEUTRAL_OFF);
                let remark = differs.then(|| "off velocities are not shown".to_owned());
                (Precision::Exact, remark)
            }
            Rounding::Grid(length) => (Precision::On(NoteGrid::of(length.clone())), None),
            Rounding::Auto => automatic(song, &notes),
        };
        lines.extend(remark);
        lines.extend(phrase_ops(song, track, &notes, &precision));
    }
    if lines.is_empty() {
        lines.push("no notes".to_owned());
    }
    Ok(Listing::of(lines))
}
