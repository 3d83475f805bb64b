//! What copies and repetitions share: where they start, and how far apart they are.

use fcp::prelude::*;

use crate::model::{Chunk, Note, Song};
use crate::values::Span;

/// The most notes that one op makes.
const MOST: u64 = 1_000_000;

/// Refuses to make too many notes.
///
/// # Errors
/// There would be more than 1,000,000.
pub fn bounded(notes: usize, times: u64) -> Result<()> {
    let all = (notes as u64).saturating_mul(times);
    if all > MOST {
        bail!("that would be {all} notes; an op makes at most 1,000,000");
    }
    Ok(())
}

/// The anchor, and how far apart copies of the whole are: the length of `@range`, else whole bars.
pub fn span(song: &Song, notes: &Selection<Note>, rows: &[Note]) -> (u64, u64) {
    let chunk = rows.first().map_or(Id::new(0), |note| note.chunk);
    let range = notes
        .clauses()
        .iter()
        .find(|clause| matches!(&*clause.name, "range" | "bar") && !clause.negated);
    if let Some((from, to)) = range.and_then(|clause| {
        let span = Span::parse(&clause.value).ok()?;
        song.span_ticks(&span, chunk).ok()
    }) {
        return (from, (to - from).max(1));
    }
    let from = rows.iter().map(|note| note.at).min().unwrap_or(0);
    let to = rows
        .iter()
        .map(|note| note.at + note.dur.unwrap_or(0))
        .max()
        .unwrap_or(from)
        .max(from + 1);
    let bars = song.bars(chunk);
    let first = bars.bar(bars.place(from).bar);
    let last = bars.place(to - 1).bar;
    (from, bars.bar(last + 1) - first)
}

/// Refuses notes whose bars are not the same ones.
///
/// # Errors
/// The file holds patterns, and they stand in several.
pub fn alike(song: &Song, rows: &[Note], verb: &str) -> Result<()> {
    let mut chunks = rows.iter().map(|note| note.chunk);
    let first = chunks.next();
    if song.is_patterns() && chunks.any(|chunk| Some(chunk) != first) {
        bail!("patterns have bars of their own, so {verb} takes the notes of one track at a time");
    }
    Ok(())
}

/// How long a period is: in bars where it is some, else in ticks.
pub fn told(song: &Song, chunk: Id<Chunk>, from: u64, period: u64) -> String {
    if song.has_bars() {
        let bars = song.bars(chunk);
        let (first, next) = (bars.place(from), bars.place(from + period));
        if (first.beat, first.tick) == (next.beat, next.tick) && next.bar > first.bar {
            let n = next.bar - first.bar;
            return format!("{n} {}", if n == 1 { "bar" } else { "bars" });
        }
    }
    format!("{period} ticks")
}
