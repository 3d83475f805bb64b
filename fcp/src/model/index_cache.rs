//! A table's indices and their updates.

use std::cell::{Cell, OnceCell};

use rustc_hash::{FxHashMap, FxHashSet};

use super::entity::{Entity, FieldKind, RowIndex};
use super::hash::{hash_of, spread};
use super::id::Id;
use super::label::LabelIndex;
use super::slab::Slab;

/// The limit of changes that an index follows without a query; after that it is rebuilt at the next
/// one: the divisor of the number of rows, and the least number of changes.
const ANEW: (usize, usize) = (8, 1024);

/// Labels, sums and indices of rows.
pub(super) struct Kept<T: Entity> {
    pub(super) labels: LabelIndex,
    /// Built at the first query.
    index: OnceCell<T::Index>,
    /// The number of changes that the index followed since the last query.
    followed: Cell<usize>,
    /// The number of announced changes.
    coming: Cell<usize>,
    /// The old index, which no longer follows changes.
    lapsed: Cell<Option<T::Index>>,
    /// Sums of row hashes by parent, 0 for rows without one.
    sums: FxHashMap<u32, u64>,
    /// Sums of row hashes by the ids that rows refer to, if rows of this kind refer to others.
    ties: FxHashMap<Box<[u32]>, u64>,
    /// The number of references that the rows hold.
    references: usize,
    /// The rows that removed or changed rows were tied to, since the last call of `take_left`.
    left: FxHashSet<(Tie, u32)>,
    /// The indices of fields that refer to others.
    refers: Box<[usize]>,
    /// Those fields that are content and refer to more than the parent.
    tied: Box<[usize]>,
}

/// The tie of a row to another: by a field, or as its child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Tie {
    Field(usize),
    Parent,
}

impl Tie {
    /// The kind of the other row.
    fn kind<T: Entity>(self) -> Option<&'static str> {
        match self {
            Self::Parent => T::SHAPE.parent,
            Self::Field(ix) => match T::SHAPE.fields.get(ix)?.kind {
                FieldKind::Refers(kind) => Some(kind),
                _ => None,
            },
        }
    }
}

impl<T: Entity> Default for Kept<T> {
    fn default() -> Self {
        let fields = T::SHAPE.fields.iter().enumerate();
        let refers = fields.filter(|(_, field)| matches!(field.kind, FieldKind::Refers(_)));
        Self {
            labels: LabelIndex::default(),
            index: OnceCell::new(),
            followed: Cell::new(0),
            coming: Cell::new(0),
            lapsed: Cell::new(None),
            sums: FxHashMap::default(),
            ties: FxHashMap::default(),
            references: 0,
            left: FxHashSet::default(),
            refers: refers.map(|(ix, _)| ix).collect(),
            tied: T::SHAPE.tied().map(|(ix, _)| ix).collect(),
        }
    }
}

impl<T: Entity> Kept<T> {
    pub(super) fn index(&self, rows: &Slab<T>) -> &T::Index {
        self.followed.set(0);
        self.coming.set(0);
        let rows = rows.iter().map(|(id, row)| (Id::new(id), row));
        self.index.get_or_init(|| match self.lapsed.take() {
            Some(lapsed) => lapsed.renewed(rows),
            None => T::Index::of(rows),
        })
    }

    /// Announces `changes` changes.
    pub(super) fn brace(&self, changes: usize) {
        self.coming.set(changes);
    }

    /// Updates the index for a change of one of `rows` rows, as long as that is less work than a
    /// rebuild.
    fn follow(&mut self, id: u32, before: Option<&T>, after: Option<&T>, rows: usize) {
        let (part, least) = ANEW;
        let followed = self.followed.get_mut();
        *followed += 1;
        if self.coming.get().max(*followed) > least.max(rows / part)
            && let Some(index) = self.index.take()
        {
            self.lapsed.set(Some(index));
        }
        match (self.index.get_mut(), self.lapsed.get_mut()) {
            (Some(index), _) => match (before, after) {
                (Some(before), Some(after)) => index.change(Id::new(id), before, after),
                (Some(before), None) => index.remove(Id::new(id), before),
                (None, Some(after)) => index.insert(Id::new(id), after),
                (None, None) => {}
            },
            (None, Some(lapsed)) => lapsed.miss(before, after),
            (None, None) => {}
        }
    }

    /// Adds a row to a table of `rows` rows.
    pub(super) fn came(&mut self, id: u32, row: &T, rows: usize) {
        if let Some(label) = row.label() {
            self.labels.insert(id, &label);
        }
        self.follow(id, None, Some(row), rows);
        let hash = hash_of(row);
        self.count(row.parent().unwrap_or(0), hash);
        // A row whose only content is its references counts here too.
        self.tie(row, || spread(hash));
        self.references += self.references_of(row);
    }

    /// Removes a row of a table of `rows` rows.
    pub(super) fn went(&mut self, id: u32, row: &T, rows: usize) {
        if let Some(label) = row.label() {
            self.labels.remove(id, &label);
        }
        self.follow(id, Some(row), None, rows);
        self.references -= self.references_of(row);
        self.leaves(row);
        let hash = hash_of(row);
        self.tie(row, || spread(hash).wrapping_neg());
        self.count(row.parent().unwrap_or(0), hash.wrapping_neg());
    }

    /// Updates a changed row of a table of `rows` rows. Unaffected parts are not touched: most
    /// changes are of one field, and there may be very many.
    pub(super) fn changed(&mut self, id: u32, before: &T, after: &T, rows: usize) {
        let labels = (before.label(), after.label());
        if labels.0 != labels.1 {
            labels.0.inspect(|label| self.labels.remove(id, label));
            labels.1.inspect(|label| self.labels.insert(id, label));
        }
        if T::Index::tells_apart(before, after) {
            self.follow(id, Some(before), Some(after), rows);
        }
        self.leaves(before);
        let hashes = (hash_of(before), hash_of(after));
        let parents = (before.parent().unwrap_or(0), after.parent().unwrap_or(0));
        if parents.0 == parents.1 {
            self.count(parents.0, hashes.1.wrapping_sub(hashes.0));
        } else {
            self.count(parents.0, hashes.0.wrapping_neg());
            self.count(parents.1, hashes.1);
        }
        self.tie(before, || spread(hashes.0).wrapping_neg());
        self.tie(after, || spread(hashes.1));
        self.references -= self.references_of(before);
        self.references += self.references_of(after);
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

    /// Adds to the sum of the rows that refer to the same rows as this one.
    fn tie(&mut self, row: &T, hash: impl FnOnce() -> u64) {
        // A row may have more references than this, but these suffice to distinguish it.
        let mut ids = [0; 8];
        let n = self.tied.len().min(ids.len());
        if n == 0 {
            return;
        }
        for (ix, id) in self.tied.iter().zip(&mut ids) {
            *id = row.reference(*ix).unwrap_or(0);
        }
        let (ids, hash) = (&ids[..n], hash());
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

    /// Records the rows that a row was tied to.
    fn leaves(&mut self, row: &T) {
        for ix in &self.refers {
            let owner = row.reference(*ix).map(|id| (Tie::Field(*ix), id));
            self.left.extend(owner);
        }
        self.left.extend(row.parent().map(|id| (Tie::Parent, id)));
    }

    /// The number of references that a row holds.
    fn references_of(&self, row: &T) -> usize {
        let there = |ix: &&usize| row.reference(**ix).is_some();
        self.refers.iter().filter(there).count()
    }

    /// The rows that a row belongs or refers to, each with its kind.
    pub(super) fn owners(&self, row: &T) -> impl Iterator<Item = (&'static str, u32)> {
        let refers = |ix: &usize| Some((Tie::Field(*ix).kind::<T>()?, row.reference(*ix)?));
        let parent = T::SHAPE.parent.zip(row.parent());
        self.refers.iter().filter_map(refers).chain(parent)
    }

    pub(super) fn take_left(&mut self) -> Vec<(&'static str, u32)> {
        let left = self.left.drain();
        left.filter_map(|(tie, id)| Some((tie.kind::<T>()?, id)))
            .collect()
    }

    /// The sum of the hashes of the rows that belong to `parent`.
    pub(super) fn sum(&self, parent: u32) -> u64 {
        self.sums.get(&parent).copied().unwrap_or(0)
    }

    pub(super) fn ties(&self) -> impl Iterator<Item = (&[u32], u64)> {
        self.ties.iter().map(|(ids, sum)| (&**ids, *sum))
    }

    pub(super) const fn references(&self) -> usize {
        self.references
    }

    /// Checks that the indices equal those built from the rows.
    pub(super) fn audit(&self, rows: &Slab<T>) -> Result<(), String> {
        let mut fresh = Self::default();
        for (id, row) in rows.iter() {
            fresh.came(id, row, rows.len());
        }
        let parts = [
            ("labels", self.labels == fresh.labels),
            ("sums", self.sums == fresh.sums),
            ("ties", self.ties == fresh.ties),
            ("references", self.references == fresh.references),
            ("index", self.index(rows).agrees(fresh.index(rows))),
        ];
        match parts.iter().find(|(_, same)| !same) {
            None => Ok(()),
            Some((part, _)) => Err(format!(
                "the {part} of {} are not those of the rows",
                T::SHAPE.plural
            )),
        }
    }
}
