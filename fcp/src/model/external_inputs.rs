//! External inputs of a document.

use schemars::{Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::{Ids, Journaled, Part};

/// An input that a document receives once, before any op, from the program that opened it: the
/// folders of fonts, the folder that files are read from. It is not content, and no op changes it,
/// so undo has nothing to take back.
///
/// Mark the field `#[fcp(view)]`, and fill it in [`Domain::configure`](crate::domain::Domain::configure).
#[derive(Debug, Default)]
pub struct Given<T> {
    value: T,
    given: bool,
}

/// A change of a [`Given`]: there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GivenChange {}

impl<T> Given<T> {
    /// Changes the input, for a setting of the session.
    pub fn adjust(&mut self, change: impl FnOnce(&mut T)) {
        change(&mut self.value);
    }

    /// Sets the input. Only the first call counts.
    pub fn give(&mut self, value: T) {
        if !self.given {
            *self = Self { value, given: true };
        }
    }
}

impl<T> std::ops::Deref for Given<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Default + Send + 'static> Journaled for Given<T> {
    type Change = GivenChange;

    fn attach(_: &Ids) -> Self {
        Self::default()
    }

    fn drain(&mut self) -> Vec<GivenChange> {
        Vec::new()
    }

    fn reverse(&mut self, change: &GivenChange) {
        match *change {}
    }

    fn replay(&mut self, change: &GivenChange) {
        match *change {}
    }

    fn part(&self) -> Part<'_> {
        Part::Value(0)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        Schema::from(true)
    }
}
