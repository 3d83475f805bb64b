//! The lines of a grid in a bar, and the nearest of them.

use crate::values::Frac;

/// The most lines of a bar to keep.
const MOST: i64 = 1024;

/// Units per line distance, for swing: every second line is at a per cent of two distances.
const PARTS: i128 = 50;

/// A place after a barline, in fractions of a tick. Choices compare these, so that nothing is
/// rounded before the end.
type Fine = i128;

/// The lines of a grid from a barline to the next, or without end.
pub struct GridLines {
    base: u64,
    /// Distance to the next barline.
    length: Option<u64>,
    apart: Frac,
    swing: i64,
    /// All lines including the next barline, counted from the barline, if they are few enough and
    /// fit.
    all: Option<Vec<u64>>,
}

impl GridLines {
    /// Whether a tick is between the two barlines.
    #[must_use]
    pub fn hold(&self, at: u64) -> bool {
        self.base <= at && self.length.is_some_and(|length| at - self.base < length)
    }

    /// The lines from a barline to the next, if there is one; every second line is at `swing` per
    /// cent of two distances.
    #[must_use]
    pub fn new(base: u64, limit: Option<u64>, apart: Frac, swing: i64) -> Self {
        let length = limit.map(|limit| limit.saturating_sub(base));
        let mut lines = Self {
            base,
            length,
            apart,
            swing,
            all: None,
        };
        let count = length.and_then(|length| Some(Frac::of_tick(length).over(apart)?.floor()));
        if let Some(count) = count.filter(|count| *count < MOST) {
            let all = lines.some(0..=count + 1);
            let all: Option<Vec<u64>> = all.map(|line| u64::try_from(line).ok()).collect();
            lines.all = all;
        }
        lines
    }

    /// These lines in another bar, if it has the same length and distance.
    #[must_use]
    pub fn moved(self, base: u64, limit: Option<u64>, apart: Frac) -> Option<Self> {
        let is_alike =
            self.length == limit.map(|limit| limit.saturating_sub(base)) && self.apart == apart;
        is_alike.then_some(Self { base, ..self })
    }

    /// Fractions per tick that make every line a whole number.
    fn parts(&self) -> Fine {
        PARTS * Fine::from(self.apart.den())
    }

    /// The lines of a range of numbers, counted from the barline, and the next barline, which
    /// always is a line: a bar that ends between two lines starts the grid again.
    fn some(&self, numbers: std::ops::RangeInclusive<i64>) -> impl Iterator<Item = Fine> {
        let (step, swing) = (Fine::from(self.apart.num()), Fine::from(self.swing));
        let end = self.length.map(|length| Fine::from(length) * self.parts());
        let lines = numbers.filter(|n| *n >= 0).map(move |n| {
            let (n, second) = (Fine::from(n), Fine::from(n % 2));
            step * (PARTS * (n - second) + second * swing)
        });
        lines
            .take_while(move |line| end.is_none_or(|end| *line < end))
            .chain(end)
    }

    /// Moves a tick by `strength` per cent towards the nearest line, the earlier of two equally
    /// near, and rounds it to a tick.
    #[must_use]
    pub fn toward(&self, at: u64, strength: i64) -> u64 {
        let parts = self.parts();
        let own = Fine::from(at.saturating_sub(self.base)) * parts;
        let line = self.nearest(own);
        let (way, whole) = (Fine::from(strength) * (line - own), 100 * parts);
        // Halves round up, as everywhere.
        let (twice, whole) = (2 * (100 * own + way) + whole, 2 * whole);
        // 128-bit division is much slower than 64-bit.
        let there = match (u64::try_from(twice), u64::try_from(whole)) {
            (Ok(twice), Ok(whole)) => twice / whole,
            _ => u64::try_from(twice / whole).unwrap_or_default(),
        };
        self.base.saturating_add(there)
    }

    /// The line nearest to a place after the barline.
    fn nearest(&self, at: Fine) -> Fine {
        let kept = self.all.as_ref().zip(u64::try_from(at).ok());
        if let Some((all, at)) = kept {
            let (before, after) = all.split_at(all.partition_point(|line| *line < at));
            return Fine::from(match (before.last(), after.first()) {
                (Some(before), Some(after)) if after - at < at - before => *after,
                (Some(line), _) | (None, Some(line)) => *line,
                (None, None) => at,
            });
        }
        let step = (PARTS * Fine::from(self.apart.num())).max(1);
        let count = i64::try_from(at / step).unwrap_or(i64::MAX - 2);
        let near = self.some(count.saturating_sub(2)..=count.saturating_add(2));
        near.min_by_key(|line| (line.abs_diff(at), *line))
            .unwrap_or(at)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use proptest::prelude::*;

    use super::*;
    use crate::grid::swing::warped;

    /// Reference for [`Lines::toward`]: uses only fractions and checks every line of the bar.
    fn plain(at: u64, length: u64, apart: Frac, swing: i64, strength: i64) -> u64 {
        let lines = (0..=length * 3).map_while(|n| {
            let line = apart.times(Frac::of_tick(n))?;
            let pair = apart.times(Frac::whole(2))?;
            warped(line, Frac::ZERO, pair, swing).filter(|line| *line < Frac::of_tick(length))
        });
        let away = |line: &Frac| {
            let away = line.minus(Frac::of_tick(at)).unwrap();
            (away.max(away.negated().unwrap()), *line)
        };
        let line = lines
            .chain([Frac::of_tick(length)])
            .min_by_key(away)
            .unwrap();
        let way = line.minus(Frac::of_tick(at)).unwrap();
        let way = way.times(Frac::new(strength.into(), 100).unwrap()).unwrap();
        Frac::of_tick(at).plus(way).unwrap().tick()
    }

    proptest! {
        #[test]
        fn quick_lines_are_those_of_fractions(
            length in 1_u64..500,
            (num, den) in (40_i128..900, 1_i128..13),
            swing in 50_i64..=80,
            strength in 1_i64..=100,
            bar in 0_u64..3,
        ) {
            let apart = Frac::new(num, den).unwrap();
            for base in [0, bar * 400] {
                let kept = GridLines::new(base, Some(base + length), apart, swing);
                prop_assert!(kept.all.is_some());
                let counted = GridLines { all: None, ..GridLines::new(base, Some(base + length), apart, swing) };
                for at in 0..length {
                    let wanted = base + plain(at, length, apart, swing, strength);
                    prop_assert_eq!(kept.toward(base + at, strength), wanted);
                    prop_assert_eq!(counted.toward(base + at, strength), wanted);
                }
            }
        }
    }
}
