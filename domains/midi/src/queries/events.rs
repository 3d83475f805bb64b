//! `events`

use std::collections::HashMap;

use fcp::prelude::*;

use crate::display::row_list::{Listed, Naming, of_song, of_track};
use crate::model::{Chunk, Song};
use crate::resolve::query_scope::QueryScope;
use crate::values::Span;

/// Show the rows of tracks or of the song, in file order, one track after the other.
///
/// Of several tracks, each is named at its first row.
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
/// > 1.1 C5 q v100 Piano #8
/// # track add Bass instrument:bass
/// # note Bass A1,E2 at:2.1
/// ? events * 2
/// > 2.2.10 E5 100 v80 Piano #9
/// > 2.1 A1 q v80 Bass #14
/// > 2.1 E2 q v80 #15
/// ```
#[fcp_query]
pub fn events(
    song: &Song,
    /// The tracks: a name, several between commas, or `*`; or `song`, or selectors.
    #[fcp(positional)]
    tracks: QueryScope,
    /// Bars, beats or ticks, both ends included.
    #[fcp(positional, key = "range")]
    span: Option<Spanned<Span>>,
) -> Result<Listing<'_>> {
    let mut asked = Vec::new();
    let chunks: Vec<Id<Chunk>> = match &tracks {
        QueryScope::Tracks(tracks) => tracks
            .iter()
            .map(|id| Ok(song.tracks.need(*id)?.chunk))
            .collect::<Result<_>>()?,
        QueryScope::Song | QueryScope::Rows(_) => {
            song.chunks.iter().map(|(chunk, _)| chunk).collect()
        }
    };
    for chunk in &chunks {
        asked.push((*chunk, song.asked(span.as_ref(), *chunk)?));
    }
    Ok(match tracks {
        QueryScope::Tracks(tracks) => {
            let naming = match tracks.len() {
                1 => Naming::Never,
                _ => Naming::Changes,
            };
            let asked = tracks.into_iter().zip(asked);
            let rows = asked.flat_map(|(id, (chunk, span))| of_track(song, id, chunk, span));
            Listed::new(song, naming, rows)
        }
        QueryScope::Song => Listed::new(song, Naming::Never, of_song(song, asked.into_iter())),
        QueryScope::Rows(found) => {
            let asked: HashMap<_, _> = asked.into_iter().collect();
            let inside = |row: &Row| {
                let (chunk, at) = song.starts(*row)?;
                let (from, to) = asked.get(&chunk)?;
                (*from..*to).contains(&at).then_some(())
            };
            let here = found.iter().filter(|row| inside(row).is_some());
            Listed::picked(song, Naming::Changes, here).asked_by(found.clauses())
        }
    }
    .listing())
}
