//! `events`

use fcp::prelude::*;

use crate::item::collect;
use crate::model::{Song, Track};
use crate::values::Span;

/// Show what stands on tracks, in the order of the file.
///
/// ```fcp
/// # track add Piano instrument:piano
/// # note Piano C5 at:1.1 vel:100
/// # note Piano E5 at:2.2.10 dur:100
/// ? events Piano
/// > 1.1 track-name "Piano" #6
/// > 1.1 program 0 acoustic-grand-piano #7
/// > 1.1 C5 q v100 #8
/// > 2.2.10 E5 100 v80 #9
/// ? events Piano 2
/// > 2.2.10 E5 100 v80 #9
/// ```
#[fcp_query]
pub fn events(
    song: &Song,
    /// The tracks: a name, several between commas, or `*`.
    tracks: Selection<Track>,
    /// Bars, beats or ticks, both ends included.
    #[fcp(positional, key = "range")]
    span: Option<Spanned<Span>>,
) -> Result<Listing<'_>> {
    let mut rows = Vec::new();
    for id in tracks.iter() {
        let chunk = song.tracks.need(id)?.chunk;
        let (from, to) = match &span {
            Some(span) => song
                .span_ticks(span.get(), chunk)
                .map_err(|error| span.wrong(error))?,
            None => (0, u64::MAX),
        };
        collect(song, id, chunk, (from, to), &mut rows);
    }
    if tracks.len() == 1 {
        rows.sort_unstable_by_key(|(key, _)| *key);
    } else {
        rows.sort_by_key(|(key, _)| (key.tick, key.chunk, key.pos, key.seq));
    }
    let several = tracks.len() > 1;
    let lines = rows.into_iter();
    Ok(Listing::lines(
        lines.len(),
        lines.map(move |(_, item)| item.line(song, several)),
    ))
}
