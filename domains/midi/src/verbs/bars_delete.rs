//! `bars delete`

use fcp::prelude::*;

use crate::carried;
use crate::lines;
use crate::model::{Song, Track};
use crate::structure;
use crate::timing;
use crate::values::Span;

/// Delete bars of all tracks; what follows them moves up.
///
/// Tempo, meter, key, programs, controllers and bends that they set are set at the seam instead, so that what follows
/// sounds as before. A note across the cut is shorter by what is cut; one that ends inside ends at the cut.
///
/// ```fcp
/// # track add Bass instrument:bass
/// # phrase Bass "A1/w | C2/w | E2/w"
/// # tempo 90 at:2
/// bars delete 2
/// > @ Deleted bar 2: 1 note, 1 other row (1 tempo), 0 notes shortened; carried: tempo 90
/// bars delete 2.2-2.4
/// > ! 2.2-2.4 is not a span of whole bars
/// >   try: bars delete 2-2
/// ```
#[fcp_verb(category = "Bars", deletes)]
pub fn bars_delete(
    song: &mut Song,
    /// The bars, or a section.
    #[fcp(positional)]
    span: Spanned<Span>,
    /// The pattern, in a file of patterns (format 2).
    on: Option<Spanned<Ref<Track>>>,
) -> Result<Reply> {
    let chunks = structure::chunks(song, on.as_ref())?;
    let chunk = structure::home(&chunks);
    let (from, to) = structure::whole_bars(song, chunk, &span)?;
    let bars = structure::describe_bars(song, chunk, (from, to));
    let set_up = carried::set_up(song, &chunks, from);
    let cut = timing::cut(song, &chunks, (from, to))?;
    let kept = carried::kept(song, chunk, &set_up);
    Ok(bulk!(
        "Deleted {bars}: {}, {}, {} shortened{kept}{}{}",
        lines::count(cut.notes, "note", "notes"),
        cut.others(),
        lines::count(cut.shortened, "note", "notes"),
        carried::describe(song, chunk, from, &cut.carried),
        cut.overlaps.describe()
    ))
}
