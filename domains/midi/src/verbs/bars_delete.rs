//! `bars delete`

use fcp::prelude::*;
use fcp::reply::count;

use crate::edit::bars::{seam_reply, time_shift, whole_bars};
use crate::model::{Song, Track};
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
/// >   syntax: bars delete SPAN [on:REF]
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
    let chunks = whole_bars::chunks(song, on.as_ref())?;
    let chunk = whole_bars::home(&chunks);
    let (from, to) = whole_bars::whole_bars(song, chunk, &span)?;
    let bars = whole_bars::describe_bars(song, chunk, (from, to));
    let ends = chunks.iter().filter_map(|chunk| song.end_of_chunk(*chunk));
    if ends.max().is_none_or(|end| end < from) {
        return Ok(unchanged!("Deleted nothing: the song ends before {bars}"));
    }
    let set_up = seam_reply::set_up(song, &chunks, from);
    let cut = time_shift::cut(song, &chunks, (from, to))?;
    let start = format!("replaced at {}", song.shown(chunk, from));
    let replaced = seam_reply::clause(&start, &cut.replaced);
    let kept = seam_reply::kept(song, chunk, &set_up);
    Ok(bulk!(
        "Deleted {bars}: {}, {}, {} shortened{replaced}{kept}{}{}",
        count(cut.notes, "note"),
        cut.others(),
        count(cut.shortened, "note"),
        seam_reply::describe(song, chunk, from, &cut.carried),
        cut.overlaps.describe()
    ))
}
