//! The lines of the grid that a score is written on.

use std::sync::Arc;

use fcp::prelude::*;

use crate::clock::MeterMap;
use crate::model::{Chunk, Song};
use crate::raster::Raster;
use crate::values::Rounding;

/// Where what is played stands in the score.
pub struct Placing<'a> {
    song: &'a Song,
    chunk: Id<Chunk>,
    bars: Arc<MeterMap>,
    rasters: Vec<Raster>,
}

impl<'a> Placing<'a> {
    /// The lines of a grid on the bars of a chunk.
    #[must_use]
    pub fn new(song: &'a Song, chunk: Id<Chunk>, bars: Arc<MeterMap>, grid: &Rounding) -> Self {
        let rasters = match grid {
            // The lines that notes are told to stand on by everything else.
            Rounding::Auto => [32, 24].into_iter().filter_map(Raster::part).collect(),
            Rounding::Exact => Vec::new(),
            Rounding::Grid(length) => vec![Raster::of(length.clone())],
        };
        Self {
            song,
            chunk,
            bars,
            rasters,
        }
    }

    /// The line that is nearest to a tick.
    #[must_use]
    pub fn line(&self, tick: u64) -> u64 {
        let lines = self.rasters.iter();
        let lines = lines.filter_map(|raster| self.of(raster, tick));
        lines.min_by_key(|line| line.abs_diff(tick)).unwrap_or(tick)
    }

    /// How far it is from a line to the next one.
    #[must_use]
    pub fn step(&self, line: u64) -> u64 {
        let mut rasters = self.rasters.iter();
        let own = rasters.find(|raster| self.of(raster, line) == Some(line));
        own.map_or(1, |raster| raster.step(self.song, self.chunk, line))
    }

    /// The last line before a barline.
    #[must_use]
    pub fn last(&self, barline: u64) -> u64 {
        let start = self
            .bars
            .bar(self.bars.place(barline.saturating_sub(1)).bar);
        let line = self.line(barline.saturating_sub(self.step(start)));
        if line < barline {
            line.max(start)
        } else {
            start
        }
    }

    fn of(&self, raster: &Raster, tick: u64) -> Option<u64> {
        raster.line_on(self.song, self.chunk, &self.bars, tick)
    }
}
