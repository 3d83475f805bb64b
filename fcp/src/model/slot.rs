//! One value that records its changes.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::hash::{Heap, spread};
use super::{Ids, Journaled, Part};

/// One value: the canvas of a drawing, the header of a song.
#[derive(Debug)]
pub struct Slot<T> {
    value: T,
    before: Option<T>,
}

/// A change of a [`Slot`], kept small: such changes are few, but they share an enum with changes of
/// rows, which may be many.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlotChange<T> {
    /// The value before.
    pub before: Box<T>,
    /// The value after.
    pub after: Box<T>,
}

impl<T: Clone> Slot<T> {
    /// The value.
    pub const fn get(&self) -> &T {
        &self.value
    }

    /// Replaces the value.
    pub fn set(&mut self, value: T) {
        let old = std::mem::replace(&mut self.value, value);
        self.before.get_or_insert(old);
    }

    /// Changes the value.
    pub fn modify(&mut self, change: impl FnOnce(&mut T)) {
        let mut value = self.value.clone();
        change(&mut value);
        self.set(value);
    }
}

impl<T> std::ops::Deref for Slot<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> Journaled for Slot<T>
where
    T: Clone
        + Debug
        + Default
        + PartialEq
        + Hash
        + Serialize
        + DeserializeOwned
        + schemars::JsonSchema
        + Send
        + 'static,
{
    type Change = SlotChange<T>;

    fn attach(_: &Ids) -> Self {
        Self {
            value: T::default(),
            before: None,
        }
    }

    fn drain(&mut self) -> Vec<Self::Change> {
        let before = self.before.take().filter(|before| *before != self.value);
        before
            .map(|before| SlotChange {
                before: Box::new(before),
                after: Box::new(self.value.clone()),
            })
            .into_iter()
            .collect()
    }

    fn weight(change: &Self::Change) -> usize {
        let mut heap = Heap::default();
        change.before.hash(&mut heap);
        change.after.hash(&mut heap);
        let own = size_of_val(change) + 2 * size_of::<T>();
        own.saturating_add(heap.0)
    }

    fn reverse(&mut self, change: &Self::Change) {
        self.value.clone_from(&change.before);
    }

    fn replay(&mut self, change: &Self::Change) {
        self.value.clone_from(&change.after);
    }

    fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<T>()
    }

    fn part(&self) -> Part<'_> {
        let mut hasher = FxHasher::default();
        self.value.hash(&mut hasher);
        Part::Value(spread(hasher.finish()))
    }
}
