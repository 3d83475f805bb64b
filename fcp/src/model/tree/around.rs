//! Tells the index which rows contain which.

use super::order::{NIL, Order};
use super::{Tree, TreeRow};
use crate::model::{Id, RowIndex};

impl<T: TreeRow, I: RowIndex<T>> Tree<T, I> {
    /// Moves a row, with its descendants, to another place.
    pub(super) fn shift_to(&mut self, slot: u32, within: u32, sibling: u32) {
        let other = self.order.parent(slot) != within;
        if other {
            self.tell_all(slot, false);
        }
        self.order.detach(slot);
        self.order.attach(slot, within, sibling);
        if other {
            self.tell_all(slot, true);
        }
        let mut around = Around::of(&self.order, &self.rows, slot);
        if let Some(row) = self.rows.get(slot as usize).and_then(Option::as_ref) {
            let id = Id::new(self.order.id(slot));
            self.index.moved(id, row, &mut around);
        }
    }

    /// Tells the index which rows contain a row and each of its descendants.
    fn tell_all(&mut self, slot: u32, there: bool) {
        let Some(top) = self.id_at(slot) else { return };
        let inner: Vec<Id<T>> = self.descendants(top).collect();
        for id in std::iter::once(top).chain(inner) {
            let Some(slot) = self.slot(id) else { continue };
            let mut around = Around::of(&self.order, &self.rows, slot);
            if let Some(row) = self.rows.get(slot as usize).and_then(Option::as_ref) {
                self.index.stands(id, row, &mut around, there);
            }
        }
    }
}

/// The rows that contain a row, the innermost first.
pub(super) struct Around<'t, T> {
    order: &'t Order,
    rows: &'t [Option<T>],
    slot: u32,
}

impl<'t, T> Around<'t, T> {
    pub(super) const fn of(order: &'t Order, rows: &'t [Option<T>], slot: u32) -> Self {
        Self { order, rows, slot }
    }
}

impl<'t, T> Iterator for Around<'t, T> {
    type Item = (Id<T>, &'t T);

    fn next(&mut self) -> Option<(Id<T>, &'t T)> {
        if self.slot == NIL {
            return None;
        }
        self.slot = self.order.parent(self.slot);
        // The root is not a row.
        let row = self.rows.get(self.slot as usize)?.as_ref()?;
        Some((Id::new(self.order.id(self.slot)), row))
    }
}
