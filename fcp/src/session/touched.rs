//! Which rows were touched last.

use std::collections::HashSet;

use super::document::Done;
use crate::event::EventLog;
use crate::model::{Fate, Model, Row};
use crate::verb::Recent;

/// The rows that the log says were touched last, newest first. View state is no row anybody touched, nor is what holds
/// rows together and has no name. What an op says it is about comes first.
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
