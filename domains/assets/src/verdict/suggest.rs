//! Suggestions for misspelled words.

use std::cell::Cell;

use fcp::work;

/// The most candidates that are compared for one asset.
const COMPARED: usize = 200_000;

/// The steps that comparing two words takes.
const STEPS_A_WORD: usize = 4;

/// Suggestions for one asset. After many comparisons there are none.
pub(super) struct Suggestions(Cell<usize>);

impl Default for Suggestions {
    fn default() -> Self {
        Self(Cell::new(COMPARED))
    }
}

impl Suggestions {
    /// The nearest candidate, as [`nearest`] finds it.
    pub fn nearest<'c>(
        &self,
        word: &str,
        candidates: impl ExactSizeIterator<Item = &'c str>,
    ) -> Option<String> {
        self.0.set(self.0.get().checked_sub(candidates.len())?);
        nearest(word, candidates)
    }

    /// Counts the comparisons as steps of the call. If it is over, it fails at its next check.
    pub fn count(&self) {
        let _ = work::spend(STEPS_A_WORD * (COMPARED - self.0.get()));
    }
}

/// The nearest candidate, if unique: at most two letters, and a third of the longer word, away.
#[must_use]
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    let lower = word.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    let mut tied = false;
    for candidate in candidates {
        let other = candidate.to_lowercase();
        let longer = lower.chars().count().max(other.chars().count());
        // Words whose lengths differ by three letters are at least three letters apart.
        if lower.chars().count().abs_diff(other.chars().count()) > 2 || longer > 256 {
            continue;
        }
        let distance = strsim::damerau_levenshtein(&lower, &other);
        if distance > 2 || 3 * distance > longer || candidate == word {
            continue;
        }
        match best {
            Some((least, _)) if distance > least => {}
            Some((least, known)) if distance == least => tied |= known != candidate,
            _ => {
                best = Some((distance, candidate));
                tied = false;
            }
        }
    }
    best.filter(|_| !tied)
        .map(|(_, candidate)| candidate.to_owned())
}
