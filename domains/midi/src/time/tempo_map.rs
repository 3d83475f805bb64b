//! The tempos of a song: ticks to seconds, and back.

use crate::values::Frac;

/// The seconds of a song.
#[derive(Debug)]
pub struct TempoMap {
    pub(crate) ppqn: u64,
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::TempoMap;
    use crate::values::Frac;

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
