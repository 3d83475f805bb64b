//! Sections of a file, which are not written again while their rows are unchanged.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Touched;
use super::pieces::Pieces;
use super::spans::Place;

/// A stretch of a file that depends only on a row and the rows inside it.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// The id of the row.
    pub key: u32,
    /// The id of the row whose content it is, if that may move to the section of another row.
    pub of: Option<u32>,
    pub content: Range<usize>,
    pub spans: [Place; 2],
    /// The ids of all rows in it are in this range, and perhaps others.
    pub ids: Range<u32>,
    /// Whether it was copied from the state before.
    pub copied: bool,
}

/// The sections of an earlier state that are still the same.
#[derive(Clone, Debug)]
pub(crate) struct Unchanged {
    pub(super) base: Arc<Pieces>,
    /// The index of each in the sections of `base`, by key.
    sections: FxHashMap<u32, usize>,
}

impl Unchanged {
    /// The sections of `base` in which no touched row was. `changed` holds the keys of those in which one is now.
    pub fn of(base: &Arc<Pieces>, touched: &Touched, changed: &FxHashSet<u32>) -> Self {
        let sections = base.sections.iter().enumerate();
        let same = sections.filter(|(_, section)| {
            let key = section.key;
            !changed.contains(&key)
                && !touched.any_of(&(key..key.saturating_add(1)))
                && !touched.any_of(&section.ids)
        });
        Self {
            base: Arc::clone(base),
            sections: same.map(|(ix, section)| (section.key, ix)).collect(),
        }
    }

    pub(super) fn section(&self, key: u32) -> Option<&Section> {
        self.base.sections.get(*self.sections.get(&key)?)
    }
}
