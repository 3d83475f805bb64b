//! Rescales ticks to a new division or meter.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use fcp::prelude::*;

use crate::model::{Chunk, IsKind, LAST_TICK, Mark, Note, Song};
use crate::time::{DEFAULT_MICROS, Division};
use crate::values::Meter;

/// Result of rescaling.
#[derive(Clone, Copy, Debug, Default)]
pub struct Retimed {
    /// Rows with a tick.
    pub rows: usize,
    /// Rows whose start or end fell between two ticks.
    pub rounded: usize,
    /// Notes whose length is now zero.
    pub emptied: usize,
}

/// A tick, and the place among its events.
type Place = (u64, u32, u32);

/// A smaller fraction of a tick comes from rounding seconds, not from rescaling ticks.
const EXACT: f64 = 1e-6;

/// A scale from present ticks to another division; by a steady tempo if seconds are kept.
pub enum TickScale {
    /// New ticks, for a number of old ones.
    Ratio(u64, u64),
    /// Ticks per second at a steady tempo.
    Seconds(f64),
}

impl TickScale {
    /// The nearest new tick, and whether it was rounded.
    fn moved(&self, song: &Song, chunk: Id<Chunk>, tick: u64) -> (u64, bool) {
        match self {
            Self::Ratio(new, old) => {
                let scaled = u128::from(tick) * u128::from(*new);
                let old = u128::from((*old).max(1));
                let near = (scaled + old / 2) / old;
                let near = u64::try_from(near).unwrap_or(u64::MAX);
                (near, !scaled.is_multiple_of(old))
            }
            Self::Seconds(rate) => {
                let exact = song.seconds(chunk, tick) * rate;
                let near = exact.round().clamp(0.0, 1e18);
                // Clamped to the range.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let whole = near as u64;
                (whole, (exact - near).abs() > EXACT)
            }
        }
    }
}

/// The scale to another division with the same bars; a file without bars gets bars at 120 bpm.
#[must_use]
pub fn to_division(song: &Song, ppqn: u16) -> TickScale {
    match song.division() {
        Division::Quarter(old) => TickScale::Ratio(ppqn.into(), old.into()),
        Division::Second(_) => {
            TickScale::Seconds(f64::from(ppqn) * 1e6 / f64::from(DEFAULT_MICROS))
        }
    }
}

/// Rejects a number of ticks per quarter that would split a beat of a meter. A meter whose beat is
/// split already is ignored.
///
/// # Errors
/// There is such a meter; the repair is the nearest division that suits all.
pub fn whole_beats(song: &Song, ppqn: u32) -> Result<(), ValueError> {
    let here = song.has_bars().then(|| song.ppqn());
    let meters = song.meters.iter().map(|(_, row)| row);
    let kept = meters.filter_map(|row| {
        let meter = Meter::from_meta(row.beats, row.power).filter(|_| row.power <= 6)?;
        here.is_none_or(|here| meter.fits(here).is_ok())
            .then_some(meter)
    });
    let Some(finest) = kept.max_by_key(|meter| meter.denominator()) else {
        return Ok(());
    };
    if finest.fits(ppqn).is_ok() {
        return Ok(());
    }
    // The finer of two equally near.
    let near = (24..=32_767).filter(|other| finest.fits(*other).is_ok());
    let near = near.min_by_key(|other| (other.abs_diff(ppqn), Reverse(*other)));
    let problem = format!("gives a beat of {finest} fractional ticks");
    Err(ValueError::new(problem).maybe_fix(near.map(|near: u32| near.to_string())))
}

/// Moves every row of every chunk.
///
/// # Errors
/// A chunk is damaged, or a row would be after the last tick.
pub fn apply(song: &mut Song, scale: &TickScale) -> Result<Retimed> {
    let mut retimed = Retimed::default();
    let chunks: Vec<_> = song
        .chunks
        .iter()
        .filter(|(_, chunk)| chunk.is_track())
        .map(|(id, _)| id)
        .collect();
    let (mut moves, mut ends) = (Vec::new(), Vec::new());
    let mut between: HashSet<Row> = HashSet::new();
    for chunk in &chunks {
        song.writable(*chunk)?;
        let mut spots = Vec::new();
        for (part, timeline) in song.timelines() {
            let own = timeline.range(*chunk, 0, u64::MAX);
            spots.extend(own.map(|(key, spot)| (key, Row::new(part, spot.id), spot.off)));
        }
        crate::model::limits::timely(song, spots.len())?;
        spots.sort_unstable_by_key(|(key, ..)| *key);
        // Rows stay in order if two ticks become one.
        let mut last = (0, 0, 0);
        for (key, row, off) in spots {
            let (tick, rounded) = scale.moved(song, *chunk, key.tick);
            if tick > LAST_TICK.max(key.tick) {
                bail!("that would move events beyond tick {LAST_TICK}, the last one of a file");
            }
            let mut place = (tick, key.pos, key.seq);
            if place <= last {
                place = (tick, last.1, last.2 + 1);
            }
            last = place;
            retimed.rows += usize::from(!off);
            if rounded {
                between.insert(row);
            }
            moves.push((row, off, place));
        }
        if let Some(end) = song.chunks.need(*chunk)?.end.as_ref() {
            let tick = scale.moved(song, *chunk, end.tick).0;
            ends.push((*chunk, tick));
        }
    }
    let first = song.first_chunk().unwrap_or(Id::new(0));
    let cursors: Vec<(u32, u64)> = song
        .cursors
        .0
        .iter()
        .map(|(track, at)| (*track, *at))
        .collect();
    let cursors: Vec<(u32, u64)> = cursors
        .into_iter()
        .map(|(track, at)| (track, scale.moved(song, first, at).0))
        .collect();
    retimed.rounded = between.len();
    // Both ends of a note move at once: a half-moved note would be in the way of others.
    let mut starts: HashMap<Id<Note>, Place> = HashMap::new();
    for (row, off, place) in moves {
        if !row.is::<Note>() {
            song.set_place(row, place);
            continue;
        }
        let id: Id<Note> = row.of();
        let stuck = song.notes.need(id)?.dur.is_none();
        match (off, starts.remove(&id)) {
            (false, _) if !stuck => {
                starts.insert(id, place);
            }
            (false, _) => put(song, id, place, None),
            (true, start) => {
                let before = song.notes.need(id)?.dur;
                put(song, id, start.unwrap_or_default(), Some(place));
                let emptied = before != Some(0) && song.notes.need(id)?.dur == Some(0);
                retimed.emptied += usize::from(emptied);
            }
        }
    }
    for (chunk, tick) in ends {
        song.chunks.modify(chunk, |chunk| {
            if let Some(end) = chunk.end.as_mut() {
                end.tick = tick;
            }
        });
    }
    if !cursors.is_empty() {
        song.cursors.modify(|slot| slot.0.extend(cursors));
    }
    Ok(retimed)
}

/// Moves both ends of a note.
fn put(song: &mut Song, id: Id<Note>, on: Place, off: Option<Place>) {
    let placed = |mark: Mark, (_, pos, seq): Place| Mark { pos, seq, ..mark };
    song.notes.modify(id, |note| {
        note.at = on.0;
        note.on_mark = placed(note.on_mark, on);
        if let Some(off) = off {
            note.dur = Some(off.0.saturating_sub(on.0));
            note.off_mark = placed(note.off_mark, off);
        }
    });
}
