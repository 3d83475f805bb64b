//! Inserts, deletes and copies whole bars, with everything after them.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use fcp::prelude::*;

use crate::edit::bars::chase::{ChasedState, Gone};
use crate::edit::bars::seam_reply::Carried;
use crate::edit::bars::settings_at_start::{self, Coming};
use crate::edit::bars::time_shift::{RemovedSpan, TimeShift, clear, shift};
use crate::edit::bars::whole_bars::{STARTS, home};
use crate::edit::rows::copy;
use crate::model::{
    Chunk, ControlChange, IsKind, Key, NewNote, Note, Overlaps, Program, Rank, Song, Sources,
    control_rank, part,
};
use crate::values::{Frac, Times};

/// Placement of copied bars.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
#[fcp(name = "MODE")]
pub enum CopyMode {
    /// Moves on what is there.
    Insert,
    /// Replaces what is there.
    Over,
    /// Adds notes to what is there.
    Mix,
}

/// Result of a copy.
#[derive(Clone, Debug, Default)]
pub struct Copied {
    /// The rows that were copied.
    pub rows: Vec<Row>,
    /// Settings written at the seams, so that the copy and the music after it sound as before.
    pub carried: Vec<Carried>,
    /// The rows at the start of the song that the copy replaced.
    pub replaced: String,
    /// The content of the target that was removed.
    pub over: RemovedSpan,
    /// Changes to notes in the way.
    pub overlaps: Overlaps,
}

/// Copies the time between two ticks, the second excluded, to a barline, one or more times in
/// sequence.
///
/// # Errors
/// A row would be after the last tick, or there would be too many rows.
pub fn copy(
    song: &mut Song,
    chunks: &[Id<Chunk>],
    (from, to): (u64, u64),
    at: u64,
    (mode, times): (CopyMode, Option<&Spanned<Times>>),
) -> Result<Copied> {
    let length = to - from;
    let source = source(song, chunks, (from, to), mode)?;
    // The content of the target moves on.
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
    // The first barline after all copies, and the meter there. Copies that replace other bars may
    // end inside one.
    let barred = match mode {
        CopyMode::Over => {
            let line = next_line(song, home(chunks), end);
            (line, ChasedState::entering(song, chunks, line))
        }
        _ => (end, following.clone()),
    };
    // Rows that set up the song are not copied.
    let coming = match from {
        0 => Coming::default(),
        from => settings_at_start::set_at(song, chunks, from),
    };
    let mut copied = Copied {
        rows: source.rows.clone(),
        ..Copied::default()
    };
    let (mut same, mut gone) = (HashMap::new(), Gone::default());
    let mut sources = Sources::default();
    match mode {
        CopyMode::Insert => {
            shift(song, chunks, TimeShift { from: at, to: end })?;
        }
        CopyMode::Over => {
            same = equal_rows(song, chunks, &source, (at, end), length);
            let kept = same.values().copied().collect();
            let (cut, ends) = clear(song, chunks, (at, end), false, &kept)?;
            let mut ending = Vec::with_capacity(ends.len());
            for (id, end) in ends {
                let note = song.notes.need(id)?.clone();
                let dur = end.checked_sub(note.at);
                ending.push((id, Note { dur, ..note }));
            }
            song.change_notes_only(ending)?;
            copied.over = cut;
        }
        CopyMode::Mix => {}
    }
    for time in 0..times {
        let start = at + length * time;
        if mode != CopyMode::Mix {
            if start == 0 {
                // Rows that equal those of the copy stay.
                let giving = settings_at_start::giving_way(song, chunks, &coming);
                let mut here = equal_rows(song, chunks, &source, (0, 1), length);
                here.retain(|_, own| giving.contains(own));
                same.extend(here);
                let kept = same.values().copied().collect();
                let given = settings_at_start::give_way(song, chunks, &coming, &kept)?;
                copied.replaced.clone_from(&given.summary);
                gone.join(given);
            }
            let carried = entering.restate_by(song, chunks, start, &coming, &mut gone)?;
            copied.carried.extend(carried);
            let carried = entering.begin_bar(song, chunks, start, &coming, &gone)?;
            copied.carried.extend(carried);
        }
        for (row, offset, chunk) in &source.others {
            if !same.contains_key(&(*row, time)) {
                let copy = song.copy_to(*row, *chunk, start + offset, None, &mut sources)?;
                if let Some(copy) = copy.filter(|_| source.waiting.contains(row)) {
                    song.put_among(copy, Rank::Program);
                }
            }
        }
        let notes = source.rows.iter().zip(&source.notes);
        let notes = notes.filter(|(row, _)| !same.contains_key(&(**row, time)));
        let notes = notes.map(|(row, note)| {
            let at = start + note.at;
            (
                row.of(),
                NewNote {
                    at,
                    ..song.like(note)
                },
            )
        });
        let notes: Vec<(Id<Note>, NewNote)> = notes.collect();
        copied.overlaps.add(song.add_copies(notes, &mut sources)?);
    }
    if mode != CopyMode::Mix {
        copied.carried.extend(following.restate_by(
            song,
            chunks,
            end,
            &Coming::default(),
            &mut gone,
        )?);
        let (line, meter) = barred;
        copied
            .carried
            .extend(meter.begin_bar(song, chunks, line, &Coming::default(), &gone)?);
    }
    for ((row, _), own) in same {
        sources.add(own, song.places(row));
    }
    song.keep_order(sources);
    song.relabel_all();
    Ok(copied)
}

/// Rows in the target that equal the rows to be copied there, and so stay. The key is the source
/// row and the number of the copy.
fn equal_rows(
    song: &Song,
    chunks: &[Id<Chunk>],
    source: &Source,
    (at, end): (u64, u64),
    length: u64,
) -> HashMap<(Row, u64), Row> {
    let mut there: HashMap<_, Vec<Row>> = HashMap::new();
    // Control changes that set a parameter belong together, in order: all of them stay, or none.
    let (mut setting, mut kept) = (0, 0);
    for chunk in chunks {
        let mut rows = Vec::new();
        song.starting(*chunk, at, end, &mut rows);
        rows.sort_unstable_by_key(|(key, _)| Reverse(*key));
        for (key, row) in rows {
            setting += usize::from(sets_parameter(song, row));
            there
                .entry((key.tick, content(song, row)))
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
        let content = content(song, row);
        let starts = (at..end).step_by(usize::try_from(length).unwrap_or(usize::MAX));
        for (time, start) in (0..).zip(starts).filter(|(_, start)| start + offset < end) {
            let rows = there.get_mut(&(start + offset, content.clone()));
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

/// Whether a row is one of the control changes that together set a parameter.
fn sets_parameter(song: &Song, row: Row) -> bool {
    let control = song.row_as::<ControlChange>(row);
    control.is_some_and(|row| matches!(row.number, 6 | 38 | 96..=101))
}

/// The kind of a row and its values, without its place.
fn content(song: &Song, row: Row) -> (usize, Vec<Option<String>>) {
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

/// The first barline at or after a tick.
fn next_line(song: &Song, chunk: Id<Chunk>, tick: u64) -> u64 {
    let bars = song.bars(chunk);
    let bar = bars.place(tick).bar;
    match bars.bar(bar) {
        line if line == tick => line,
        _ => bars.bar(bar + 1),
    }
}

/// The source of a copy: notes and other rows, with their distance from the first tick.
struct Source {
    notes: Vec<Note>,
    others: Vec<(Row, u64, Id<Chunk>)>,
    rows: Vec<Row>,
    /// Halves of banks that are for a program of a later tick.
    waiting: HashSet<Row>,
}

/// The halves of banks, of rows in the order of the file, that come after a program of their tick
/// or, at the first tick, without one: there the program before them may be restated.
fn waiting(song: &Song, rows: &[(Key, Row)], first: u64) -> Vec<Row> {
    let program = |(key, row): &(Key, Row)| {
        let program = song.row_as::<Program>(*row)?;
        Some((key.tick, program.track, program.channel))
    };
    let all: HashSet<_> = rows.iter().filter_map(program).collect();
    let (mut before, mut waiting) = (HashSet::new(), Vec::new());
    for (key, row) in rows {
        before.extend(program(&(*key, *row)));
        let bank = song.row_as::<ControlChange>(*row);
        if let Some(bank) = bank.filter(|bank| control_rank(bank.number) == Rank::Bank) {
            let own = (key.tick, bank.track, bank.channel);
            if before.contains(&own) || key.tick == first && !all.contains(&own) {
                waiting.push(*row);
            }
        }
    }
    waiting
}

/// Collects the rows that start between two ticks. Names, and rows that set up the song at its
/// start, are not copied.
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
        waiting: HashSet::new(),
    };
    for chunk in chunks {
        let mut rows = Vec::new();
        song.starting(*chunk, from, to, &mut rows);
        rows.sort_unstable_by_key(|(key, _)| *key);
        source.waiting.extend(waiting(song, &rows, from));
        for (key, row) in rows {
            if row.is::<Note>() {
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
    let order = |row: &Row| match source.waiting.contains(row) {
        true => part::<Program>(),
        false => row.part(),
    };
    source
        .others
        .sort_by_key(|(row, offset, chunk)| (*chunk, *offset, order(row)));
    let mut others: Vec<Row> = source.others.iter().map(|other| other.0).collect();
    others.sort_by_key(|row| row.part());
    source.rows.extend(others);
    Ok(source)
}
