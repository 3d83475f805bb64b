//! Grids: the ticks of their lines, and the lines that notes are on.

use fcp::prelude::*;

use crate::model::{Chunk, Song};
use crate::time::MeterMap;
use crate::values::{Dur, Frac};

/// The note values to try as grids, the coarsest first, with their divisor of a whole note.
pub const STEPS: [(&str, u32); 6] = [
    ("q", 4),
    ("e", 8),
    ("e3", 12),
    ("s", 16),
    ("s3", 24),
    ("t", 32),
];

/// The grid lines of a note value.
#[derive(Clone, Debug)]
pub struct NoteGrid {
    length: Dur,
}

impl NoteGrid {
    /// The grid of a length.
    #[must_use]
    pub const fn of(length: Dur) -> Self {
        Self { length }
    }

    /// The grid of a `parts`-th of a whole note.
    #[must_use]
    pub fn part(parts: u32) -> Option<Self> {
        Dur::note(1, parts).map(Self::of)
    }

    /// Its note value as written.
    #[must_use]
    pub fn name(&self) -> String {
        self.length.to_string()
    }

    /// The line nearest to a tick; the earlier of two equally near. Each bar starts the grid again.
    #[must_use]
    pub fn line(&self, song: &Song, chunk: Id<Chunk>, tick: u64) -> Option<u64> {
        self.line_in(song, chunk, &song.bars(chunk), tick, 1)
    }

    /// [`Self::line`] in fractions of a tick, for frequent calls that have the bars at hand.
    #[must_use]
    pub fn line_in(
        &self,
        song: &Song,
        chunk: Id<Chunk>,
        bars: &MeterMap,
        tick: u64,
        parts: u64,
    ) -> Option<u64> {
        let (base, limit) = if song.has_bars() {
            let bar = bars.place(tick).bar;
            (bars.bar(bar), bars.bar(bar + 1))
        } else {
            (0, u64::MAX)
        };
        let apart = self
            .length
            .exact(&song.clock(chunk), Frac::of_tick(base))
            .ok()?;
        let into = Frac::of_tick(tick - base).over(apart)?;
        let lines = (into.floor()..=into.floor() + 1).filter_map(|n| {
            let line = Frac::of_tick(base).plus(apart.times(Frac::whole(n))?)?;
            u64::try_from(line.times(Frac::of_tick(parts))?.round()).ok()
        });
        let (limit, tick) = (limit.saturating_mul(parts), tick.saturating_mul(parts));
        let lines = lines.map(|line| line.min(limit));
        lines.min_by_key(|line| (line.abs_diff(tick), *line))
    }

    /// Ticks between lines at a tick.
    #[must_use]
    pub fn step(&self, song: &Song, chunk: Id<Chunk>, tick: u64) -> u64 {
        self.step_in(song, chunk, tick, 1)
    }

    /// [`Self::step`] in fractions of a tick.
    #[must_use]
    pub fn step_in(&self, song: &Song, chunk: Id<Chunk>, tick: u64, parts: u64) -> u64 {
        let step = self
            .length
            .exact(&song.clock(chunk), Frac::of_tick(tick))
            .ok();
        let step = step.and_then(|step| step.times(Frac::of_tick(parts)));
        let step = step.and_then(|step| u64::try_from(step.round()).ok());
        step.unwrap_or(1).max(1)
    }

    /// Fractions per tick that make every line after the start a whole number.
    #[must_use]
    pub fn parts(&self, song: &Song, chunk: Id<Chunk>) -> u64 {
        let apart = self.length.exact(&song.clock(chunk), Frac::ZERO).ok();
        apart.map_or(1, |apart| apart.den().unsigned_abs())
    }
}

/// Whether a tick, counted from a line, is the nearest to one of the lines that are `apart`.
#[must_use]
pub fn is_line(into: u64, apart: Frac) -> bool {
    let into = Frac::of_tick(into);
    let near = into.over(apart).map(|near| Frac::whole(near.round()));
    let line = near.and_then(|near| apart.times(near));
    line.is_some_and(|line| line.round() == into.round())
}

/// Whether a tick is on no line of 32nds or of 16th triplets.
#[must_use]
pub fn is_off(song: &Song, chunk: Id<Chunk>, tick: u64) -> bool {
    let mut fine = [32, 24].into_iter().filter_map(NoteGrid::part);
    !fine.any(|raster| raster.line(song, chunk, tick) == Some(tick))
}
