//! The rows touched last.

use std::collections::HashSet;

use super::document::Done;
use crate::event::EventLog;
use crate::model::{Fate, Model, Row};
use crate::verb::Recent;

/// The rows that were touched last according to the log, newest first. Skips view state and
/// nameless container rows. The rows that an op's reply is about come first.
pub(super) fn recent<M: Model>(
    log: &EventLog<Done<M::Event>>,
    wanted: Recent,
    alive: &dyn Fn(Row) -> Option<Row>,
) -> Vec<Row> {
    let (rows_wanted, ops_wanted) = match wanted {
        Recent::Rows(n) => (n, usize::MAX),
        Recent::Ops(n) => (usize::MAX, n),
    };
    let mut rows = Vec::new();
    let mut seen = HashSet::new();
    for entry in log.applied().rev().take(ops_wanted) {
        let about = entry.event.about.iter().map(|row| (*row, Fate::Modified));
        let touched = entry.event.events.iter().rev().filter_map(M::row_of);
        let touched = about.chain(touched);
        let shown = |row: Row| {
            M::SHAPE
                .parts
                .get(row.part())
                .is_some_and(|part| !part.view && !part.hidden)
        };
        for (row, fate) in touched.filter(|(row, _)| shown(*row)) {
            if rows.len() >= rows_wanted {
                return rows;
            }
            if fate != Fate::Removed
                && let Some(row) = alive(row)
                && seen.insert(row)
            {
                rows.push(row);
            }
        }
    }
    rows
}
