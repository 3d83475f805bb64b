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

/// Notes that are to be copied or repeated.
pub struct Picked {
    /// The notes.
    pub rows: Vec<Note>,
    /// The one that starts first.
    pub first: Note,
    /// Where what is copied begins, in ticks: where `@range` does, else the first of the notes.
    pub anchor: u64,
    /// How far apart copies of the whole are, in ticks.
    pub period: u64,
}

/// The notes that a verb is to copy.
///
/// # Errors
/// There are none, or the file holds patterns, which have bars of their own, and they stand in several.
pub fn picked(song: &Song, notes: &Selection<Note>, verb: &str) -> Result<Picked> {
    let rows = notes.iter().filter_map(|id| song.notes.get(id).cloned());
    let rows: Vec<Note> = rows.collect();
    let Some(first) = rows.iter().min_by_key(|note| note.at).cloned() else {
        bail!("there are no notes to {verb}")
    };
    if song.is_patterns() && rows.iter().any(|note| note.chunk != first.chunk) {
        bail!("patterns have bars of their own, so {verb} takes the notes of one track at a time");
    }
    let (anchor, period) = span(song, notes, &rows);
    Ok(Picked {
        rows,
        first,
        anchor,
        period,
    })
}

/// The anchor, and how far apart copies of the whole are: the length of `@range`, else whole bars.
fn span(song: &Song, notes: &Selection<Note>, rows: &[Note]) -> (u64, u64) {
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
