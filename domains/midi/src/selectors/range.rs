//! `@range`

use fcp::prelude::*;

use crate::model::{Chunk, Song};
use crate::values::Span;

/// Rows that start between two places, both included.
#[fcp_selector(alias = "bar")]
pub fn range(song: &Song, span: Span) -> Result<Pick<'_>, ValueError> {
    let mut rows = Vec::new();
    let chunks: Vec<Id<Chunk>> = song
        .chunks
        .iter()
        .filter(|(_, chunk)| chunk.is_track())
        .map(|(id, _)| id)
        .collect();
    if chunks.is_empty() {
        song.span_ticks(&span, Id::new(0))?;
    }
    for chunk in chunks {
        let (from, to) = song.span_ticks(&span, chunk)?;
        song.starting(chunk, from, to, &mut rows);
    }
    Ok(Pick::Rows(rows.into_iter().map(|(_, row)| row).collect()))
}
