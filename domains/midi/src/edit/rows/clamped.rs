//! Steps that end at the last value there is.

use std::collections::BTreeMap;

/// Rows that a step would lead beyond the last value there is: how many, and at which value they end.
#[derive(Default)]
pub struct ClampedCounts(BTreeMap<i64, usize>);

impl ClampedCounts {
    /// Counts one, if it ends there.
    pub fn add(&mut self, at: Option<i64>) {
        if let Some(at) = at {
            *self.0.entry(at).or_default() += 1;
        }
    }

    /// `3 at 127`
    #[must_use]
    pub fn told(self) -> Vec<String> {
        self.0
            .into_iter()
            .map(|(at, n)| format!("{n} at {at}"))
            .collect()
    }
}
