//! The limit on the rows by which ops enlarge a document.

use super::document::Document;
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::{AnyTable, Fate, ModelExt};
use crate::value::thousands;

/// The number of a model's rows.
pub(super) fn row_count<M: Domain>(model: &M) -> usize {
    let parts = 0..M::SHAPE.parts.len();
    parts
        .filter_map(|part| model.rows(part))
        .map(AnyTable::len)
        .sum()
}

impl<M: Domain> Document<M> {
    /// Rejects the changes of an op that enlarge the document beyond its limit.
    pub(super) fn within_rows(&self, events: &[M::Event]) -> Result<()> {
        let added = row_count(&self.model).saturating_sub(self.rows_at_first);
        let count = |fate: Fate| {
            let fates = events.iter().filter_map(M::row_of);
            fates.filter(|(_, own)| *own == fate).count()
        };
        if added <= self.row_limit || count(Fate::Added) <= count(Fate::Removed) {
            return Ok(());
        }
        Err(Diagnostic::new(format!(
            "the {} would have over {} rows more than when it was opened (set row-limit:N moves it)",
            M::NOUN,
            thousands(self.row_limit),
        ))
        // Other ops in its place would be as large; none is tried.
        .or_untried(format!("! set row-limit:{}", added.next_multiple_of(100_000))))
    }
}
