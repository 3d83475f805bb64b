//! Rows that record their changes.

use std::fmt;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use super::entity::Entity;
use super::id::{Id, Ids, Row};
use super::index_cache::Kept;
use super::label::Level;
use super::slab::Slab;
use super::{AnyTable, EntityShape, Fate, Journaled, Part};
use crate::diag::{Diagnostic, Result};
use crate::work;

/// Rows of one kind, by id.
///
/// Every change is recorded. The indices and the content hash follow every change, including undo
/// and redo.
pub struct Table<T: Entity> {
    rows: Slab<T>,
    ids: Ids,
    kept: Kept<T>,
    pending: Pending<T>,
}

/// The rows that changed since the last drain. In a large table most are new rows, as after reading
/// a file, so the earlier contents are stored separately.
struct Pending<T> {
    /// The ids, each with whether the row existed before.
    rows: Vec<(u32, bool)>,
    /// The earlier contents of the rows that existed, in the same order.
    before: Vec<T>,
}

impl<T> Default for Pending<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            before: Vec::new(),
        }
    }
}

impl<T> Pending<T> {
    fn came(&mut self, id: u32) {
        self.rows.push((id, false));
    }

    fn was(&mut self, id: u32, before: T) {
        self.rows.push((id, true));
        self.before.push(before);
    }

    /// Each changed row with its content before the first of its changes.
    fn firsts(self) -> impl Iterator<Item = (u32, Option<T>)> {
        // If the ids ascend, each row changed only once.
        let is_once = self.rows.is_sorted_by(|one, next| one.0 < next.0);
        let mut seen = FxHashSet::default();
        let mut before = self.before.into_iter();
        let rows = self.rows.into_iter();
        let rows = rows.map(move |(id, was)| (id, was.then(|| before.next()).flatten()));
        rows.filter(move |(id, _)| is_once || seen.insert(*id))
    }
}

/// A change of one row of a [`Table`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RowChange<T> {
    /// A row was added.
    Added {
        /// Its id.
        id: u32,
        /// Its content.
        row: T,
    },
    /// A row was removed.
    Removed {
        /// Its id.
        id: u32,
        /// Its last content.
        row: T,
    },
    /// The content of a row changed.
    Modified {
        /// Its id.
        id: u32,
        /// The content before.
        before: T,
        /// The content after.
        after: T,
    },
}

impl<T: Entity> Table<T> {
    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 0
    }

    /// A row.
    #[must_use]
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.rows.get(id.number())
    }

    /// A row that is required to exist.
    ///
    /// # Errors
    /// The same op removed it.
    pub fn need(&self, id: Id<T>) -> Result<&T> {
        self.get(id)
            .ok_or_else(|| Diagnostic::new(format!("{} {id} is gone", T::SHAPE.kind)))
    }

    /// Every row with its id, in order of ids. Counts as steps of the call, one for every four
    /// rows that are passed.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Id<T>, &T)> + Clone {
        let rows = self.rows.iter_reporting(|rows| {
            // The call fails at its next check.
            let _ = work::spend(rows.div_ceil(work::ROWS_A_STEP));
        });
        rows.map(|(id, row)| (Id::new(id), row))
    }

    /// The table's sorted index besides ids and labels.
    ///
    /// It follows changes one by one. If many rows change without a query in between, it is rebuilt
    /// from all rows at the next query: an op on all rows costs one sort.
    #[must_use]
    pub fn index(&self) -> &T::Index {
        self.kept.index(&self.rows)
    }

    /// The rows whose label matches at `level`, in order of ids.
    #[must_use]
    pub fn by_label(&self, text: &str, level: Level) -> Vec<u32> {
        self.kept.labels.find(text, level)
    }

    /// The position of a row among those with its label, from 1; `None` if the label is unique.
    pub(super) fn nth_of_label(&self, id: u32, label: &str) -> Option<usize> {
        let labels = &self.kept.labels;
        let shared = labels.count(label) > 1;
        shared.then(|| labels.ordinal(id, label)).flatten()
    }

    /// Announces `changes` changes of rows without a query of the index in between: if there are
    /// many, the index does not follow them one by one.
    pub fn brace(&mut self, changes: usize) {
        self.kept.brace(changes);
        let changes = changes.min(self.rows.len());
        self.pending.rows.reserve(changes);
        self.pending.before.reserve(changes);
    }

    /// Announces changes that are not recorded, those of undo and redo.
    pub(crate) fn brace_index(&self, changes: usize) {
        self.kept.brace(changes);
    }

    /// Adds a row.
    pub fn insert(&mut self, row: T) -> Id<T> {
        let id = self.ids.draw();
        self.enter(id, row);
        self.pending.came(id);
        Id::new(id)
    }

    /// Restores a row that the same op removed: it keeps its id, with the given content. If the row
    /// still exists, or its id was never drawn, it is added as a new row.
    pub fn resume(&mut self, id: Id<T>, row: T) -> Id<T> {
        let number = id.number();
        if self.rows.get(number).is_some() || !self.ids.is_drawn(number) {
            return self.insert(row);
        }
        self.enter(number, row);
        self.pending.came(number);
        id
    }

    /// Changes a row. Returns whether anything changed; false if the row does not exist.
    pub fn modify(&mut self, id: Id<T>, change: impl FnOnce(&mut T)) -> bool {
        let (id, rows) = (id.number(), self.rows.len());
        let Some(row) = self.rows.get_mut(id) else {
            return false;
        };
        let before = row.clone();
        change(row);
        if before == *row {
            return false;
        }
        self.kept.changed(id, &before, row, rows);
        self.pending.was(id, before);
        true
    }

    /// Removes a row and returns it, if it existed.
    pub fn remove(&mut self, id: Id<T>) -> Option<T> {
        let id = id.number();
        let row = self.leave(id)?;
        self.pending.was(id, row.clone());
        Some(row)
    }

    /// The sum of the hashes of the rows that belong to `parent`.
    pub(crate) fn content_sum(&self, parent: u32) -> u64 {
        self.kept.sum(parent)
    }

    pub(crate) fn tie_sums(&self) -> impl Iterator<Item = (&[u32], u64)> {
        self.kept.ties()
    }

    pub(crate) fn owners_of(&self, rows: &[Row]) -> Vec<(&'static str, u32)> {
        let (mut found, mut last) = (Vec::new(), 0..0);
        // In order, rows are adjacent in memory, and most have the same owners as the row before.
        for row in rows.iter().filter_map(|row| self.rows.get(row.id())) {
            let same = found.get(last.clone()).unwrap_or_default().iter().copied();
            if !self.kept.owners(row).eq(same) {
                let from = found.len();
                found.extend(self.kept.owners(row));
                last = from..found.len();
            }
        }
        found
    }

    pub(crate) fn take_left(&mut self) -> Vec<(&'static str, u32)> {
        self.kept.take_left()
    }

    pub(crate) const fn reference_count(&self) -> usize {
        self.kept.references()
    }

    /// Checks that labels, sums and indices equal those built from the rows.
    pub(crate) fn audit(&self) -> Result<(), String> {
        self.kept.audit(&self.rows)
    }

    fn enter(&mut self, id: u32, row: T) {
        self.kept.came(id, &row, self.rows.len());
        self.rows.insert(id, row);
    }

    /// Replaces the row with the same id, or adds it.
    fn put(&mut self, id: u32, row: &T) {
        let rows = self.rows.len();
        match self.rows.get_mut(id) {
            Some(own) => {
                self.kept.changed(id, own, row, rows);
                own.clone_from(row);
            }
            None => self.enter(id, row.clone()),
        }
    }

    fn leave(&mut self, id: u32) -> Option<T> {
        let row = self.rows.remove(id)?;
        self.kept.went(id, &row, self.rows.len());
        Some(row)
    }
}

impl<T> RowChange<T> {
    /// The row's id.
    pub const fn id(&self) -> u32 {
        match self {
            Self::Added { id, .. } | Self::Removed { id, .. } | Self::Modified { id, .. } => *id,
        }
    }

    /// The row's content before and after.
    pub const fn images(&self) -> (Option<&T>, Option<&T>) {
        match self {
            Self::Added { row, .. } => (None, Some(row)),
            Self::Removed { row, .. } => (Some(row), None),
            Self::Modified { before, after, .. } => (Some(before), Some(after)),
        }
    }

    /// The change of a row from `before` to `after`; `None` if there is no difference.
    fn between(id: u32, before: Option<T>, after: Option<&T>) -> Option<Self>
    where
        T: Clone + PartialEq,
    {
        Some(match (before, after.cloned()) {
            (None, None) => return None,
            (None, Some(row)) => Self::Added { id, row },
            (Some(row), None) => Self::Removed { id, row },
            (Some(before), Some(after)) if before == after => return None,
            (Some(before), Some(after)) => Self::Modified { id, before, after },
        })
    }
}

impl<T: Entity> Journaled for Table<T> {
    type Change = RowChange<T>;

    const SHAPE: Option<&'static EntityShape> = Some(T::SHAPE);

    fn attach(ids: &Ids) -> Self {
        Self {
            rows: Slab::default(),
            ids: ids.share(),
            kept: Kept::default(),
            pending: Pending::default(),
        }
    }

    fn ids(&self) -> Option<&Ids> {
        Some(&self.ids)
    }

    fn drain(&mut self) -> Vec<RowChange<T>> {
        let mut changes = Vec::new();
        self.drain_into(&mut changes, |change| change);
        changes
    }

    fn forget(&mut self) {
        self.pending = Pending::default();
    }

    fn drain_into<E>(&mut self, events: &mut Vec<E>, wrap: impl FnMut(RowChange<T>) -> E) {
        let pending = std::mem::take(&mut self.pending);
        events.reserve(pending.rows.len());
        let changes = pending.firsts();
        let changes =
            changes.filter_map(|(id, before)| RowChange::between(id, before, self.rows.get(id)));
        events.extend(changes.map(wrap));
    }

    fn reverse(&mut self, change: &RowChange<T>) {
        match change {
            RowChange::Added { id, .. } => drop(self.leave(*id)),
            RowChange::Removed { id, row }
            | RowChange::Modified {
                id, before: row, ..
            } => self.put(*id, row),
        }
    }

    fn replay(&mut self, change: &RowChange<T>) {
        match change {
            RowChange::Removed { id, .. } => drop(self.leave(*id)),
            RowChange::Added { id, row } | RowChange::Modified { id, after: row, .. } => {
                self.put(*id, row);
            }
        }
    }

    fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<Vec<T>>()
    }

    fn part(&self) -> Part<'_> {
        Part::Rows(self)
    }

    fn rows_mut(&mut self) -> Option<&mut dyn AnyTable> {
        Some(self)
    }

    fn row_of(change: &RowChange<T>) -> Option<(u32, Fate)> {
        Some(match change {
            RowChange::Added { id, .. } => (*id, Fate::Added),
            RowChange::Removed { id, .. } => (*id, Fate::Removed),
            RowChange::Modified { id, .. } => (*id, Fate::Modified),
        })
    }

    fn weight(change: &RowChange<T>) -> usize {
        size_of::<RowChange<T>>()
            + match change {
                RowChange::Added { row, .. } | RowChange::Removed { row, .. } => row.heap(),
                RowChange::Modified { before, after, .. } => before.heap() + after.heap(),
            }
    }
}

impl<T: Entity> fmt::Debug for Table<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.rows.iter()).finish()
    }
}
