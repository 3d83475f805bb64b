//! Whole bars that come and go, with all that stands behind them.

use std::cmp::Reverse;
use std::collections::HashMap;

use fcp::prelude::*;

use crate::edit::bars::chase::{self, ChasedState, Gone};
use crate::edit::bars::seam_reply::Carried;
use crate::edit::bars::time_shift::{RemovedSpan, TimeShift, clear, shift};
use crate::edit::bars::whole_bars::{STARTS, home};
use crate::edit::rows::copy;
use crate::model::{Chunk, ControlChange, NewNote, Note, Overlaps, Song, part};
use crate::values::{Frac, Times};

/// How copies of bars come to where they go.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
#[fcp(name = "MODE")]
pub enum CopyMode {
    /// What stands there moves on.
    Insert,
    /// What stands there goes.
    Over,
    /// Notes are added to what stands there.
    Mix,
}

/// What was copied.
#[derive(Clone, Debug, Default)]
pub struct Copied {
    /// The rows that it was copied from.
    pub rows: Vec<Row>,
    /// What is set at the seams, so that the copy and what follows sound as before.
    pub carried: Vec<Carried>,
    /// What set up the song at its start, and gave way to the copy.
    pub replaced: String,
    /// What stood where it went, and gave way.
    pub over: RemovedSpan,
    /// What became of notes in the way.
    pub overlaps: Overlaps,
}

/// Copies the time between two ticks, the second not included, to a barline, once or more one behind the other.
///
/// # Errors
/// Something would land beyond the last tick, or there would be too many rows.
pub fn copy(
    song: &mut Song,
    chunks: &[Id<Chunk>],
    (from, to): (u64, u64),
    at: u64,
    (mode, times): (CopyMode, Option<&Spanned<Times>>),
) -> Result<Copied> {
    let length = to - from;
    let source = source(song, chunks, (from, to), mode)?;
    // What stands there moves on.
    let last = chunks.iter().map(|chunk| song.last_tick(*chunk)).max();
    let last = last.filter(|last| mode == CopyMode::Insert && *last > at);
    let once = last.unwrap_or(at).saturating_add(length);
    let rows = source.notes.len() + source.others.len();
    let times = copy::times(song, times, rows, (once, Frac::of_tick(length)))?;
    let end = at + length * times;
    if mode == CopyMode::Over && at < to && from < end {
        bail!("the copy would go over the bars that are copied");
    }
    let entering = ChasedState::entering(song, chunks, from);
    let follows = if mode == CopyMode::Over { end } else { at };
    let following = ChasedState::entering(song, chunks, follows);
    // Where the first bar begins that is behind all copies, and the meter there. Copies that take the place of other bars
    // may end inside one.
    let barred = match mode {
        CopyMode::Over => {
            let line = next_line(song, home(chunks), end);
            (line, ChasedState::entering(song, chunks, line))
        }
        _ => (end, following.clone()),
    };
    // What sets up the song is not copied.
    let coming = match from {
        0 => Vec::new(),
        from => chase::set_at(song, chunks, from),
    };
    let mut copied = Copied {
        rows: source.rows.clone(),
        ..Copied::default()
    };
    let (mut same, mut gone) = (HashMap::new(), Gone::default());
    match mode {
        CopyMode::Insert => {
            shift(song, chunks, TimeShift { from: at, to: end })?;
        }
        CopyMode::Over => {
            same = standing(song, chunks, &source, (at, end), length);
            let kept = same.values().copied().collect();
            let (cut, ends) = clear(song, chunks, (at, end), false, &kept)?;
            let mut ending = Vec::with_capacity(ends.len());
            for (id, end) in ends {
                let note = song.notes.need(id)?.clone();
                let dur = end.checked_sub(note.at);
                ending.push((id, Note { dur, ..note }));
            }
            song.mend_notes(ending)?;
            copied.over = cut;
        }
        CopyMode::Mix => {}
    }
    for time in 0..times {
        let start = at + length * time;
        if mode != CopyMode::Mix {
            let told = entering.restate_by(song, chunks, start, &coming, &mut gone)?;
            copied.carried.extend(told);
            let told = entering.begin_bar(song, chunks, start, &coming)?;
            copied.carried.extend(told);
            if start == 0 {
                // What comes and is there already stays.
                let giving = chase::giving_way(song, chunks, &coming);
                let mut here = standing(song, chunks, &source, (0, 1), length);
                here.retain(|_, own| giving.contains(own));
                same.extend(here);
                let kept = same.values().copied().collect();
                let given = chase::give_way(song, chunks, &coming, &kept)?;
                copied.replaced.clone_from(&given.told);
                gone.join(given);
            }
        }
        for (row, offset, chunk) in &source.others {
            if !same.contains_key(&(*row, time)) {
                song.copy_to(*row, *chunk, start + offset, None)?;
            }
        }
        let notes = source.rows.iter().zip(&source.notes);
        let notes = notes.filter(|(row, _)| !same.contains_key(&(**row, time)));
        let notes = notes.map(|(_, note)| NewNote {
            at: start + note.at,
            ..song.like(note)
        });
        let notes: Vec<NewNote> = notes.collect();
        copied.overlaps.add(song.add_notes(notes)?);
    }
    if mode != CopyMode::Mix {
        copied
            .carried
            .extend(following.restate_by(song, chunks, end, &[], &mut gone)?);
        let (line, meter) = barred;
        copied
            .carried
            .extend(meter.begin_bar(song, chunks, line, &[])?);
    }
    song.relabel_all();
    Ok(copied)
}

/// Rows that stand where copies are to go and say the same as those: they stay as they are. Each by the row that it would
/// be a copy of, and by how many copies come before.
fn standing(
    song: &Song,
    chunks: &[Id<Chunk>],
    source: &Source,
    (at, end): (u64, u64),
    length: u64,
) -> HashMap<(Row, u64), Row> {
    let mut there: HashMap<_, Vec<Row>> = HashMap::new();
    // Control changes that set a parameter do so together, in their order: all of them stay, or none.
    let (mut setting, mut kept) = (0, 0);
    for chunk in chunks {
        let mut rows = Vec::new();
        song.starting(*chunk, at, end, &mut rows);
        rows.sort_unstable_by_key(|(key, _)| Reverse(*key));
        for (key, row) in rows {
            setting += usize::from(sets_parameter(song, row));
            there
                .entry((key.tick, said(song, row)))
                .or_default()
                .push(row);
        }
    }
    let mut same = HashMap::new();
    let notes = source.rows.iter().zip(&source.notes);
    let notes = notes.map(|(row, note)| (*row, note.at));
    let others = source.others.iter();
    let others = others.map(|(row, offset, _)| (*row, *offset));
    for (row, offset) in notes.chain(others) {
        let said = said(song, row);
        let starts = (at..end).step_by(usize::try_from(length).unwrap_or(usize::MAX));
        for (time, start) in (0..).zip(starts).filter(|(_, start)| start + offset < end) {
            let rows = there.get_mut(&(start + offset, said.clone()));
            match rows.and_then(Vec::pop) {
                Some(own) => {
                    kept += usize::from(sets_parameter(song, own));
                    same.insert((row, time), own);
                }
                None if sets_parameter(song, row) => setting = usize::MAX,
                None => {}
            }
        }
    }
    if kept != setting {
        same.retain(|(row, _), _| !sets_parameter(song, *row));
    }
    same
}

/// Whether a row is one of the control changes that set a parameter together.
fn sets_parameter(song: &Song, row: Row) -> bool {
    let control = (row.part() == part::<ControlChange>()).then(|| song.controls.get(row.of()));
    control
        .flatten()
        .is_some_and(|row| matches!(row.number, 6 | 38 | 96..=101))
}

/// The kind of a row and the values of its fields, but for its place.
fn said(song: &Song, row: Row) -> (usize, Vec<Option<String>>) {
    let values = song.rows(row.part()).map(|rows| {
        let fields = rows.shape().fields.iter().enumerate();
        let fields = fields.filter(|(_, field)| !matches!(field.name, "at" | "mark"));
        let value = |ix| {
            rows.field(row.id(), ix)
                .or(rows.reference(row.id(), ix).map(|id| id.to_string()))
        };
        fields.map(|(ix, _)| value(ix)).collect()
    });
    (row.part(), values.unwrap_or_default())
}

/// The first barline from a tick on.
fn next_line(song: &Song, chunk: Id<Chunk>, tick: u64) -> u64 {
    let bars = song.bars(chunk);
    let bar = bars.place(tick).bar;
    match bars.bar(bar) {
        line if line == tick => line,
        _ => bars.bar(bar + 1),
    }
}

/// What is copied: notes and other rows, with where they stand behind the first tick.
struct Source {
    notes: Vec<Note>,
    others: Vec<(Row, u64, Id<Chunk>)>,
    rows: Vec<Row>,
}

/// Gathers what starts between two ticks. What sets up the song at its start is not copied, nor are names.
fn source(
    song: &Song,
    chunks: &[Id<Chunk>],
    (from, to): (u64, u64),
    mode: CopyMode,
) -> Result<Source> {
    let mut source = Source {
        notes: Vec::new(),
        others: Vec::new(),
        rows: Vec::new(),
    };
    for chunk in chunks {
        let mut rows = Vec::new();
        song.starting(*chunk, from, to, &mut rows);
        rows.sort_unstable_by_key(|(key, _)| *key);
        for (key, row) in rows {
            if row.part() == part::<Note>() {
                let mut note = song.notes.need(row.of())?.clone();
                note.at -= from;
                source.notes.push(note);
                source.rows.push(row);
            } else if mode != CopyMode::Mix
                && !song.names_track(row)
                && (key.tick > 0 || STARTS.contains(&row.part()))
            {
                source.others.push((row, key.tick - from, *chunk));
            }
        }
    }
    source
        .others
        .sort_by_key(|(row, offset, chunk)| (*chunk, *offset, row.part()));
    let mut others: Vec<Row> = source.others.iter().map(|other| other.0).collect();
    others.sort_by_key(|row| row.part());
    source.rows.extend(others);
    Ok(source)
}
