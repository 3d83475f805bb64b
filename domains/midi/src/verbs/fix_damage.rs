//! `fix damage`

use std::collections::BTreeSet;

use fcp::prelude::*;

use crate::model::{Chunk, Song};
use crate::resolve::any_rows::AnyRows;
use crate::smf::{Bytes, End};

/// Drop unreadable bytes of damaged tracks, so that they can be edited.
///
/// ```fcp
/// fix damage
/// > = no track is damaged
/// ```
#[fcp_verb(category = "Song", deletes)]
pub fn fix_damage(
    song: &mut Song,
    /// The tracks, or rows of them; all if left out.
    #[fcp(positional)]
    rows: Option<AnyRows>,
) -> Result<Reply> {
    let chosen = rows.as_ref().map(|rows| {
        let chunks = rows.0.iter().filter_map(|row| song.chunk_of(row));
        chunks.collect::<BTreeSet<Id<Chunk>>>()
    });
    let damaged: Vec<Id<Chunk>> = song
        .chunks
        .iter()
        .filter(|(_, chunk)| chunk.fault.is_some())
        .map(|(id, _)| id)
        .filter(|id| chosen.as_ref().is_none_or(|chosen| chosen.contains(id)))
        .collect();
    if damaged.is_empty() {
        let which = if rows.is_some() { "of these " } else { "" };
        return Ok(unchanged!("no track {which}is damaged"));
    }
    let mut dropped = 0;
    for id in &damaged {
        dropped += song.chunks.need(*id)?.tail.len();
        let tick = song.last_tick(*id);
        song.chunks.modify(*id, |chunk| {
            chunk.tail = Bytes::default();
            chunk.fault = None;
            chunk.claim = None;
            chunk.end.get_or_insert_with(|| End::at(tick));
        });
    }
    let tracks = if damaged.len() == 1 {
        "track"
    } else {
        "tracks"
    };
    Ok(removed!(
        "Dropped {dropped} bytes that could not be read from {} {tracks}",
        damaged.len()
    ))
}
