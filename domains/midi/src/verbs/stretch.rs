//! `stretch`

use fcp::prelude::*;

use crate::model::{LAST_TICK, Note, Song};
use crate::stamp::{self, Picked};
use crate::transform;
use crate::values::Length;

/// Play notes slower or faster: their onsets and lengths, seen from where they start, are scaled.
///
/// ```fcp
/// # track add Keys
/// # phrase Keys "C4/q D4 E4/h"
/// stretch @track:Keys 200%
/// > @ Stretched 3 notes on Keys from 1.1: 200%
/// stretch @track:Keys 0%
/// > ! 0% is not 1% to 1000%
/// >   try: stretch @track:Keys 1%
/// ```
#[fcp_verb(category = "Shape")]
pub fn stretch(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// Per cent: `200%` is half as fast.
    #[fcp(positional)]
    to: Spanned<Length>,
) -> Result<Reply> {
    let Length::Part(percent) = *to.get() else {
        return Err(to.wrong(ValueError::new("is not per cent, as 200% is").fix("200%")));
    };
    let Picked { anchor, first, .. } = stamp::picked(song, &notes, "stretch")?;
    let rows = transform::chosen(song, &notes)?;
    let scaled = |ticks: u64| ticks.saturating_mul(percent.into()).saturating_add(50) / 100;
    let last = rows
        .iter()
        .map(|(_, note)| scaled(note.at.saturating_sub(anchor)));
    if last.max().unwrap_or(0).saturating_add(anchor) > LAST_TICK {
        bail!("that leads beyond the last tick of a file");
    }
    let (changed, overlaps) = transform::apply(song, &rows, |note| {
        Ok(Note {
            at: anchor + scaled(note.at.saturating_sub(anchor)),
            dur: note.dur.map(|dur| scaled(dur).max(1)),
            ..note.clone()
        })
    })?;
    let told = transform::told(song, &rows);
    if changed == 0 {
        return Ok(unchanged!("{told} are so already"));
    }
    let from = song.shown(first.chunk, anchor);
    Ok(bulk!(
        "Stretched {told} from {from}: {percent}%{}",
        overlaps.told()
    ))
}
