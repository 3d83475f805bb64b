//! Undo and redo of a tree's changes.

use super::order::{NIL, ROOT};
use super::{Order, Place, Poly, Tree, TreeChange, TreeRow, change};
use crate::model::slab::Slab;
use crate::model::{Fate, Id, Ids, Journaled, Part, RowIndex};

impl<T: TreeRow, I: RowIndex<T>> Tree<T, I> {
    /// Puts a row at the place of a change. A change that does not fit, which only a corrupted log
    /// contains, is applied as nearly as possible.
    fn put(&mut self, id: u32, at: Place, row: &T) {
        if self.slots.get(id).is_some() {
            return self.swap(id, row.clone());
        }
        let (parent, before) = self.slots_of(at);
        self.enter(id, row.clone(), parent, before);
    }

    fn drop_row(&mut self, id: u32) {
        let id = Id::new(id);
        let mut inner: Vec<_> = self.descendants(id).map(Id::number).collect();
        inner.reverse();
        for id in inner.into_iter().chain([id.number()]) {
            self.leave(id);
        }
    }

    fn shift(&mut self, id: u32, to: Place) {
        let parent = Id::new(to.parent);
        let Some(slot) = self.slots.get(id).copied() else {
            return;
        };
        if slot == ROOT || self.is_within(parent, Id::new(id)) {
            return;
        }
        // A place is given as if the row were not in the tree, so it never refers to the row
        // itself.
        let (parent, before) = self.slots_of(to);
        self.shift_to(slot, parent, if before == slot { NIL } else { before });
    }

    fn slots_of(&self, at: Place) -> (u32, u32) {
        let slot = |id: u32| self.slots.get(id).copied();
        let parent = slot(at.parent).unwrap_or(ROOT);
        let before = at.before.and_then(slot);
        let before = before.filter(|before| self.order.parent(*before) == parent);
        (parent, before.unwrap_or(NIL))
    }

    /// Checks that order, hash and index equal those built from the rows: for tests.
    ///
    /// # Errors
    /// The parts that differ.
    pub fn audit(&self) -> Result<(), String> {
        let mut index = I::default();
        let mut found = 0;
        self.order.audit(ROOT)?;
        for id in self.ids() {
            let (Some(row), Some(slot)) = (self.get(id), self.slot(id)) else {
                return Err(format!("{id} has no content"));
            };
            index.insert(id, row);
            self.order.audit(slot)?;
            if self.order.id(slot) != id.number() {
                return Err(format!("{id} is in another row's place"));
            }
            found += 1;
        }
        let parts = [
            ("rows", found == self.len()),
            ("index", self.index.agrees(&index)),
            ("hash", Poly::of(&self.text()).finish() == self.hash()),
        ];
        match parts.iter().find(|(_, same)| !same) {
            None => Ok(()),
            Some((part, _)) => Err(format!("the tree's {part} is not that of its rows")),
        }
    }
}

impl<T: TreeRow, I: RowIndex<T>> Journaled for Tree<T, I> {
    type Change = TreeChange<T>;

    fn attach(ids: &Ids) -> Self {
        let mut slots = Slab::default();
        slots.insert(0, ROOT);
        Self {
            order: Order::new(),
            rows: vec![None],
            slots,
            ids: ids.share(),
            index: I::default(),
            pending: Vec::new(),
        }
    }

    fn ids(&self) -> Option<&Ids> {
        Some(&self.ids)
    }

    fn drain(&mut self) -> Vec<TreeChange<T>> {
        let pending = std::mem::take(&mut self.pending);
        change::merge(pending, |id| self.get(Id::new(id)))
    }

    fn reverse(&mut self, change: &TreeChange<T>) {
        match change {
            TreeChange::Added { id, .. } => self.drop_row(*id),
            TreeChange::Removed { id, at, row } => self.put(*id, *at, row),
            TreeChange::Modified { id, before, .. } => self.swap(*id, before.clone()),
            TreeChange::Moved { id, from, .. } => self.shift(*id, *from),
        }
    }

    fn replay(&mut self, change: &TreeChange<T>) {
        match change {
            TreeChange::Added { id, at, row } => self.put(*id, *at, row),
            TreeChange::Removed { id, .. } => self.drop_row(*id),
            TreeChange::Modified { id, after, .. } => self.swap(*id, after.clone()),
            TreeChange::Moved { id, to, .. } => self.shift(*id, *to),
        }
    }

    fn schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<Vec<T>>()
    }

    fn part(&self) -> Part<'_> {
        Part::Value(self.hash())
    }

    fn row_of(change: &TreeChange<T>) -> Option<(u32, Fate)> {
        Some(match change {
            TreeChange::Added { id, .. } => (*id, Fate::Added),
            TreeChange::Removed { id, .. } => (*id, Fate::Removed),
            TreeChange::Modified { id, .. } => (*id, Fate::Modified),
            TreeChange::Moved { id, .. } => (*id, Fate::Moved),
        })
    }

    fn weight(change: &TreeChange<T>) -> usize {
        size_of::<TreeChange<T>>()
            + match change {
                TreeChange::Added { row, .. } | TreeChange::Removed { row, .. } => row.heap(),
                TreeChange::Modified { before, after, .. } => before.heap() + after.heap(),
                TreeChange::Moved { .. } => 0,
            }
    }
}
