//! Rows that remember their changes.

use std::collections::BTreeMap;
use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::entity::{Entity, FieldKind, RowIndex};
use super::hash::{hash_of, spread};
use super::id::{Id, Ids};
use super::label::{LabelIndex, Level};
use super::{AnyTable, EntityShape, Fate, Journaled, Part};
use crate::diag::{Diagnostic, Result};

/// Rows of one kind, by id.
///
/// Every change is recorded, and the indices and the content hash follow it, here and in undo and redo alike.
pub struct Table<T: Entity> {
    rows: BTreeMap<u32, T>,
    ids: Ids,
    labels: LabelIndex,
    index: T::Index,
    /// Sums of row hashes by parent, 0 where there is none.
    sums: FxHashMap<u32, u64>,
    /// Sums of row hashes by the ids that rows refer to, where rows of this kind refer to others.
    ties: FxHashMap<Box<[u32]>, u64>,
    /// How many references the rows hold, where rows of this kind hold any.
    references: usize,
    /// Whom rows were tied to that are gone or changed since this was asked for last.
    left: FxHashSet<(&'static str, u32)>,
    pending: Vec<RowChange<T>>,
}

/// A change of one row of a [`Table`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RowChange<T> {
    /// A row is new.
    Added {
        /// Its id.
        id: u32,
        /// Its content.
        row: T,
    },
    /// A row is gone.
    Removed {
        /// Its id.
        id: u32,
        /// Its last content.
        row: T,
    },
    /// A row has another content.
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
    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// A row.
    #[must_use]
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.rows.get(&id.number())
    }

    /// A row that must be there.
    ///
    /// # Errors
    /// It is not, because the same op removed it.
    pub fn need(&self, id: Id<T>) -> Result<&T> {
        self.get(id)
            .ok_or_else(|| Diagnostic::new(format!("{} {id} is gone", T::SHAPE.kind)))
    }

    /// Every row with its id, in order of ids.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Id<T>, &T)> {
        self.rows.iter().map(|(id, row)| (Id::new(*id), row))
    }

    /// What the table keeps sorted besides ids and labels.
    #[must_use]
    pub const fn index(&self) -> &T::Index {
        &self.index
    }

    /// The rows whose label matches at `level`, in order of ids.
    #[must_use]
    pub fn by_label(&self, text: &str, level: Level) -> Vec<u32> {
        self.labels.find(text, level)
    }

    /// Adds a row.
    pub fn insert(&mut self, row: T) -> Id<T> {
        let id = self.ids.draw();
        self.enter(id, row.clone());
        self.pending.push(RowChange::Added { id, row });
        Id::new(id)
    }

    /// Changes a row. Says whether that made a difference; a row that is not there makes none.
    pub fn modify(&mut self, id: Id<T>, change: impl FnOnce(&mut T)) -> bool {
        let id = id.number();
        let Some(row) = self.rows.get_mut(&id) else {
            return false;
        };
        let mut after = row.clone();
        change(&mut after);
        if after == *row {
            return false;
        }
        let before = std::mem::replace(row, after.clone());
        self.follow(id, &before, &after);
        self.pending.push(RowChange::Modified { id, before, after });
        true
    }

    /// Removes a row and hands it back, if it was there.
    pub fn remove(&mut self, id: Id<T>) -> Option<T> {
        let id = id.number();
        let row = self.leave(id)?;
        self.pending.push(RowChange::Removed {
            id,
            row: row.clone(),
        });
        Some(row)
    }

    /// The sum of the hashes of the rows that belong to `parent`.
    pub(crate) fn content_sum(&self, parent: u32) -> u64 {
        self.sums.get(&parent).copied().unwrap_or(0)
    }

    pub(crate) fn tie_sums(&self) -> impl Iterator<Item = (&[u32], u64)> {
        self.ties.iter().map(|(ids, sum)| (&**ids, *sum))
    }

    /// Adds to the sum of the rows that refer to the same rows as this one.
    fn tie(&mut self, row: &T, hash: u64) {
        // More references than this a row may have, but these tell it apart.
        let (mut ids, mut n) = ([0; 8], 0);
        for ((ix, _), id) in T::SHAPE.tied().zip(&mut ids) {
            *id = row.reference(ix).unwrap_or(0);
            n += 1;
        }
        let ids = &ids[..n];
        if ids.is_empty() {
            return;
        }
        match self.ties.get_mut(ids) {
            None => drop(self.ties.insert(ids.into(), hash)),
            Some(sum) => {
                *sum = sum.wrapping_add(hash);
                if *sum == 0 {
                    self.ties.remove(ids);
                }
            }
        }
    }

    pub(crate) fn owners_of(&self, id: u32) -> Vec<(&'static str, u32)> {
        self.rows
            .get(&id)
            .map(|row| owners(row).collect())
            .unwrap_or_default()
    }

    pub(crate) fn take_left(&mut self) -> Vec<(&'static str, u32)> {
        self.left.drain().collect()
    }

    pub(crate) const fn reference_count(&self) -> usize {
        self.references
    }

    /// Checks that labels, sums and indices are those that the rows would give afresh.
    pub(crate) fn audit(&self) -> Result<(), String> {
        let mut fresh: Self = Journaled::attach(&self.ids);
        for (id, row) in &self.rows {
            fresh.enter(*id, row.clone());
        }
        let parts = [
            ("labels", self.labels == fresh.labels),
            ("sums", self.sums == fresh.sums),
            ("ties", self.ties == fresh.ties),
            ("references", self.references == fresh.references),
            ("index", self.index.agrees(&fresh.index)),
        ];
        match parts.iter().find(|(_, same)| !same) {
            None => Ok(()),
            Some((part, _)) => Err(format!(
                "the {part} of {} are not those of the rows",
                T::SHAPE.plural
            )),
        }
    }

    fn enter(&mut self, id: u32, row: T) {
        if let Some(label) = row.label() {
            self.labels.insert(id, &label);
        }
        self.index.insert(Id::new(id), &row);
        let hash = hash_of(&row);
        self.count(row.parent().unwrap_or(0), hash);
        // A row that has no content but what it refers to counts here all the same.
        self.tie(&row, spread(hash));
        self.references += references(&row);
        self.rows.insert(id, row);
    }

    /// Puts a row in the place of another one of the same id, if there is one.
    fn put(&mut self, id: u32, row: &T) {
        match self.rows.get_mut(&id) {
            Some(own) => {
                let before = std::mem::replace(own, row.clone());
                self.follow(id, &before, row);
            }
            None => self.enter(id, row.clone()),
        }
    }

    /// Labels, sums and indices follow a row that has another content. What is as before is not touched: most changes are
    /// of one field, and there may be very many.
    fn follow(&mut self, id: u32, before: &T, after: &T) {
        let labels = (before.label(), after.label());
        if labels.0 != labels.1 {
            labels.0.inspect(|label| self.labels.remove(id, label));
            labels.1.inspect(|label| self.labels.insert(id, label));
        }
        self.index.change(Id::new(id), before, after);
        self.left.extend(owners(before));
        let hashes = (hash_of(before), hash_of(after));
        let parents = (before.parent().unwrap_or(0), after.parent().unwrap_or(0));
        if parents.0 == parents.1 {
            self.count(parents.0, hashes.1.wrapping_sub(hashes.0));
        } else {
            self.count(parents.0, hashes.0.wrapping_neg());
            self.count(parents.1, hashes.1);
        }
        self.tie(before, spread(hashes.0).wrapping_neg());
        self.tie(after, spread(hashes.1));
        self.references -= references(before);
        self.references += references(after);
    }

    /// Adds to the sum of the rows that belong to `parent`.
    fn count(&mut self, parent: u32, hash: u64) {
        if hash == 0 {
            return;
        }
        let sum = self.sums.entry(parent).or_default();
        *sum = sum.wrapping_add(hash);
        if *sum == 0 {
            self.sums.remove(&parent);
        }
    }

    fn leave(&mut self, id: u32) -> Option<T> {
        let row = self.rows.remove(&id)?;
        if let Some(label) = row.label() {
            self.labels.remove(id, &label);
        }
        self.index.remove(Id::new(id), &row);
        self.references -= references(&row);
        self.left.extend(owners(&row));
        let hash = hash_of(&row);
        self.tie(&row, spread(hash).wrapping_neg());
        self.count(row.parent().unwrap_or(0), hash.wrapping_neg());
        Some(row)
    }
}

/// The rows that a row belongs or refers to, each with its kind.
fn owners<T: Entity>(row: &T) -> impl Iterator<Item = (&'static str, u32)> + '_ {
    let fields = T::SHAPE.fields.iter().enumerate();
    let refers = fields.filter_map(|(ix, field)| match field.kind {
        FieldKind::Refers(kind) => row.reference(ix).map(|id| (kind, id)),
        _ => None,
    });
    refers.chain(T::SHAPE.parent.zip(row.parent()))
}

/// How many references a row holds.
fn references<T: Entity>(row: &T) -> usize {
    let refers = |kind: FieldKind| matches!(kind, FieldKind::Refers(_));
    let fields = T::SHAPE
        .fields
        .iter()
        .enumerate()
        .filter(|(_, field)| refers(field.kind));
    fields
        .filter(|(ix, _)| row.reference(*ix).is_some())
        .count()
}

impl<T> RowChange<T> {
    /// The row's id.
    pub const fn id(&self) -> u32 {
        match self {
            Self::Added { id, .. } | Self::Removed { id, .. } | Self::Modified { id, .. } => *id,
        }
    }

    /// What the row held before, and what it holds after.
    pub const fn images(&self) -> (Option<&T>, Option<&T>) {
        match self {
            Self::Added { row, .. } => (None, Some(row)),
            Self::Removed { row, .. } => (Some(row), None),
            Self::Modified { before, after, .. } => (Some(before), Some(after)),
        }
    }

    /// This change and then `next` of the same row, as one change; nothing if they cancel out.
    fn then(self, next: Self) -> Option<Self>
    where
        T: PartialEq,
    {
        match (self, next) {
            (Self::Added { id, .. }, Self::Modified { after, .. }) => {
                Some(Self::Added { id, row: after })
            }
            (Self::Added { .. }, Self::Removed { .. }) => None,
            (Self::Modified { id, before, .. }, Self::Modified { after, .. })
            | (Self::Removed { id, row: before }, Self::Added { row: after, .. }) => {
                (before != after).then_some(Self::Modified { id, before, after })
            }
            (Self::Modified { id, before, .. }, Self::Removed { .. }) => {
                Some(Self::Removed { id, row: before })
            }
            // The rest cannot follow on each other; the later one is the truth.
            (_, next) => Some(next),
        }
    }
}

impl<T: Entity> Journaled for Table<T> {
    type Change = RowChange<T>;

    const SHAPE: Option<&'static EntityShape> = Some(T::SHAPE);

    fn attach(ids: &Ids) -> Self {
        Self {
            rows: BTreeMap::new(),
            ids: ids.share(),
            labels: LabelIndex::default(),
            index: T::Index::default(),
            sums: FxHashMap::default(),
            ties: FxHashMap::default(),
            references: 0,
            left: FxHashSet::default(),
            pending: Vec::new(),
        }
    }

    fn ids(&self) -> Option<&Ids> {
        Some(&self.ids)
    }

    fn drain(&mut self) -> Vec<RowChange<T>> {
        let pending = std::mem::take(&mut self.pending);
        // Rows that were only added, as when a file is read, or one change of each: nothing to bring together.
        if pending.is_sorted_by(|one, next| one.id() < next.id()) {
            return pending;
        }
        let mut places: FxHashMap<u32, usize> = FxHashMap::default();
        let mut changes: Vec<Option<RowChange<T>>> = Vec::with_capacity(pending.len());
        for next in pending {
            match places.get(&next.id()).copied() {
                Some(at) => {
                    changes[at] = match changes[at].take() {
                        Some(first) => first.then(next),
                        None => Some(next),
                    }
                }
                None => {
                    places.insert(next.id(), changes.len());
                    changes.push(Some(next));
                }
            }
        }
        changes.into_iter().flatten().collect()
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
        f.debug_map().entries(&self.rows).finish()
    }
}
