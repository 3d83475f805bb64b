//! `events`

use fcp::prelude::*;

use crate::item::{collect, line};
use crate::model::Song;
use crate::parts::Parts;
use crate::values::Span;

/// Show what stands on tracks or in the song, in the order of the file.
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
/// ? events song
/// > 1.1 tempo 120 #2
/// > 1.1 meter 4/4 #3
/// ? events @pitch:C
/// > 1.1 C5 q v100 on Piano #8
/// ```
#[fcp_query]
pub fn events(
    song: &Song,
    /// The tracks: a name, several between commas, or `*`; or `song`, or selectors.
    #[fcp(positional)]
    tracks: Parts,
    /// Bars, beats or ticks, both ends included.
    #[fcp(positional, key = "range")]
    span: Option<Spanned<Span>>,
) -> Result<Listing<'_>> {
    let mut rows = Vec::new();
    let several = match tracks {
        Parts::Tracks(tracks) => {
            for id in &tracks {
                let chunk = song.tracks.need(*id)?.chunk;
                let (from, to) = song.asked(span.as_ref(), chunk)?;
                let mut here = Vec::new();
                collect(song, *id, chunk, (from, to), &mut here);
                rows.append(&mut here);
            }
            tracks.len() > 1
        }
        Parts::Song => {
            for (chunk, _) in song.chunks.iter().filter(|(_, chunk)| chunk.is_track()) {
                let (from, to) = song.asked(span.as_ref(), chunk)?;
                let mut here = Vec::new();
                song.starting(chunk, from, to, &mut here);
                here.retain(|(_, row)| song.track_of(*row).is_none());
                rows.append(&mut here);
            }
            false
        }
        Parts::Rows(found) => {
            for row in found {
                let Some((chunk, at)) = song.starts(row) else {
                    continue;
                };
                let (from, to) = song.asked(span.as_ref(), chunk)?;
                let key = song.key_of(row).filter(|_| (from..to).contains(&at));
                rows.extend(key.map(|key| (key, row)));
            }
            true
        }
    };
    rows.sort_unstable_by_key(|(key, _)| (key.tick, key.chunk, key.pos, key.seq));
    let lines = rows.into_iter();
    Ok(Listing::lines(
        lines.len(),
        lines.map(move |(_, row)| line(song, row, several)),
    ))
}
