//! `@section`

use fcp::prelude::*;

use crate::model::{Chunk, Marker, Song};

/// Rows that start in a section: from a marker to the next one, or to the end.
///
/// # Errors
/// The marker is gone.
#[fcp_selector]
pub fn section(song: &Song, marker: Ref<Marker>) -> Result<Pick<'_>, ValueError> {
    let Some(row) = song.markers.get(marker.id()) else {
        return Err(ValueError::sentence("the marker is gone"));
    };
    // The last section includes everything after the last note.
    let end = song.next_marker(row.at, row.chunk).unwrap_or(u64::MAX);
    let chunks = song.chunks.iter().filter(|(_, chunk)| chunk.is_track());
    let here = |id: &Id<Chunk>| !song.is_patterns() || *id == row.chunk;
    let chunks: Vec<Id<Chunk>> = chunks.map(|(id, _)| id).filter(here).collect();
    let mut rows = Vec::new();
    for chunk in chunks {
        song.starting(chunk, row.at, end, &mut rows);
    }
    Ok(Pick::Rows(rows.into_iter().map(|(_, row)| row).collect()))
}
