//! `grid`

use fcp::prelude::*;

use crate::grid::draw::StepGrid;
use crate::model::Song;
use crate::resolve::query_scope::{NoteScope, Sounding};
use crate::values::{Span, StepLength};

/// The most steps of a grid.
const STEPS_MOST: u64 = 2048;

/// Draw the notes of a track as an op that `grid` takes: a row a pitch, high to low, a character a step.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4 at:1.1 dur:h vel:96
/// # note Piano E4 at:1.3 dur:e vel:116
/// ? grid Piano 1
/// > grid Piano at:1 step:e
/// > E4 ....X...|
/// > C4 x---....|
/// ? piano-roll Piano 1 step:q
/// > grid Piano at:1 step:q
/// > E4 ..X.|
/// > C4 x-..|
/// ? grid @pitch:E4 1 step:q
/// > grid Piano at:1 step:q vel:116
/// > E4 ..x.|
/// ```
#[fcp_query(alias = "piano-roll")]
pub fn grid(
    song: &Song,
    /// The tracks, or notes by selectors.
    #[fcp(positional)]
    tracks: NoteScope,
    /// Bars or beats, both ends included.
    #[fcp(positional, key = "range")]
    span: Spanned<Span>,
    /// The length of a step; the longest that fits all rows if left out or `auto`.
    step: Option<Spanned<StepLength>>,
) -> Result<Listing<'_>> {
    let mut rolls = Vec::new();
    for heard in tracks.sounding(song, Some(&span))? {
        let Sounding { track, notes, .. } = heard;
        let roll = StepGrid::new(song, track, heard.span, &notes, step.as_ref())?;
        if roll.steps > STEPS_MOST {
            let problem = format!(
                "is {} steps of {}; a grid has at most {STEPS_MOST}",
                roll.steps, roll.step
            );
            let fix = roll.bars_of(STEPS_MOST);
            return Err(span.wrong(ValueError::new(problem).maybe_fix(fix)));
        }
        rolls.push((roll, notes));
    }
    // If there are many tracks, only those on the page are drawn.
    let total = rolls.iter().map(|(roll, notes)| roll.lines(notes)).sum();
    let lines = rolls
        .into_iter()
        .flat_map(|(roll, notes)| roll.draw(&notes));
    Ok(Listing::lines(total, lines))
}
