//! Inserts, removes and moves time, with all rows that start in it.

use std::collections::HashSet;

use fcp::prelude::*;
use fcp::reply::count;
use fcp::work;

use crate::edit::bars::chase::{ChasedState, Gone};
use crate::edit::bars::rearrange::{Ends, Piece, Rearranged, rearrange};
use crate::edit::bars::seam_reply::Carried;
use crate::edit::bars::settings_at_start::{self, Coming};
use crate::edit::bars::whole_bars::STARTS;
use crate::model::{Chunk, IsKind, LAST_TICK, Note, Overlaps, Song};

/// A place where time is inserted or removed.
#[derive(Clone, Copy, Debug)]
pub struct TimeShift {
    /// The first tick that moves.
    pub from: u64,
    /// Its target.
    pub to: u64,
}

impl TimeShift {
    const fn moved(self, tick: u64) -> u64 {
        (tick - self.from).saturating_add(self.to)
    }

    /// The new place of a tick: one inside removed time is at the cut.
    fn place(self, tick: u64) -> u64 {
        match tick {
            tick if tick >= self.from => self.moved(tick),
            tick => tick.min(self.to),
        }
    }
}

/// Moves all rows that start at a seam or after it. Returns the rows that moved.
///
/// Rows that set up tracks at the start of the song stay.
///
/// # Errors
/// A row would be after the last tick.
pub fn shift(song: &mut Song, chunks: &[Id<Chunk>], seam: TimeShift) -> Result<Vec<Row>> {
    shift_ending(song, chunks, seam, &Ends::new()).map(|done| done.rows)
}

/// Moves everything from a seam on, and sets the ends of some notes that start before it.
fn shift_ending(
    song: &mut Song,
    chunks: &[Id<Chunk>],
    seam: TimeShift,
    ends: &Ends,
) -> Result<Rearranged> {
    let mut all = Rearranged::default();
    for chunk in chunks {
        // Each table is searched, even if the chunk is empty.
        work::spend(2)?;
        let last = song.last_tick(*chunk);
        if seam.to > seam.from && last >= seam.from && seam.moved(last) > LAST_TICK {
            bail!("that would move events beyond tick {LAST_TICK}, the last one of a file");
        }
        let piece = Piece {
            from: seam.from,
            to: u64::MAX,
            start: seam.to,
        };
        let done = rearrange(song, *chunk, &[piece], ends)?;
        all.rows.extend(done.rows);
        all.overlaps.add(done.overlaps);
        song.chunks.modify(*chunk, |chunk| {
            if let Some(end) = &mut chunk.end {
                end.tick = seam.place(end.tick);
            }
        });
    }
    song.move_cursors(chunks, |at| seam.place(at));
    Ok(all)
}

/// Result of removing a span of time.
#[derive(Clone, Debug, Default)]
pub struct RemovedSpan {
    /// Notes that started in it.
    pub notes: usize,
    /// Notes that sounded into or across it, and are shorter now.
    pub shortened: usize,
    /// Rows of other kinds that started in it.
    pub others: usize,
    /// Their counts by kind: `2 cc, 1 tempo`.
    pub kinds: String,
    /// The rows that set up the song at its start, where others now take effect.
    pub replaced: String,
    /// Settings written at the seam, so that the music after it sounds as before.
    pub carried: Vec<Carried>,
    /// Notes that were cut because others took their place.
    pub overlaps: Overlaps,
}

impl RemovedSpan {
    /// `3 other rows (2 cc, 1 tempo)`
    #[must_use]
    pub fn others(&self) -> String {
        let others = count(self.others, "other row");
        match self.kinds.as_str() {
            "" => others,
            kinds => format!("{others} ({kinds})"),
        }
    }

    /// `, 3 notes there removed, 1 shortened`: rows removed without being named.
    #[must_use]
    pub fn describe(&self) -> String {
        let gone = count(self.notes, "note");
        let others = self.others();
        let shortened = count(self.shortened, "note");
        let parts = [
            (self.notes, format!(", {gone} there removed")),
            (self.others, format!(", {others} there removed")),
            (self.shortened, format!(", {shortened} shortened")),
        ];
        let parts = parts.into_iter().filter(|(n, _)| *n > 0);
        parts.map(|(_, part)| part).collect()
    }
}

/// Removes rows that start between two ticks, except `kept`, and ends notes that sound into the
/// span at its start. If the span is to be removed (`closes`), notes that sound across it lose its
/// length. Returns the new ends of notes.
pub fn clear(
    song: &mut Song,
    chunks: &[Id<Chunk>],
    (from, to): (u64, u64),
    closes: bool,
    kept: &HashSet<Row>,
) -> Result<(RemovedSpan, Ends)> {
    let mut cut = RemovedSpan::default();
    let mut ends = Ends::new();
    let mut others = Vec::new();
    for chunk in chunks {
        let mut rows = Vec::new();
        song.starting(*chunk, 0, to, &mut rows);
        rows.retain(|(_, row)| !kept.contains(row));
        for (key, row) in rows {
            let inside = key.tick >= from;
            if !row.is::<Note>() {
                // Track names stay, and rows that set up the song at its start.
                let stays = song.names_track(row) || key.tick == 0 && !STARTS.contains(&row.part());
                if inside && !stays {
                    others.push(row);
                } else if inside && key.tick > 0 {
                    song.put(row, *chunk, from);
                }
                continue;
            }
            let note = song.notes.need(row.of())?;
            if inside {
                cut.notes += 1;
                song.remove_row(row)?;
            } else if let Some(end) = note.dur.map(|dur| note.at + dur).filter(|end| *end >= from) {
                let end = match closes {
                    true => without((from, to), end),
                    false => from,
                };
                cut.shortened += usize::from(note.dur != Some(end - note.at));
                ends.insert(row.of(), end);
            }
        }
    }
    others.sort_by_key(|row| row.part());
    cut.others = others.len();
    cut.kinds = song.counted(others.iter().copied());
    for row in others {
        song.remove_row(row)?;
    }
    Ok((cut, ends))
}

/// The end of a note that starts before a span of time, once the span is removed.
fn without((from, to): (u64, u64), end: u64) -> u64 {
    if end < to {
        end.min(from)
    } else {
        end - (to - from)
    }
}

/// Removes the time between two ticks, the second excluded, from a song.
///
/// # Errors
/// A row is gone.
pub fn cut(song: &mut Song, chunks: &[Id<Chunk>], (from, to): (u64, u64)) -> Result<RemovedSpan> {
    let wanted = ChasedState::before(song, chunks, to);
    let coming = settings_at_start::set_at(song, chunks, to);
    let (mut cut, ends) = clear(song, chunks, (from, to), true, &HashSet::new())?;
    if from == 0 {
        cut.replaced = settings_at_start::give_way(song, chunks, &coming, &HashSet::new())?.summary;
    }
    let seam = TimeShift { from: to, to: from };
    cut.overlaps = shift_ending(song, chunks, seam, &ends)?.overlaps;
    cut.carried = wanted.restate(song, chunks, from, &coming)?;
    cut.carried
        .extend(wanted.begin_bar(song, chunks, from, &coming, &Gone::default())?);
    song.relabel_all();
    Ok(cut)
}

/// Result of a move of bars.
#[derive(Clone, Debug, Default)]
pub struct MovedBars {
    /// The rows that started in them.
    pub rows: Vec<Row>,
    /// The rows that set up the song at its start and were replaced by moved ones.
    pub replaced: String,
    /// Notes that sounded into the moved bars, and are shorter now.
    pub shortened: usize,
    /// Settings written at the seams, so that everything sounds as before.
    pub carried: Vec<Carried>,
    /// Notes that were cut because others took their place.
    pub overlaps: Overlaps,
}

/// Moves the time between two ticks, the second excluded, to a tick outside. The time between moves
/// the other way.
///
/// A note that sounded into the bars ends at their old start, and one that sounded across them is
/// shorter by their length; one that sounds across all moved time stays.
///
/// # Errors
/// A chunk is damaged.
pub fn move_bars(
    song: &mut Song,
    chunks: &[Id<Chunk>],
    (from, to): (u64, u64),
    at: u64,
) -> Result<MovedBars> {
    // Two adjacent spans swap places.
    let (first, middle, last) = (from.min(at), if at < from { from } else { to }, to.max(at));
    let seam = first + (last - middle);
    if last > LAST_TICK {
        bail!("that would move events beyond tick {LAST_TICK}, the last one of a file");
    }
    let states = [first, middle, last].map(|tick| ChasedState::entering(song, chunks, tick));
    let [_, coming, _] =
        [first, middle, last].map(|tick| settings_at_start::set_at(song, chunks, tick));
    let mut moved = MovedBars::default();
    let mut gone = Gone::default();
    if first == 0 {
        let given = settings_at_start::give_way(song, chunks, &coming, &HashSet::new())?;
        moved.replaced.clone_from(&given.summary);
        gone.join(given);
        moved.carried = states[1].restate_by(song, chunks, 0, &coming, &mut gone)?;
    }
    let left = Piece {
        from: first,
        to: middle,
        start: seam,
    };
    let right = Piece {
        from: middle,
        to: last,
        start: first,
    };
    for chunk in chunks {
        let mut ends = Ends::new();
        let mut rows = Vec::new();
        song.starting(*chunk, 0, to, &mut rows);
        for (key, row) in rows {
            if key.tick >= from {
                if key.tick > 0 || STARTS.contains(&row.part()) {
                    moved.rows.push(row);
                }
                continue;
            }
            if !row.is::<Note>() {
                continue;
            }
            let note = song.notes.need(row.of())?;
            let old = note.dur.map(|dur| note.at + dur);
            let is_across = |end: &u64| key.tick < first && *end >= last;
            let old = old.filter(|end| *end > from && !is_across(end));
            let end = old.map(|old| (old, without((from, to), old)));
            if let Some((old, end)) = end.filter(|(old, end)| old != end) {
                moved.shortened += usize::from(end < old);
                ends.insert(row.of(), end);
            }
        }
        let done = rearrange(song, *chunk, &[left, right], &ends)?;
        moved.overlaps.add(done.overlaps);
    }
    // Notes first, then other rows by kind.
    moved
        .rows
        .sort_by_key(|row| (!row.is::<Note>(), row.part()));
    let places = [first, seam, last];
    let entering = [&states[1], &states[0], &states[2]];
    for (tick, state) in places.into_iter().zip(entering) {
        if tick > 0 {
            let carried = state.restate_by(song, chunks, tick, &Coming::default(), &mut gone)?;
            moved.carried.extend(carried);
        }
        let carried = state.begin_bar(song, chunks, tick, &Coming::default(), &gone)?;
        moved.carried.extend(carried);
    }
    song.move_cursors(chunks, |tick| match tick {
        _ if first < tick && tick <= middle => tick - first + seam,
        _ if middle < tick && tick <= last => tick - middle + first,
        _ => tick,
    });
    song.relabel_all();
    Ok(moved)
}
