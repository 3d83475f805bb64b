//! Time: ticks, bars and beats, seconds.
//!
//! A position is found by a search in the list of meter or tempo changes, never by walking over
//! bars.

use std::sync::Arc;

use fcp::prelude::*;

use crate::model::{Chunk, Song};
use crate::values::Frac;

/// Ticks per quarter note to assume in a file without a usable division.
const FALLBACK_PPQN: u32 = 480;

/// The time division of a file.
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
        // 29 means 30 drop-frame: 30000/1001 frames a second (RP-001, SMPTE 12M).
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

/// A span of one meter.
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
    /// The bars that changes `(tick, beats, power)` make, in order of ticks. Without a change at
    /// the start it is 4/4. A change inside a bar ends that bar early; invalid changes, such as
    /// 0/4, have no effect.
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

    /// Length of the shortest bar, in ticks.
    #[must_use]
    pub const fn shortest(&self) -> u64 {
        self.shortest
    }

    /// The meter in effect at a tick.
    #[must_use]
    pub fn at(&self, tick: u64) -> MeterSpan {
        let after = self.spans.partition_point(|span| span.tick <= tick);
        self.spans[after.saturating_sub(1)]
    }

    /// The meter in effect in a bar, and the tick at which the next one begins.
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

    /// Bar, beat and remaining ticks of a tick.
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

    /// Number of ticks in a bar: fewer than its meter implies if a change cuts it short.
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
    /// Tick, microseconds per quarter from there, and microseconds times ppqn before it.
    spans: Vec<(u64, u32, u128)>,
}

/// Microseconds per quarter note if no tempo is set: 120 bpm.
pub const DEFAULT_MICROS: u32 = 500_000;

impl TempoMap {
    /// The tempo map of changes `(tick, microseconds)`, in order of ticks.
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

    /// Microseconds per quarter note at a tick.
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

    /// The tick nearest to a number of seconds from the start, or `None` if it is out of range.
    #[must_use]
    pub fn tick(&self, seconds: f64) -> Option<u64> {
        let wanted = seconds * 1e6 * self.ppqn as f64;
        let after = self.spans.partition_point(|span| (span.2 as f64) <= wanted);
        let (start, micros, before) = self.spans[after.saturating_sub(1)];
        if micros == 0 {
            return Some(start);
        }
        let ticks = ((wanted - before as f64) / f64::from(micros)).round();
        // Checked against the range: 2^60 is far beyond any tick of a file.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        (0.0..1e18)
            .contains(&ticks)
            .then_some(start.saturating_add(ticks as u64))
    }

    /// The place `seconds` after another (before it if negative), to a thousandth of a tick if it
    /// is finer; `None` if it is out of range. A result at most a millisecond before the start
    /// counts as the start, because of rounding.
    #[must_use]
    pub fn moment(&self, at: Frac, seconds: Frac) -> Option<Frac> {
        // Microseconds times ppqn, in fractions that make both numbers whole.
        let [num, den] = [at.num(), at.den()].map(i128::from);
        let [later, parts] = [seconds.num(), seconds.den()].map(i128::from);
        let (ppqn, unit) = (i128::from(self.ppqn), den.checked_mul(parts)?);
        let span = |after: usize| self.spans.get(after.saturating_sub(1)).copied();
        let whole = |before: u128| i128::try_from(before).ok()?.checked_mul(unit);
        let floor = u64::try_from(at.floor()).unwrap_or(0);
        let (start, micros, before) = span(self.spans.partition_point(|span| span.0 <= floor))?;
        let into = num - i128::from(start).checked_mul(den)?;
        let into = into.checked_mul(i128::from(micros))?.checked_mul(parts)?;
        let later = later.checked_mul(1_000_000 * ppqn)?.checked_mul(den)?;
        let mut moment = whole(before)?.checked_add(into)?.checked_add(later)?;
        if (-1000 * ppqn * unit..0).contains(&moment) {
            moment = 0;
        }
        let passed = |span: &(u64, u32, u128)| whole(span.2).is_some_and(|before| before <= moment);
        let (start, micros, before) = span(self.spans.partition_point(passed))?;
        if micros == 0 {
            return i64::try_from(start).ok().map(Frac::whole);
        }
        let into = moment.checked_sub(whole(before)?)?;
        let den = unit.checked_mul(micros.into())?;
        let exact = i128::from(start).checked_mul(den)?.checked_add(into)?;
        let coarse = || {
            let nearest = exact.checked_mul(2000)?.checked_add(den)?;
            Frac::new(nearest.div_euclid(den.checked_mul(2)?), 1000)
        };
        let fine = Frac::new(exact, den).filter(|exact| exact.den() <= 1000);
        fine.or_else(coarse)
    }

    /// Whether there is one tempo throughout, and it is this one.
    #[must_use]
    pub fn is_steady(&self, micros: u32) -> bool {
        self.spans.iter().all(|(_, own, _)| *own == micros)
    }

    /// Number of changes after the start.
    #[must_use]
    pub fn changes(&self) -> usize {
        self.spans.len() - 1
    }
}

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
        // The rows may be unchanged although the division has changed.
        match kept.ppqn == self.ppqn() {
            true => Arc::clone(kept),
            false => build(None),
        }
    }

    /// The tempo map of a chunk: that of the song, or in format 2 its own.
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

    /// A tick as replies show it: `5.3`, `5.3.240`, or seconds if there are no bars.
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
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::{MeterMap, Place, TempoMap};
    use crate::values::Frac;

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
        let frac = |num, den| Frac::new(num, den).unwrap();
        for (at, seconds, there) in [
            ((0, 1), (2, 1), (1440, 1)),
            ((1440, 1), (-3, 2), (480, 1)),
            ((1440, 1), (-2001, 1000), (0, 1)),
            ((0, 1), (1, 7), (960, 7)),
            ((1919, 2), (1, 1), (5759, 4)),
            ((0, 1), (1, 1013), (948, 1000)),
        ] {
            let moment = tempos.moment(frac(at.0, at.1), frac(seconds.0, seconds.1));
            assert_eq!(moment, Some(frac(there.0, there.1)), "{at:?} {seconds:?}");
        }
        let before = tempos.moment(frac(1440, 1), frac(-5, 2)).unwrap();
        assert!(before < Frac::ZERO);
    }
}
