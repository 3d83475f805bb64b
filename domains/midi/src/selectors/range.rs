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
    let (mut is_there, mut missing) = (false, None);
    for chunk in chunks {
        match song.span_ticks(&span, chunk) {
            Ok((from, to)) => {
                is_there = true;
                song.starting(chunk, from, to, &mut rows);
            }
            // Patterns have their own bars and markers: a position missing in one may exist in
            // another.
            Err(error) if song.is_patterns() => missing = missing.or(Some(error)),
            Err(error) => return Err(error),
        }
    }
    match missing.filter(|_| !is_there) {
        Some(error) => Err(error),
        None => Ok(Pick::Rows(rows.into_iter().map(|(_, row)| row).collect())),
    }
}
