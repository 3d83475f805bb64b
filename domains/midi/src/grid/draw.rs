//! Draws notes as rows of steps, which verb `grid` can read.

use std::collections::{BTreeMap, BTreeSet};

use fcp::prelude::*;

use super::parse::{DIGIT, HITS};
use crate::grid::note_grid::{STEPS, is_line};
use crate::model::{Chunk, Note, Song, Track};
use crate::values::{Dur, Frac, StepLength, common_divisor};

/// The velocity of a plain hit of verb `grid`.
const PLAIN: u8 = 96;

/// A grid of steps for notes.
pub struct StepGrid<'m> {
    song: &'m Song,
    track: Id<Track>,
    chunk: Id<Chunk>,
    drums: bool,
    from: u64,
    /// The length of a step.
    pub step: Dur,
    length: Frac,
    /// Number of steps.
    pub steps: u64,
}

impl<'m> StepGrid<'m> {
    /// The steps of a span of a track.
    ///
    /// # Errors
    /// A step is invalid here, or less than a tick.
    pub fn new(
        song: &'m Song,
        track: Id<Track>,
        (from, to): (u64, u64),
        notes: &[&Note],
        step: Option<&Spanned<StepLength>>,
    ) -> Result<Self> {
        let row = song.tracks.need(track)?;
        let chunk = row.chunk;
        let exactly = |dur: &Dur| dur.exact(&song.clock(chunk), Frac::of_tick(from));
        let asked = step.and_then(|step| Some((step, step.get().0.clone()?)));
        let (step, length) = match asked {
            Some((step, dur)) => {
                let length = exactly(&dur).map_err(|error| step.wrong(error))?;
                (dur, length)
            }
            None => {
                // A drum has no audible end, so only its start must be on a line.
                let drums = row.is_drums();
                let ends = notes
                    .iter()
                    .filter(|_| !drums)
                    .filter_map(|note| Some(note.at + note.dur?));
                let edges = notes.iter().map(|note| note.at).chain(ends);
                let edges: Vec<u64> = edges.filter(|tick| (from..=to).contains(tick)).collect();
                suited(song, chunk, from, &edges)?
            }
        };
        if length.round() < 1 {
            bail!("a step has at least a tick"; try: "bars");
        }
        let count = Frac::of_tick(to.saturating_sub(from)).over(length);
        let floor = count.map_or(0, Frac::floor);
        let rest = count != Some(Frac::whole(floor));
        let steps = u64::try_from(floor)
            .unwrap_or(u64::MAX)
            .saturating_add(rest.into());
        let drums = row.is_drums();
        Ok(Self {
            song,
            track,
            chunk,
            drums,
            from,
            step,
            length,
            steps,
        })
    }

    /// The whole bars, from the first of the grid on, that `steps` steps cover.
    #[must_use]
    pub fn bars_of(&self, steps: u64) -> Option<String> {
        if !self.song.has_bars() {
            return None;
        }
        let bars = self.song.bars(self.chunk);
        let first = bars.place(self.from).bar;
        let room = u64::try_from(self.length.times(Frac::of_tick(steps))?.floor()).ok()?;
        // The bar in which the last step ends is not whole.
        let last = bars.place(bars.bar(first).saturating_add(room)).bar;
        let last = last.checked_sub(1).filter(|last| *last >= first)?;
        Some(format!("{first}-{last}"))
    }

    /// The start of a step.
    fn tick(&self, step: u64) -> u64 {
        let at = self
            .length
            .times(Frac::of_tick(step))
            .and_then(|into| Frac::of_tick(self.from).plus(into));
        at.map_or(u64::MAX, Frac::tick)
    }

    /// The step that contains a tick.
    fn step_of(&self, tick: u64) -> u64 {
        let into = Frac::of_tick(tick.saturating_sub(self.from)).over(self.length);
        let near = u64::try_from(into.map_or(0, Frac::floor)).unwrap_or(0);
        // A line between two ticks was rounded.
        if self.tick(near + 1) <= tick {
            near + 1
        } else {
            near
        }
    }

    /// Number of lines that the drawing takes.
    #[must_use]
    pub fn lines(&self, notes: &[&Note]) -> usize {
        let pitches: BTreeSet<_> = notes.iter().map(|note| note.pitch).collect();
        1 + pitches.len().max(1)
    }

    /// The header of the grid, and a row for each pitch.
    #[must_use]
    pub fn draw(&self, notes: &[&Note]) -> Vec<String> {
        let plain = usual(notes);
        let mut rows: BTreeMap<u8, Vec<char>> = BTreeMap::new();
        let steps = usize::try_from(self.steps).unwrap_or(0);
        for note in notes {
            let row = rows
                .entry(note.pitch.get())
                .or_insert_with(|| vec!['.'; steps]);
            let first = self.step_of(note.at.max(self.from));
            let last = match note.dur {
                Some(dur) if !self.drums => self.last_step(note.at + dur),
                _ => first,
            };
            let [start, end] = [first, last].map(|step| usize::try_from(step).unwrap_or(steps));
            // A note without length has only a start.
            let cells = row
                .iter_mut()
                .enumerate()
                .take(end.max(start).saturating_add(1));
            for (ix, cell) in cells.skip(start) {
                if ix == start && note.at >= self.from {
                    *cell = sign(note.velocity.get(), plain);
                } else if *cell == '.' {
                    *cell = '-';
                }
            }
        }
        let name = fcp::op::quote_name(&self.song.name_of_track(self.track)).into_owned();
        let at = self.song.spelled(self.chunk, self.from);
        let loud = if plain == PLAIN {
            String::new()
        } else {
            format!(" vel:{plain}")
        };
        let mut lines = vec![format!("grid {name} at:{at} step:{}{loud}", self.step)];
        let named = |pitch: &u8| {
            crate::values::Pitch::new(*pitch)
                .map_or_else(String::new, |pitch| self.song.pitch_name(self.track, pitch))
        };
        let wide = rows
            .keys()
            .map(|pitch| named(pitch).len())
            .max()
            .unwrap_or(0);
        for (pitch, cells) in rows.iter().rev() {
            let mut line = format!("{:wide$} ", named(pitch));
            for (ix, cell) in (0..).zip(cells) {
                line.push(*cell);
                if self.song.on_barline(self.chunk, self.tick(ix + 1)) {
                    line.push('|');
                }
            }
            lines.push(line);
        }
        if rows.is_empty() {
            lines.push("no notes".to_owned());
        }
        lines
    }

    /// The last step in which a note sounds.
    fn last_step(&self, end: u64) -> u64 {
        let step = self.step_of(end.max(self.from + 1) - 1);
        // A step that begins at the very end does not count.
        if self.tick(step) >= end {
            step.saturating_sub(1)
        } else {
            step
        }
    }
}

/// The most frequent velocity.
fn usual(notes: &[&Note]) -> u8 {
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for note in notes {
        *counts.entry(note.velocity.get()).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .max_by_key(|(velocity, n)| (*n, std::cmp::Reverse(velocity.abs_diff(PLAIN))));
    most.map_or(PLAIN, |(velocity, _)| velocity)
}

/// The sign with the nearest velocity.
fn sign(velocity: u8, plain: u8) -> char {
    let plain = i64::from(plain);
    let hits = HITS.map(|(sign, by)| (sign, (plain + by).clamp(1, 127)));
    let digits = (1..=9).filter_map(|n| {
        let velocity = i64::from(n) * i64::from(DIGIT);
        Some((char::from_digit(n, 10)?, velocity))
    });
    let signs = hits.into_iter().chain(digits);
    let near = signs.min_by_key(|(_, own)| own.abs_diff(i64::from(velocity)));
    near.map_or('x', |(sign, _)| sign)
}

/// The longest step whose lines hit all ticks; if no note value fits, the largest number of ticks
/// that divides all.
fn suited(song: &Song, chunk: Id<Chunk>, from: u64, edges: &[u64]) -> Result<(Dur, Frac)> {
    let on_lines = |length: Frac| edges.iter().all(|tick| is_line(tick - from, length));
    let clock = song.clock(chunk);
    if song.has_bars() {
        let values = STEPS.iter().map(|(_, parts)| *parts).chain([48, 64]);
        for dur in values.filter_map(|parts| Dur::note(1, parts)) {
            let length = dur
                .exact(&clock, Frac::of_tick(from))
                .ok()
                .filter(|length| on_lines(*length));
            if let Some(length) = length {
                return Ok((dur, length));
            }
        }
    }
    let divisor = edges
        .iter()
        .fold(0, |divisor, tick| common_divisor(divisor, tick - from));
    let ppqn = song.has_bars().then(|| song.ppqn());
    match Dur::of_ticks(divisor.max(1), ppqn) {
        Some(dur) => {
            let length = Frac::of_tick(divisor.max(1));
            Ok((dur, length))
        }
        None => bail!("these notes are on no grid; give a step"; add: "step:s"),
    }
}
