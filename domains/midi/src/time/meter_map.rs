//! The meters of a song: ticks to bars and beats, and back.

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
    pub(crate) ppqn: u32,
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::{MeterMap, Place};

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
}
