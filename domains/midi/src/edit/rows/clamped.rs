//! Counts steps that are clamped at a bound.

use std::collections::BTreeMap;

/// Number of rows whose step is clamped, by the bound at which they end.
#[derive(Default)]
pub struct ClampedCounts(BTreeMap<i64, usize>);

impl ClampedCounts {
    /// Counts a row, if it is clamped.
    pub fn add(&mut self, at: Option<i64>) {
        if let Some(at) = at {
            *self.0.entry(at).or_default() += 1;
        }
    }

    /// One part for each bound: `3 at 127`
    #[must_use]
    pub fn describe(self) -> Vec<String> {
        self.0
            .into_iter()
            .map(|(at, n)| format!("{n} at {at}"))
            .collect()
    }
}
