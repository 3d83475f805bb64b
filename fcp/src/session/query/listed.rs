//! The differences between two states, before they are folded into lines.

use std::collections::BTreeMap;

use crate::account::{Account, FieldChange, RowChange};
use crate::model::Row;

/// The rows that differ between two states, and the bytes.
pub(in crate::session) struct Listed {
    /// In the order of the file.
    pub rows: Vec<RowChange>,
    /// The ids of these rows, of two states of one document.
    pub ids: Vec<u32>,
    /// The rows among these that no op changed.
    pub others: Vec<Row>,
    /// The words by which ops named the rows that are gone, by id.
    pub names: BTreeMap<u32, String>,
    /// Lines on changes outside of rows.
    pub notes: Vec<String>,
    /// The single-value parts of the model that differ, with their fields.
    pub parts: Vec<(&'static str, Vec<FieldChange>)>,
    pub account: Account,
}

impl Listed {
    /// Drops the differences of rows by their ids.
    pub(in crate::session) fn drop_rows(&mut self, is_dropped: impl Fn(u32) -> bool) {
        let kept: Vec<bool> = self.ids.iter().map(|id| !is_dropped(*id)).collect();
        let mut rows = kept.iter();
        self.rows.retain(|_| rows.next().is_none_or(|kept| *kept));
        self.ids.retain(|id| !is_dropped(*id));
    }
}
