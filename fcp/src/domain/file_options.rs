//! The keys and settings that a session gives to a domain's reading and saving.

use crate::model::Row;

/// The keys of [`Domain::SAVING`](super::Domain::SAVING) that are given to a `save`.
#[derive(Clone, Debug, Default)]
pub struct Saving(Vec<(&'static str, String)>);

impl Saving {
    pub(crate) fn new(given: impl Iterator<Item = (&'static str, String)>) -> Self {
        Self(given.collect())
    }

    /// Whether no key is given.
    pub(crate) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each given key with its value.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(key, value)| (*key, &**value))
    }

    /// The value of a key, if it is given.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| *known == key);
        found.map(|(_, value)| &**value)
    }
}

/// A session's limits and settings for reading files.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The largest file, and the largest content of a packed file, in bytes.
    pub file_limit: u64,
    settings: Vec<(&'static str, String)>,
}

impl Reading {
    pub(crate) fn new(
        file_limit: u64,
        settings: impl Iterator<Item = (&'static str, String)>,
    ) -> Self {
        Self {
            file_limit,
            settings: settings.collect(),
        }
    }

    /// The value of one of the domain's settings, if it is set.
    #[must_use]
    pub fn setting(&self, key: &str) -> Option<&str> {
        let found = self.settings.iter().find(|(known, _)| *known == key);
        found.map(|(_, value)| &**value)
    }
}

/// The place where source text is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextSite {
    /// Into a row, before its content.
    First(Row),
    /// Into a row, after its content.
    Last(Row),
    /// Before a row.
    Before(Row),
    /// After a row.
    After(Row),
    /// After all content of the document: in the root element of a tree.
    End,
}
