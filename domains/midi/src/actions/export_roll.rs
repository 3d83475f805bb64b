//! `export roll`

use fcp::prelude::*;

use crate::model::Song;
use crate::notation::piano_roll::{BARS, NOTES, Roll};
use crate::resolve::export_span::asked_bars;
use crate::values::Span;

/// Draw the piano roll as an SVG picture: time to the right, pitch upwards, a colour a track, drums below.
///
/// ```fcp
/// # track add Piano
/// # note Piano C4
/// ! export roll as:song.svg
/// > * Exported song.svg (…
/// # note Piano C4 at:900
/// ! export roll as:long.svg
/// > ! it has 900 bars; a picture has at most 512
/// >   try: export roll as:long.svg range:1-512
/// ```
#[fcp_action]
pub fn export_roll(
    song: &Song,
    /// The output file.
    #[fcp(key = "as")]
    _path: Text,
    /// Bars, beats or a section, both ends included; all if left out.
    range: Option<Spanned<Span>>,
) -> Result<Vec<u8>> {
    let Some(chunk) = song.first_chunk() else {
        bail!("there is nothing to draw")
    };
    let bars = song.bars(chunk);
    let (from, to) = asked_bars(song, chunk, None, range.as_ref())?;
    let first = bars.place(from).bar;
    let count = bars.place(to.saturating_sub(1)).bar + 1 - first;
    if song.has_bars() && count > BARS {
        let fix = format!("{first}-{}", first + BARS - 1);
        let message = format!("it has {count} bars; a picture has at most {BARS}");
        match &range {
            Some(range) => return Err(range.wrong(ValueError::sentence(message).fix(fix))),
            None => bail!("{message}"; add: "range:{fix}"),
        }
    }
    let roll = Roll::new(song, (from, to));
    match roll.notes() {
        0 => bail!("no note sounds there"),
        notes if notes > NOTES => {
            bail!("it has {notes} notes; a picture has at most {NOTES}; give a range:")
        }
        _ => Ok(roll.svg().into_bytes()),
    }
}
