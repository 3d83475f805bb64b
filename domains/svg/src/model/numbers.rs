//! The numbers of elements within their kinds, as in handles.

use std::collections::{BTreeMap, BTreeSet};

/// Every element that ever existed, by kind: those of the opened document in its order, then new
/// ones in order of creation.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    by_kind: BTreeMap<Box<str>, Vec<u32>>,
    /// The newest of these elements.
    newest: u32,
    /// Elements of another kind than the one in which they are numbered.
    converted: BTreeSet<u32>,
}

impl Numbers {
    /// Whether there is or ever was an element of a kind.
    pub fn has_kind(&self, kind: &str) -> bool {
        self.by_kind.contains_key(kind)
    }

    /// The number of an element within its kind, from 1, as in its handle.
    pub fn number(&self, kind: &str, id: u32) -> Option<usize> {
        let own = self.by_kind.get(kind)?;
        own.binary_search(&id).ok().map(|at| at + 1)
    }

    /// The original kind of an element whose kind changed, and its number within it.
    pub fn first_number(&self, id: u32) -> Option<(&str, usize)> {
        let mut all = self.by_kind.iter();
        all.find_map(|(kind, own)| {
            let at = own.binary_search(&id).ok()?;
            Some((&**kind, at + 1))
        })
    }

    /// The element with a number within its kind, if it ever existed.
    pub fn numbered(&self, kind: &str, number: usize) -> Option<u32> {
        let own = self.by_kind.get(kind)?;
        own.get(number.checked_sub(1)?).copied()
    }

    /// Numbers an added element. A restored element keeps its number. A new element has an id above
    /// all others; if it does not, the elements from its id up were discarded for good.
    pub fn count(&mut self, kind: &str, id: u32) {
        if self.number(kind, id).is_some() || self.converted.contains(&id) {
            return;
        }
        if id <= self.newest {
            for own in self.by_kind.values_mut() {
                let kept = own.partition_point(|other| *other < id);
                own.truncate(kept);
            }
        }
        self.newest = id;
        match self.by_kind.get_mut(kind) {
            Some(own) => own.push(id),
            None => drop(self.by_kind.insert(kind.into(), vec![id])),
        }
    }

    /// Notes the kind that an element has now. It keeps its number within the original kind.
    pub fn convert(&mut self, kind: &str, id: u32) {
        match self.number(kind, id) {
            Some(_) => self.converted.remove(&id),
            None => self.converted.insert(id),
        };
    }
}
