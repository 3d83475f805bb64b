//! The lines of a grid in a bar, and which of them is nearest.

use crate::phrase::warped;
use crate::transform::{exact, tick};
use crate::values::Frac;

/// The most lines of a bar that are kept.
const MOST: i64 = 1024;

/// The lines of a grid from a barline to the next, or without end.
pub struct Lines {
    base: u64,
    /// How far it is to the next barline.
    length: Option<u64>,
    apart: Frac,
    swing: i64,
    /// All of them behind the barline with the next one, if they are not too many.
    all: Option<Vec<u64>>,
}

impl Lines {
    /// Whether a tick is between the two barlines.
    #[must_use]
    pub fn hold(&self, at: u64) -> bool {
        self.base <= at && self.length.is_some_and(|length| at - self.base < length)
    }

    /// From a barline to the next, if there is one; every second line stands at `swing` per cent of two.
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
        let count = length.and_then(|length| Some(exact(length).over(apart)?.floor()));
        if let Some(count) = count.filter(|count| *count < MOST) {
            let mut all = lines.some(0..=count + 1);
            all.sort_unstable();
            all.dedup();
            lines.all = Some(all);
        }
        lines
    }

    /// The lines of another bar, if they lie in it as these do in theirs.
    #[must_use]
    pub fn moved(self, base: u64, limit: Option<u64>, apart: Frac) -> Option<Self> {
        let is_alike =
            self.length == limit.map(|limit| limit.saturating_sub(base)) && self.apart == apart;
        is_alike.then_some(Self { base, ..self })
    }

    /// Some lines, by their numbers, counted from the barline, and the next barline: a bar that ends between two lines begins a line anew.
    fn some(&self, numbers: std::ops::RangeInclusive<i64>) -> Vec<u64> {
        let pair = self.apart.times(Frac::whole(2));
        let lines = numbers.filter(|n| *n >= 0).filter_map(|n| {
            let plain = self.apart.times(Frac::whole(n))?;
            warped(plain, Frac::whole(0), pair?, self.swing).map(tick)
        });
        let lines = lines.filter(|line| self.length.is_none_or(|length| *line < length));
        lines.chain(self.length).collect()
    }

    /// The line that is nearest to a tick from the barline on; of two as near, the earlier.
    #[must_use]
    pub fn nearest(&self, at: u64) -> u64 {
        let at = at.saturating_sub(self.base);
        self.base
            + match &self.all {
                Some(all) => {
                    let (before, after) = all.split_at(all.partition_point(|line| *line < at));
                    match (before.last(), after.first()) {
                        (Some(before), Some(after)) if after - at < at - before => *after,
                        (Some(line), _) | (None, Some(line)) => *line,
                        (None, None) => at,
                    }
                }
                None => {
                    let count = exact(at).over(self.apart);
                    let count = count.map_or(0, Frac::floor);
                    let lines = self.some(count - 1..=count + 2).into_iter();
                    let nearest = lines.min_by_key(|line| (line.abs_diff(at), *line));
                    nearest.unwrap_or(at)
                }
            }
    }
}
