//! The grid lines of a score.

use std::sync::Arc;

use fcp::prelude::*;

use crate::grid::note_grid::NoteGrid;
use crate::model::{Chunk, Song};
use crate::time::MeterMap;
use crate::values::{Rounding, common_divisor};

/// The most fractions per tick: enough for two grids of note values in any file.
const PARTS: u64 = 96;

/// Converts ticks to places in the score. Places are in fractions of ticks, so that triplets are
/// exact even in files whose quarters are not a multiple of six ticks.
pub struct Placing<'a> {
    song: &'a Song,
    chunk: Id<Chunk>,
    bars: Arc<MeterMap>,
    rasters: Vec<NoteGrid>,
    parts: u64,
}

impl<'a> Placing<'a> {
    /// The lines of a grid in the bars of a chunk.
    #[must_use]
    pub fn new(song: &'a Song, chunk: Id<Chunk>, bars: Arc<MeterMap>, grid: &Rounding) -> Self {
        let rasters = match grid {
            // The same lines that other queries use for notes.
            Rounding::Auto => [32, 24].into_iter().filter_map(NoteGrid::part).collect(),
            Rounding::Exact => Vec::new(),
            Rounding::Grid(length) => vec![NoteGrid::of(length.clone())],
        };
        let needed = rasters.iter().map(|raster| raster.parts(song, chunk));
        let parts = needed.fold(1, |all, own| all / common_divisor(all, own).max(1) * own);
        Self {
            song,
            chunk,
            bars,
            rasters,
            parts: if parts <= PARTS { parts } else { 1 },
        }
    }

    /// Number of fractions per tick.
    #[must_use]
    pub const fn parts(&self) -> u64 {
        self.parts
    }

    /// The line nearest to a tick, in fractions.
    #[must_use]
    pub fn line(&self, tick: u64) -> u64 {
        let exact = tick.saturating_mul(self.parts);
        let lines = self.rasters.iter();
        let lines = lines.filter_map(|raster| self.of(raster, tick));
        lines
            .min_by_key(|line| line.abs_diff(exact))
            .unwrap_or(exact)
    }

    /// The distance from a line to the next, in fractions.
    #[must_use]
    pub fn step(&self, line: u64) -> u64 {
        let (tick, rest) = (line / self.parts, line % self.parts);
        let mut rasters = self.rasters.iter();
        let own = rasters.find(|raster| {
            let near = [tick, tick + rest.min(1)].into_iter();
            near.filter_map(|tick| self.of(raster, tick))
                .any(|own| own == line)
        });
        own.map_or(1, |raster| {
            raster.step_in(self.song, self.chunk, tick, self.parts)
        })
    }

    /// The last line before a barline, both in fractions.
    #[must_use]
    pub fn last(&self, barline: u64) -> u64 {
        let bar = self
            .bars
            .place((barline / self.parts).saturating_sub(1))
            .bar;
        let start = self.bars.bar(bar).saturating_mul(self.parts);
        let back = barline.saturating_sub(self.step(start));
        let line = self.line(back / self.parts);
        if line < barline {
            line.max(start)
        } else {
            start
        }
    }

    fn of(&self, raster: &NoteGrid, tick: u64) -> Option<u64> {
        raster.line_in(self.song, self.chunk, &self.bars, tick, self.parts)
    }
}
