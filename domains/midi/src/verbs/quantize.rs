//! `quantize`

use fcp::prelude::*;

use crate::edit::notes::selection::{self, Kept};
use crate::grid::lines::GridLines;
use crate::model::{Chunk, Note, Song};
use crate::values::{Dur, Frac, Percent};

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
/// quantize @track:Keys grid:h ends:on
/// > @ Quantized 2 notes on Keys to h (2 moved, 1 kept at 1 tick)
/// ```
#[fcp_verb(category = "Shape")]
pub fn quantize(
    song: &mut Song,
    /// The notes.
    notes: Selection<Note>,
    /// The distance of the lines; a sixteenth if left out.
    grid: Option<Spanned<Dur>>,
    /// The part of the way to go, in per cent.
    #[fcp(default = Percent::clamped(100))]
    strength: Percent<1, 100>,
    /// Position of every second line, in per cent of two.
    #[fcp(default = Percent::clamped(50))]
    swing: Percent<50, 80>,
    /// Ends move to lines too.
    #[fcp(default = Switch(false))]
    ends: Switch,
) -> Result<Reply> {
    let rows = selection::chosen(song, &notes)?;
    // Notes come in the order they start, so most are in the bar of the previous one.
    let mut known: Option<(Id<Chunk>, GridLines)> = None;
    let mut toward = |note: &Note, at: u64, strength: i64| -> Result<u64> {
        if let Some((chunk, lines)) = &known
            && *chunk == note.chunk
            && lines.hold(at)
        {
            return Ok(lines.toward(at, strength));
        }
        let bars = song.bars(note.chunk);
        let (base, limit) = if song.has_bars() {
            let bar = bars.place(at).bar;
            (bars.bar(bar), Some(bars.bar(bar + 1)))
        } else {
            (0, None)
        };
        let apart = match &grid {
            Some(grid) => song.period(grid, note.chunk, Frac::of_tick(base))?,
            None => song.quarter_in(4),
        };
        let before = known.take().map(|(_, lines)| lines);
        let lines = before
            .and_then(|lines| lines.moved(base, limit, apart))
            .unwrap_or_else(|| GridLines::new(base, limit, apart, swing.get()));
        let there = lines.toward(at, strength);
        known = Some((note.chunk, lines));
        Ok(there)
    };
    let (mut targets, mut kept) = (Vec::new(), Kept::default());
    for (id, note) in &rows {
        let at = toward(note, note.at, strength.get())?;
        let mut dur = note.dur;
        if let (true, Some(dur)) = (ends.0, &mut dur) {
            let end = toward(note, note.at + *dur, strength.get())?;
            *dur = kept.length(end.saturating_sub(at));
        }
        if (at, dur) != (note.at, note.dur) {
            let after = Note {
                at,
                dur,
                ..(*note).clone()
            };
            targets.push((*id, after));
        }
    }
    let moved = targets.len();
    let summary = selection::describe_notes(song, &rows);
    if moved == 0 {
        let mut off = 0_usize;
        for (_, note) in rows.iter().filter(|_| strength.get() < 100) {
            let end = note.dur.filter(|_| ends.0).map(|dur| note.at + dur);
            let mut is_off = false;
            for at in [Some(note.at), end].into_iter().flatten() {
                is_off |= toward(note, at, 100)? != at;
            }
            off += usize::from(is_off);
        }
        if off > 0 {
            return Ok(unchanged!(
                "{summary}: {off} off the grid, but so little that strength {strength} moves none by a tick"
            ));
        }
        return Ok(unchanged!("{summary} are on the grid already"));
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
    let mut counts = vec![format!("{moved} moved")];
    counts.extend(kept.describe());
    Ok(bulk!(
        "Quantized {summary} to {shown}{how}{}",
        overlaps.describe_with(counts)
    ))
}
