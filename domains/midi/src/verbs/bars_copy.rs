//! `bars copy`

use fcp::prelude::*;

use crate::edit::bars::copy::{self, CopyMode};
use crate::edit::bars::{seam_reply, whole_bars};
use crate::model::{Song, Track};
use crate::values::{Pos, Span, Times};

/// Copy bars of all tracks, with tempo, meter and markers, to another place.
///
/// The copy sounds like its source, and what follows as before: tempo, meter, key, programs, controllers and bends are
/// set again at the seams if they would differ.
///
/// ```fcp
/// # track add Bass instrument:bass
/// # phrase Bass "A1/w | C2/w | E2/w"
/// # tempo 90 at:2
/// bars copy 1 to:end
/// > @ Copied bar 1 to 4.1 (1 note); kept at 1.1: 1 tempo, 1 meter, 1 program; carried: tempo 120; carried at 5.1: tempo 90
/// bars copy 2-3 to:1 times:2
/// > @ Copied bars 2-3 to 1.1, 2 times (2 notes, 1 tempo); replaced at 1.1: 1 tempo; carried at 5.1: tempo 120
/// bars copy 2.2 to:9
/// > ! 2.2 is not a span of whole bars
/// >   try: bars copy 2-2 to:9
/// ```
#[fcp_verb(category = "Bars", alias = "copy bars")]
pub fn bars_copy(
    song: &mut Song,
    /// The bars, or a section.
    #[fcp(positional)]
    span: Spanned<Span>,
    /// The bar that will follow the copy; `end` is after the last.
    to: Spanned<Pos>,
    /// `insert` moves on what is there, `over` replaces it, `mix` adds notes to it.
    #[fcp(default = CopyMode::Insert)]
    mode: CopyMode,
    /// Number of copies, one after the other; one if left out.
    times: Option<Spanned<Times>>,
    /// The pattern, in a file of patterns (format 2).
    on: Option<Spanned<Ref<Track>>>,
) -> Result<Reply> {
    let chunks = whole_bars::chunks(song, on.as_ref())?;
    let chunk = whole_bars::home(&chunks);
    let whole = whole_bars::whole_bars(song, chunk, &span)?;
    let at = whole_bars::barline(song, chunk, &to)?;
    let bars = whole_bars::describe_bars(song, chunk, whole);
    let place = song.shown(chunk, at);
    let mut set_up = seam_reply::set_up(song, &chunks, whole.0);
    if mode == CopyMode::Mix {
        set_up.clear();
    }
    let copied = copy::copy(song, &chunks, whole, at, (mode, times.as_ref()))?;
    let count = times.map_or(1, |times| times.get().get());
    let times = if count > 1 {
        format!(", {count} times")
    } else {
        String::new()
    };
    let rows = song.counted(copied.rows.iter().copied());
    let kept = seam_reply::kept(song, chunk, &set_up);
    let start = song.shown(chunk, 0);
    let rows = if rows.is_empty() { "nothing" } else { &rows };
    Ok(bulk!(
        "Copied {bars} to {place}{times} ({rows}){}{kept}{}{}{}",
        copied.over.describe(),
        seam_reply::clause(&format!("replaced at {start}"), &copied.replaced),
        seam_reply::describe(song, chunk, at, &copied.carried),
        copied.overlaps.describe()
    ))
}
