//! Whole bars: their chunks, their ends, and the rows that move with them.

use fcp::prelude::*;

use crate::model::{Chunk, Key, Lyric, Marker, Note, Song, Track, part};
use crate::values::{Base, Pos, Span};

/// Kinds of rows that are part of the music even at its start; others there set up the song.
pub const STARTS: [usize; 3] = [part::<Note>(), part::<Lyric>(), part::<Marker>()];

/// All track chunks with the same bars: all of a song, one of a pattern.
///
/// # Errors
/// A chunk is damaged, the file has no bars, or no pattern is named in a file of patterns.
pub fn chunks(song: &mut Song, on: Option<&Spanned<Ref<Track>>>) -> Result<Vec<Id<Chunk>>> {
    if !song.has_bars() {
        bail!("this file counts SMPTE frames, so it has no bars");
    }
    let pattern = song.scored(on)?;
    song.conductor();
    let tracks = song.chunks.iter().filter(|(_, chunk)| chunk.is_track());
    let chunks = tracks.map(|(id, _)| id);
    let chunks: Vec<Id<Chunk>> = match pattern {
        Some(pattern) => vec![pattern],
        None => chunks.collect(),
    };
    for chunk in &chunks {
        song.writable(*chunk)?;
    }
    Ok(chunks)
}

/// The chunk whose bars count.
#[must_use]
pub fn home(chunks: &[Id<Chunk>]) -> Id<Chunk> {
    chunks.first().copied().unwrap_or(Id::new(0))
}

/// Rejects a place that is not a barline.
///
/// # Errors
/// It is inside a bar.
fn on_line(song: &Song, chunk: Id<Chunk>, at: &Spanned<Pos>, tick: u64) -> Result<()> {
    if song.on_barline(chunk, tick) {
        return Ok(());
    }
    let bars = song.bars(chunk);
    let bar = bars.place(tick).bar;
    let next = bars.bar(bar + 1);
    let near = bar + u64::from(next - tick <= tick - bars.bar(bar));
    Err(at.wrong(ValueError::new("is inside a bar").fix(format!("{near}.1"))))
}

/// Whether a span is whole bars of one meter in which no row starts that would move with them, so
/// that moving them changes nothing.
#[must_use]
pub fn is_empty(song: &Song, chunks: &[Id<Chunk>], (from, to): (u64, u64)) -> bool {
    let bar = song.bars(home(chunks)).at(from).bar_ticks();
    (to - from).is_multiple_of(bar) && !moves(song, chunks, (from, to))
}

/// Whether any row starts between two ticks that would move with its time; rows that set up the
/// song at its start do not.
#[must_use]
pub fn moves(song: &Song, chunks: &[Id<Chunk>], (from, to): (u64, u64)) -> bool {
    let mut rows = Vec::new();
    for chunk in chunks {
        song.starting(*chunk, from, to, &mut rows);
    }
    let moves = |(key, row): &(Key, Row)| key.tick > 0 || STARTS.contains(&row.part());
    rows.iter().any(moves)
}

/// The ticks of whole bars: the first inside, and the first after them.
///
/// # Errors
/// The span is invalid here, or does not begin and end with a bar.
pub fn whole_bars(song: &Song, chunk: Id<Chunk>, span: &Spanned<Span>) -> Result<(u64, u64)> {
    let (from, to) = song
        .span_time(span.get(), chunk)
        .map_err(|error| span.wrong(error))?;
    let bars = song.bars(chunk);
    // The last section ends with its last note, but counts as whole bars.
    let is_section = span.get().whole_name().is_some();
    let (first, last) = (
        bars.place(from).bar,
        bars.place(to.saturating_sub(1).max(from)).bar,
    );
    let whole = bars.bar(last + 1);
    let ends = to == whole || is_section;
    if bars.bar(first) != from || !ends {
        let error = ValueError::new("is not a span of whole bars");
        return Err(span.wrong(error.fix(format!("{first}-{last}"))));
    }
    Ok((from, whole))
}

/// `bar 5`, `bars 5-8`
#[must_use]
pub fn describe_bars(song: &Song, chunk: Id<Chunk>, (from, to): (u64, u64)) -> String {
    let bars = song.bars(chunk);
    let (first, last) = (bars.place(from).bar, bars.place(to - 1).bar);
    if first == last {
        format!("bar {first}")
    } else {
        format!("bars {first}-{last}")
    }
}

/// The tick of a barline. The end of the song means the barline after its last note.
///
/// # Errors
/// The position is invalid here, or is inside a bar.
pub fn barline(song: &Song, chunk: Id<Chunk>, at: &Spanned<Pos>) -> Result<u64> {
    let tick = song.tick(at, chunk, song.pattern(chunk))?;
    if matches!(at.get().base, Base::End) && at.get().shift.is_none() {
        let bars = song.bars(chunk);
        let bar = bars.place(tick).bar;
        let line = bars.bar(bar);
        return Ok(if line == tick {
            tick
        } else {
            bars.bar(bar + 1)
        });
    }
    on_line(song, chunk, at, tick)?;
    Ok(tick)
}
