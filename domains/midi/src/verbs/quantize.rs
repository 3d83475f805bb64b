//! `quantize`

use fcp::prelude::*;

use crate::model::{Chunk, Note, Song};
use crate::phrase::warped;
use crate::transform::{self, exact, tick};
use crate::values::{Dur, Frac};

/// Move notes to the nearest lines of a grid, or part of the way there.
///
/// ```fcp
/// # track add Keys
/// # note Keys C4 at:1.1.20 dur:e
/// # note Keys E4 at:1.1+e dur:e
/// quantize @track:Keys grid:e
/// > @ Quantized 2 notes on Keys to e (1 moved)
/// quantize @track:Keys grid:e swing:66
/// > @ Quantized 2 notes on Keys to e, swing 66 (1 moved)
/// quantize @track:Keys grid:e strength:50
/// > @ Quantized 2 notes on Keys to e, strength 50 (1 moved)
/// ```
#[fcp_verb(category = "Shape")]
pub fn quantize(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// How far apart the lines are; a sixteenth if left out.
    grid: Option<Spanned<Dur>>,
    /// How much of the way they go, in per cent.
    #[fcp(default = Int::clamped(100))]
    strength: Int<1, 100>,
    /// Where every second line stands, in per cent of two.
    #[fcp(default = Int::clamped(50))]
    swing: Int<50, 80>,
    /// Ends move to lines too.
    #[fcp(default = Switch(false))]
    ends: Switch,
) -> Result<Reply> {
    let rows = transform::chosen(song, &notes)?;
    let sixteenth = Frac::new(song.ppqn().into(), 4).unwrap_or(Frac::whole(1));
    // Notes come in the order they start, so most are in the bar of the one before.
    let mut known: Option<(Id<Chunk>, u64, Lines)> = None;
    let mut line = |note: &Note, at: u64| -> Result<u64> {
        if let Some((chunk, base, lines)) = &known
            && *chunk == note.chunk
            && *base <= at
            && lines.limit.is_some_and(|limit| at < limit)
        {
            return Ok(lines.nearest(at));
        }
        let bars = song.bars(note.chunk);
        let (base, limit) = if song.has_bars() {
            let bar = bars.place(at).bar;
            (bars.bar(bar), Some(bars.bar(bar + 1)))
        } else {
            (0, None)
        };
        let apart = match &grid {
            Some(grid) => grid
                .get()
                .exact(&song.clock(note.chunk), exact(base))
                .map_err(|error| grid.wrong(error))?,
            None => sixteenth,
        };
        let lines = Lines::new(base, limit, apart, swing.get());
        let nearest = lines.nearest(at);
        known = Some((note.chunk, base, lines));
        Ok(nearest)
    };
    let part = Frac::new(strength.get().into(), 100).unwrap_or(Frac::whole(1));
    let toward = |from: u64, to: u64| {
        if strength.get() == 100 {
            return to;
        }
        let way = exact(to).minus(exact(from)).and_then(|way| way.times(part));
        way.and_then(|way| exact(from).plus(way)).map_or(to, tick)
    };
    let mut targets = Vec::with_capacity(rows.len());
    for (id, note) in &rows {
        let at = toward(note.at, line(note, note.at)?);
        let mut after = Note { at, ..note.clone() };
        if let (true, Some(dur)) = (ends.0, note.dur) {
            let end = note.at + dur;
            let end = toward(end, line(note, end)?);
            after.dur = Some(end.saturating_sub(at).max(1));
        }
        if after != *note {
            targets.push((*id, after));
        }
    }
    let moved = targets.len();
    let told = transform::told(song, &rows);
    if moved == 0 {
        return Ok(unchanged!("{told} stand on the grid already"));
    }
    let overlaps = song.change_notes(targets)?;
    let shown = grid.map_or_else(|| "s".to_owned(), |grid| grid.get().to_string());
    let mut how = String::new();
    if swing.get() != 50 {
        how.push_str(&format!(", swing {swing}"));
    }
    if strength.get() != 100 {
        how.push_str(&format!(", strength {strength}"));
    }
    Ok(bulk!(
        "Quantized {told} to {shown}{how}{}",
        overlaps.told_with(vec![format!("{moved} moved")])
    ))
}

/// The most lines of a bar that are kept.
const MOST: i64 = 1024;

/// The lines of a grid from a barline to the next, or without end.
struct Lines {
    base: u64,
    limit: Option<u64>,
    apart: Frac,
    swing: i64,
    /// All of them with the next barline, if they are not too many.
    all: Option<Vec<u64>>,
}

impl Lines {
    fn new(base: u64, limit: Option<u64>, apart: Frac, swing: i64) -> Self {
        let mut lines = Self {
            base,
            limit,
            apart,
            swing,
            all: None,
        };
        let count = limit.and_then(|limit| Some(exact(limit - base).over(apart)?.floor()));
        if let Some(count) = count.filter(|count| *count < MOST) {
            let mut all = lines.some(0..=count + 1);
            all.sort_unstable();
            all.dedup();
            lines.all = Some(all);
        }
        lines
    }

    /// Some lines, by their numbers, and the next barline: a bar that ends between two lines begins a line anew.
    fn some(&self, numbers: std::ops::RangeInclusive<i64>) -> Vec<u64> {
        let (from, pair) = (exact(self.base), self.apart.times(Frac::whole(2)));
        let lines = numbers.filter(|n| *n >= 0).filter_map(|n| {
            let plain = from.plus(self.apart.times(Frac::whole(n))?)?;
            warped(plain, from, pair?, self.swing).map(tick)
        });
        let lines = lines.filter(|line| self.limit.is_none_or(|limit| *line < limit));
        lines.chain(self.limit).collect()
    }

    fn nearest(&self, at: u64) -> u64 {
        match &self.all {
            Some(all) => {
                let after = all.partition_point(|line| *line < at);
                let both = [after.checked_sub(1), Some(after)].into_iter().flatten();
                let both = both.filter_map(|ix| all.get(ix).copied());
                nearer(both, at)
            }
            None => {
                let count = exact(at - self.base).over(self.apart);
                let count = count.map_or(0, Frac::floor);
                nearer(self.some(count - 1..=count + 2).into_iter(), at)
            }
        }
    }
}

/// The line that is nearest to a tick; of two as near, the earlier.
fn nearer(lines: impl Iterator<Item = u64>, at: u64) -> u64 {
    let nearest = lines.min_by_key(|line| (line.abs_diff(at), *line));
    nearest.unwrap_or(at)
}
