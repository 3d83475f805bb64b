//! `bars move`

use fcp::prelude::*;
use fcp::reply::count;

use crate::edit::bars::{seam_reply, time_shift, whole_bars};
use crate::model::{Song, Track};
use crate::values::{Pos, Span};

/// Move bars of all tracks, with tempo, meter and markers, to another place.
///
/// All sounds as it did before, each in its new place, as with `bars copy` and `bars delete`.
///
/// ```fcp
/// # track add Bass instrument:bass
/// # phrase Bass "A1/w | C2/w | E2/w"
/// bars move 1 to:end
/// > @ Moved bar 1 to 3.1 (1 note); kept at 1.1: 1 tempo, 1 meter, 1 program
/// ? events Bass 1-3
/// > …
/// > …
/// > 1.1 C2 w v80 #*
/// > 2.1 E2 w v80 #*
/// > 3.1 A1 w v80 #*
/// bars move 1-2 to:2
/// > ! to:2 is inside the bars that move
/// >   syntax: bars move SPAN to:POS [on:REF]
/// ```
#[fcp_verb(category = "Bars", alias = "move bars")]
pub fn bars_move(
    song: &mut Song,
    /// The bars, or a section.
    #[fcp(positional)]
    span: Spanned<Span>,
    /// The bar that will follow them; `end` is after the last.
    to: Spanned<Pos>,
    /// The pattern, in a file of patterns (format 2).
    on: Option<Spanned<Ref<Track>>>,
) -> Result<Reply> {
    let chunks = whole_bars::chunks(song, on.as_ref())?;
    let chunk = whole_bars::home(&chunks);
    let (from, end) = whole_bars::whole_bars(song, chunk, &span)?;
    let at = whole_bars::barline(song, chunk, &to)?;
    let bars = whole_bars::describe_bars(song, chunk, (from, end));
    if at == from || at == end {
        return Ok(unchanged!("{bars} are there already"));
    }
    if (from..end).contains(&at) {
        return Err(to.wrong(ValueError::new("is inside the bars that move")));
    }
    let whole = (at.min(from), at.max(end));
    if whole_bars::is_empty(song, &chunks, whole) {
        let [first, last] = [whole.0, whole.1].map(|tick| song.shown(chunk, tick));
        return Ok(unchanged!(
            "there is nothing from {first} to {last} to move"
        ));
    }
    let set_up = seam_reply::set_up(song, &chunks, whole.0);
    let moved = time_shift::move_bars(song, &chunks, (from, end), at)?;
    let rows = song.counted(moved.rows.iter().copied());
    let rows = if rows.is_empty() { "nothing" } else { &rows };
    let shortened = match moved.shortened {
        0 => String::new(),
        n => format!(", {} shortened", count(n, "note")),
    };
    let target = if at < from { at } else { at - (end - from) };
    let kept = seam_reply::kept(song, chunk, &set_up);
    let (start, place) = (song.shown(chunk, 0), song.shown(chunk, target));
    Ok(bulk!(
        "Moved {bars} to {place} ({rows}){shortened}{kept}{}{}{}",
        seam_reply::clause(&format!("replaced at {start}"), &moved.replaced),
        seam_reply::describe(song, chunk, target, &moved.carried),
        moved.overlaps.describe()
    ))
}
