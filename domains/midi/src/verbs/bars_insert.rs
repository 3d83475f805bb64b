//! `bars insert`

use fcp::prelude::*;

use crate::carry::{self, State};
use crate::model::Song;
use crate::structure::{self, Seam};
use crate::values::Pos;

/// Insert empty bars before a bar, on all tracks; what stands from there on moves.
///
/// The new bars have the meter of the bar before them. At the start of the song instruments, tempo and the like stay.
///
/// ```fcp
/// # track add Bass instrument:bass
/// # phrase Bass "A1/w | C2/w"
/// bars insert 2 at:2
/// > @ Inserted 2 bars at 2.1: 1 note moved
/// bars insert 1 at:2.3
/// > ! at:2.3 is inside a bar
/// >   try: bars insert 1 at:3.1
/// ```
#[fcp_verb(category = "Bars")]
pub fn bars_insert(
    song: &mut Song,
    /// How many.
    #[fcp(positional)]
    count: Int<1, 10_000>,
    /// The bar before which they come.
    at: Spanned<Pos>,
) -> Result<Reply> {
    let chunk = song.conductor();
    let chunks = structure::chunks(song)?;
    let from = structure::barline(song, &at)?;
    let bars = song.bars(chunk);
    let bar = bars.at(from.saturating_sub(1)).bar_ticks();
    let to = from.saturating_add(bar.saturating_mul(count.get().unsigned_abs()));
    let entering = State::entering(song, &chunks, from);
    let notes = structure::shift(song, &chunks, Seam { from, to })?;
    // The bar before may have been ended early by a meter that has moved on.
    let carried = entering.begin_bar(song, from, &[])?;
    let carried = carry::told(carried.as_slice());
    let (n, place) = (count.get(), song.shown(chunk, from));
    let (bars, noun) = (
        if n == 1 { "bar" } else { "bars" },
        if notes == 1 { "note" } else { "notes" },
    );
    Ok(bulk!(
        "Inserted {n} {bars} at {place}: {notes} {noun} moved{carried}"
    ))
}
