//! Sets of ids that lie close together.

use fcp::prelude::*;

use crate::model::rows::kinds::Note;

/// A set of numbers that lie close together.
#[derive(Default)]
pub(in crate::model) struct Numbers(Vec<u64>);

impl Numbers {
    pub(in crate::model) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::model) fn contains(&self, number: u32) -> bool {
        let bits = self.0.get((number / u64::BITS) as usize);
        bits.is_some_and(|bits| bits & 1 << (number % u64::BITS) != 0)
    }

    pub(in crate::model) fn insert(&mut self, id: Id<Note>) {
        let number = id.number();
        let at = (number / u64::BITS) as usize;
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        if let Some(bits) = self.0.get_mut(at) {
            *bits |= 1 << (number % u64::BITS);
        }
    }
}

impl FromIterator<Id<Note>> for Numbers {
    fn from_iter<I: IntoIterator<Item = Id<Note>>>(ids: I) -> Self {
        let mut set = Self::default();
        ids.into_iter().for_each(|id| set.insert(id));
        set
    }
}
