//! The time of a song: bars, seconds, written places, and the clock that values ask.

use std::sync::Arc;

use fcp::prelude::*;

use super::{Chunk, Song};
use crate::time::{Division, MeterMap, TempoMap};
use crate::values::{Clock, Frac};

impl Song {
    /// The time division of the file.
    #[must_use]
    pub fn division(&self) -> Division {
        Division::of(self.file.header.division)
    }

    /// Ticks in a quarter note; in a file that counts SMPTE frames, ticks in half a second (a
    /// quarter at 120 bpm).
    #[must_use]
    pub fn ppqn(&self) -> u32 {
        match self.division() {
            Division::Quarter(ppqn) => ppqn,
            // A second has 32,640 ticks at most: 128 frames of 255 subframes.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            Division::Second(rate) => (rate / 2.0).round().max(1.0) as u32,
        }
    }

    /// Whether time is counted in bars, not in SMPTE frames.
    #[must_use]
    pub fn has_bars(&self) -> bool {
        matches!(self.division(), Division::Quarter(_))
    }

    /// Whether a bar begins at a tick.
    #[must_use]
    pub fn on_barline(&self, chunk: Id<Chunk>, tick: u64) -> bool {
        let bars = self.bars(chunk);
        self.has_bars() && bars.bar(bars.place(tick).bar) == tick
    }

    /// Whether each chunk is a separate piece: format 2.
    #[must_use]
    pub fn is_patterns(&self) -> bool {
        self.file.header.format == 2
    }

    /// The bars of a chunk: those of the song, or in format 2 its own.
    #[must_use]
    pub fn bars(&self, chunk: Id<Chunk>) -> Arc<MeterMap> {
        let ppqn = self.ppqn();
        self.meters.index().map(
            self.of_its_own(chunk),
            |map| map.ppqn == ppqn,
            |rows| {
                let rows = rows.filter_map(|id| self.meters.get(id));
                MeterMap::new(ppqn, rows.map(|row| (row.at, row.beats, row.power)))
            },
        )
    }

    /// The tempo map of a chunk: that of the song, or in format 2 its own.
    #[must_use]
    pub fn tempo_map(&self, chunk: Id<Chunk>) -> Arc<TempoMap> {
        let ppqn = self.ppqn();
        self.tempos.index().map(
            self.of_its_own(chunk),
            |map| map.ppqn == u64::from(ppqn),
            |rows| {
                let rows = rows.filter_map(|id| self.tempos.get(id));
                TempoMap::new(ppqn, rows.map(|row| (row.at, row.micros)))
            },
        )
    }

    /// A tick as replies show it: `5.3`, `5.3.240`, or seconds if there are no bars.
    #[must_use]
    pub fn shown(&self, chunk: Id<Chunk>, tick: u64) -> String {
        match self.division() {
            Division::Quarter(_) => self.bars(chunk).place(tick).to_string(),
            Division::Second(rate) => {
                #[allow(clippy::cast_precision_loss)]
                let seconds = tick as f64 / rate;
                // As many decimals as a position may have, far finer than any tick.
                let seconds = format!("{seconds:.6}");
                format!("{}s", seconds.trim_end_matches('0').trim_end_matches('.'))
            }
        }
    }

    /// Seconds from the start of a chunk to a tick.
    #[must_use]
    pub fn seconds(&self, chunk: Id<Chunk>, tick: u64) -> f64 {
        match self.division() {
            Division::Quarter(_) => self.tempo_map(chunk).seconds(tick),
            #[allow(clippy::cast_precision_loss)]
            Division::Second(rate) => tick as f64 / rate,
        }
    }

    /// The song's clock for values.
    #[must_use]
    pub const fn clock(&self, chunk: Id<Chunk>) -> SongClock<'_> {
        SongClock { song: self, chunk }
    }

    /// A tick as ops write it: `5` for a barline, `5.3`, `5.3.240`; `tick:N` if there are no bars.
    #[must_use]
    pub fn spelled(&self, chunk: Id<Chunk>, tick: u64) -> String {
        if !self.has_bars() {
            return format!("tick:{tick}");
        }
        let place = self.bars(chunk).place(tick);
        match (place.beat, place.tick) {
            (1, 0) => place.bar.to_string(),
            _ => place.to_string(),
        }
    }

    /// An exact `parts`-th of a quarter note.
    #[must_use]
    pub fn quarter_in(&self, parts: u8) -> Frac {
        Frac::new(self.ppqn().into(), parts.into()).unwrap_or(Frac::whole(1))
    }
}

/// The song's clock for values: in format 2 that of one chunk.
pub struct SongClock<'a> {
    song: &'a Song,
    chunk: Id<Chunk>,
}

/// The tick at or before a place; 0 before the start.
fn floor(at: Frac) -> u64 {
    u64::try_from(at.floor()).unwrap_or(0)
}

impl Clock for SongClock<'_> {
    fn ppqn(&self) -> Option<u32> {
        match self.song.division() {
            Division::Quarter(ppqn) => Some(ppqn),
            Division::Second(_) => None,
        }
    }

    fn beat_ticks(&self, at: Frac) -> Option<Frac> {
        let span = self.song.bars(self.chunk).at(floor(at));
        i64::try_from(span.beat).ok().map(Frac::whole)
    }

    fn bar_ticks(&self, at: Frac) -> Option<Frac> {
        let span = self.song.bars(self.chunk).at(floor(at));
        i64::try_from(span.bar_ticks()).ok().map(Frac::whole)
    }

    fn bars(&self, at: Frac, count: Frac) -> Option<Frac> {
        let whole = u64::try_from(count.num()).ok().filter(|_| count.den() == 1);
        let Some(whole) = whole else {
            return self.bar_ticks(at)?.times(count);
        };
        // The distance between the barlines of these two bars.
        let bars = self.song.bars(self.chunk);
        let bar = bars.place(floor(at)).bar;
        let line = |bar: u64| i64::try_from(bars.bar(bar)).ok().map(Frac::whole);
        line(bar.saturating_add(whole))?.minus(line(bar)?)
    }

    fn seconds_to_ticks(&self, at: Frac, seconds: Frac) -> Option<Frac> {
        match self.song.division() {
            Division::Quarter(_) => {
                let tempos = self.song.tempo_map(self.chunk);
                tempos.moment(at, seconds)?.minus(at)
            }
            Division::Second(rate) => {
                let thousandths = (seconds.to_f64() * rate * 1000.0).round();
                // Within the limits of a position, so far below the range of the type.
                #[allow(clippy::cast_possible_truncation)]
                (thousandths.abs() < 1e15).then(|| Frac::new(thousandths as i128, 1000))?
            }
        }
    }
}
