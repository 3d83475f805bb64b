//! Time: ticks, bars and beats, seconds.
//!
//! A position is found by a search in the list of meter or tempo changes, never by a walk over bars.

use std::sync::Arc;

use fcp::prelude::*;

use crate::model::{Chunk, Song};

/// Ticks of a quarter note that a file without a usable division is read with.
const FALLBACK_PPQN: u32 = 480;

/// What the file's division says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Division {
    /// Ticks in a quarter note.
    Quarter(u32),
    /// Ticks in a second: SMPTE frames times subframes.
    Second(f64),
}

impl Division {
    /// Reads the division of a header.
    #[must_use]
    pub fn of(bits: u16) -> Self {
        let [high, low] = bits.to_be_bytes();
        if high & 0x80 == 0 {
            return Self::Quarter(if bits == 0 {
                FALLBACK_PPQN
            } else {
                u32::from(bits)
            });
        }
        // 29 stands for 30 frames with dropped numbers: 30000/1001 a second (RP-001, SMPTE 12M).
        let frames = match high.cast_signed().unsigned_abs() {
            29 => 30_000.0 / 1001.0,
            0 => 25.0,
            frames => f64::from(frames),
        };
        Self::Second(frames * f64::from(low.max(1)))
    }
}

/// A place in bars: bar and beat from 1, and ticks into the beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// From 1.
    pub bar: u64,
    /// From 1.
    pub beat: u64,
    /// Below the length of a beat.
    pub tick: u64,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.bar, self.beat)?;
        if self.tick > 0 {
            write!(f, ".{}", self.tick)?;
        }
        Ok(())
    }
}

/// Where a meter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeterSpan {
    /// Its first tick, which is a barline.
    pub tick: u64,
    /// Its first bar, from 1.
    pub bar: u64,
    /// Beats in a bar.
    pub beats: u64,
    /// The beat's note value: 4 is a quarter.
    pub unit: u64,
    /// Ticks in a beat, at least 1.
    pub beat: u64,
}

impl MeterSpan {
    /// Ticks in a bar.
    #[must_use]
    pub const fn bar_ticks(&self) -> u64 {
        self.beats.saturating_mul(self.beat)
    }
}

/// The bars of a song.
#[derive(Debug)]
pub struct MeterMap {
    ppqn: u32,
    spans: Vec<MeterSpan>,
    shortest: u64,
}

impl MeterMap {
    /// The bars that changes `(tick, beats, power)` make, in order of ticks. Without one at the start it is 4/4.
    /// A change inside a bar ends that bar early; changes that make no sense, such as 0/4, change nothing.
    pub fn new(ppqn: u32, changes: impl IntoIterator<Item = (u64, u8, u8)>) -> Self {
        let span = |tick, bar, beats: u64, unit: u64| MeterSpan {
            tick,
            bar,
            beats,
            unit,
            beat: (u64::from(ppqn) * 4 / unit).max(1),
        };
        let mut spans = vec![span(0, 1, 4, 4)];
        let mut shortest = u64::MAX;
        for (tick, beats, power) in changes {
            if beats == 0 || power > 6 {
                continue;
            }
            let (beats, unit) = (u64::from(beats), 1_u64 << power);
            let Some(last) = spans.last_mut() else {
                continue;
            };
            if last.tick == tick {
                *last = span(tick, last.bar, beats, unit);
            } else {
                let bars = (tick - last.tick).div_ceil(last.bar_ticks());
                let cut = (tick - last.tick) % last.bar_ticks();
                shortest = shortest.min(if cut > 0 { cut } else { last.bar_ticks() });
                let bar = last.bar + bars;
                spans.push(span(tick, bar, beats, unit));
            }
        }
        let last = spans.last().map_or(u64::MAX, MeterSpan::bar_ticks);
        let shortest = shortest.min(last);
        Self {
            ppqn,
            spans,
            shortest,
        }
    }

    /// Ticks that no bar has fewer of.
    #[must_use]
    pub const fn shortest(&self) -> u64 {
        self.shortest
    }

    /// The meter that holds at a tick.
    #[must_use]
    pub fn at(&self, tick: u64) -> MeterSpan {
        let after = self.spans.partition_point(|span| span.tick <= tick);
        self.spans[after.saturating_sub(1)]
    }

    /// The meter that holds in a bar, and the tick at which the next one begins.
    #[must_use]
    pub fn in_bar(&self, bar: u64) -> (MeterSpan, Option<u64>) {
        let after = self.spans.partition_point(|span| span.bar <= bar);
        (
            self.spans[after.saturating_sub(1)],
            self.spans.get(after).map(|span| span.tick),
        )
    }

    /// Every meter, in order.
    #[must_use]
    pub fn spans(&self) -> &[MeterSpan] {
        &self.spans
    }

    /// Bar, beat and rest of a tick.
    #[must_use]
    pub fn place(&self, tick: u64) -> Place {
        let span = self.at(tick);
        let (bar, rest) = (
            (tick - span.tick) / span.bar_ticks(),
            (tick - span.tick) % span.bar_ticks(),
        );
        Place {
            bar: span.bar + bar,
            beat: rest / span.beat + 1,
            tick: rest % span.beat,
        }
    }

    /// The first tick of a bar, from 1.
    #[must_use]
    pub fn bar(&self, bar: u64) -> u64 {
        let (span, _) = self.in_bar(bar.max(1));
        span.tick
            .saturating_add((bar.max(1) - span.bar).saturating_mul(span.bar_ticks()))
    }

    /// How many ticks a bar has: fewer than its meter says where a change cuts it short.
    #[must_use]
    pub fn bar_length(&self, bar: u64) -> u64 {
        let (span, next) = self.in_bar(bar);
        let start = self.bar(bar);
        next.map_or(span.bar_ticks(), |next| {
            span.bar_ticks().min(next.saturating_sub(start))
        })
    }
}

/// The seconds of a song.
#[derive(Debug)]
pub struct TempoMap {
    ppqn: u64,
    /// Tick, microseconds of a quarter from there, and microseconds times ppqn before it.
    spans: Vec<(u64, u32, u128)>,
}

/// Microseconds of a quarter note where no tempo stands: 120 bpm.
pub const DEFAULT_MICROS: u32 = 500_000;

impl TempoMap {
    /// The seconds that changes `(tick, microseconds)` make, in order of ticks.
    pub fn new(ppqn: u32, changes: impl IntoIterator<Item = (u64, u32)>) -> Self {
        let mut spans = vec![(0, DEFAULT_MICROS, 0_u128)];
        for (tick, micros) in changes {
            let Some(last) = spans.last_mut() else {
                continue;
            };
            if last.0 == tick {
                last.1 = micros;
            } else {
                let before = last.2 + u128::from(tick - last.0) * u128::from(last.1);
                spans.push((tick, micros, before));
            }
        }
        Self {
            ppqn: u64::from(ppqn),
            spans,
        }
    }

    /// Microseconds of a quarter note at a tick.
    #[must_use]
    pub fn micros(&self, tick: u64) -> u32 {
        let after = self.spans.partition_point(|span| span.0 <= tick);
        self.spans[after.saturating_sub(1)].1
    }

    /// Seconds from the start to a tick.
    #[must_use]
    pub fn seconds(&self, tick: u64) -> f64 {
        let after = self.spans.partition_point(|span| span.0 <= tick);
        let (start, micros, before) = self.spans[after.saturating_sub(1)];
        let total = before + u128::from(tick - start) * u128::from(micros);
        // 53 bits hold every microsecond of nine thousand years.
        #[allow(clippy::cast_precision_loss)]
        let seconds = total as f64 / self.ppqn as f64 / 1e6;
        seconds
    }

    /// The tick nearest to a number of seconds from the start; none past the range of ticks.
    #[must_use]
    pub fn tick(&self, seconds: f64) -> Option<u64> {
        let wanted = seconds * 1e6 * self.ppqn as f64;
        let after = self.spans.partition_point(|span| (span.2 as f64) <= wanted);
        let (start, micros, before) = self.spans[after.saturating_sub(1)];
        if micros == 0 {
            return Some(start);
        }
        let ticks = ((wanted - before as f64) / f64::from(micros)).round();
        // Checked against the range: 2^60 is far beyond what a file holds.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        (0.0..1e18)
            .contains(&ticks)
            .then_some(start.saturating_add(ticks as u64))
    }

    /// Whether there is one tempo throughout, and it is this one.
    #[must_use]
    pub fn is_steady(&self, micros: u32) -> bool {
        self.spans.iter().all(|(_, own, _)| *own == micros)
    }

    /// How many changes there are after the start.
    #[must_use]
    pub fn changes(&self) -> usize {
        self.spans.len() - 1
    }
}

impl Song {
    /// What the file's division says.
    #[must_use]
    pub fn division(&self) -> Division {
        Division::of(self.file.header.division)
    }

    /// Ticks in a quarter note; 480 in a file that counts SMPTE frames.
    #[must_use]
    pub fn ppqn(&self) -> u32 {
        match self.division() {
            Division::Quarter(ppqn) => ppqn,
            Division::Second(_) => FALLBACK_PPQN,
        }
    }

    /// Whether time is in bars, not in SMPTE frames.
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

    /// Whether each chunk is a piece of its own: format 2.
    #[must_use]
    pub fn is_patterns(&self) -> bool {
        self.file.header.format == 2
    }

    /// The bars of a chunk: those of the song, but in format 2 its own.
    #[must_use]
    pub fn bars(&self, chunk: Id<Chunk>) -> Arc<MeterMap> {
        let build = |own: Option<Id<Chunk>>| {
            let mut changes: Vec<(u64, (u64, u8, u8))> = Vec::new();
            let index = &self.meters.index().time;
            let rows: Vec<_> = match own {
                Some(chunk) => index.range(chunk, 0, u64::MAX).collect(),
                None => index.iter().collect(),
            };
            for (key, spot) in rows {
                if let Some(row) = self.meters.get(Id::new(spot.id)) {
                    changes.push((key.tick, (row.at, row.beats, row.power)));
                }
            }
            changes.sort_by_key(|(tick, _)| *tick);
            Arc::new(MeterMap::new(
                self.ppqn(),
                changes.into_iter().map(|(_, change)| change),
            ))
        };
        if self.is_patterns() {
            return build(Some(chunk));
        }
        let kept = self.meters.index().map.get_or_init(|| build(None));
        // The rows may have stayed where the division changed.
        match kept.ppqn == self.ppqn() {
            true => Arc::clone(kept),
            false => build(None),
        }
    }

    /// The seconds of a chunk: those of the song, but in format 2 its own.
    #[must_use]
    pub fn tempo_map(&self, chunk: Id<Chunk>) -> Arc<TempoMap> {
        let build = |own: Option<Id<Chunk>>| {
            let index = &self.tempos.index().time;
            let rows: Vec<_> = match own {
                Some(chunk) => index.range(chunk, 0, u64::MAX).collect(),
                None => index.iter().collect(),
            };
            let mut changes: Vec<(u64, u32)> = rows
                .into_iter()
                .filter_map(|(_, spot)| {
                    self.tempos
                        .get(Id::new(spot.id))
                        .map(|row| (row.at, row.micros))
                })
                .collect();
            changes.sort_by_key(|(tick, _)| *tick);
            Arc::new(TempoMap::new(self.ppqn(), changes))
        };
        if self.is_patterns() {
            return build(Some(chunk));
        }
        let kept = self.tempos.index().map.get_or_init(|| build(None));
        match kept.ppqn == u64::from(self.ppqn()) {
            true => Arc::clone(kept),
            false => build(None),
        }
    }

    /// A tick as replies show it: `5.3`, `5.3.240`, or seconds where there are no bars.
    #[must_use]
    pub fn shown(&self, chunk: Id<Chunk>, tick: u64) -> String {
        match self.division() {
            Division::Quarter(_) => self.bars(chunk).place(tick).to_string(),
            Division::Second(rate) => {
                #[allow(clippy::cast_precision_loss)]
                let seconds = tick as f64 / rate;
                format!("{seconds}s")
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
}

#[cfg(test)]
mod tests {
    use super::{MeterMap, Place, TempoMap};

    #[test]
    fn a_change_inside_a_bar_ends_it_early() {
        let bars = MeterMap::new(480, [(0, 3, 2), (2000, 4, 2)]);
        assert_eq!(
            bars.place(1999),
            Place {
                bar: 2,
                beat: 2,
                tick: 79
            }
        );
        assert_eq!(
            bars.place(2000),
            Place {
                bar: 3,
                beat: 1,
                tick: 0
            }
        );
        assert_eq!(bars.bar(3), 2000);
        assert_eq!(bars.bar_length(2), 560);
        assert_eq!(bars.bar(999_999), 2000 + 999_996 * 1920);
    }

    #[test]
    fn absurd_meters_change_nothing() {
        let bars = MeterMap::new(480, [(0, 0, 2), (10, 4, 255)]);
        assert_eq!(bars.spans().len(), 1);
        assert_eq!(
            bars.place(1920),
            Place {
                bar: 2,
                beat: 1,
                tick: 0
            }
        );
    }

    #[test]
    fn ticks_and_places_are_the_same_thing() {
        let bars = MeterMap::new(96, [(0, 4, 2), (700, 7, 3), (5000, 3, 2), (5001, 5, 4)]);
        for tick in 0..10_000 {
            let place = bars.place(tick);
            let span = bars.at(tick);
            assert_eq!(
                bars.bar(place.bar) + (place.beat - 1) * span.beat + place.tick,
                tick
            );
        }
    }

    #[test]
    fn seconds_follow_the_tempo() {
        let tempos = TempoMap::new(480, [(0, 500_000), (960, 1_000_000)]);
        assert!((tempos.seconds(960) - 1.0).abs() < 1e-9);
        assert!((tempos.seconds(1440) - 2.0).abs() < 1e-9);
        assert_eq!(tempos.tick(2.0), Some(1440));
    }
}
