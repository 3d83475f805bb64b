//! An ordered hierarchy that records its changes.
//! Rows without an order of their own are in a table.

mod around;
mod change;
mod journal;
mod order;
mod walk;

use std::cmp::Ordering;
use std::fmt::{self, Debug};

use serde::Serialize;
use serde::de::DeserializeOwned;

use self::around::Around;
use self::change::Noted;
use self::order::{NIL, Order};
use super::entity::RowIndex;
use super::id::{Id, Ids};
use super::rolling_hash::Poly;
use super::slab::Slab;
use crate::bail;
use crate::diag::{Diagnostic, Result};
use crate::work;

pub use change::{Place, TreeChange};
pub use walk::Step;

/// A row of a [`Tree`]: a piece of a text that may contain others.
pub trait TreeRow:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + schemars::JsonSchema + Send + 'static
{
    /// Passes to `sink`, piece by piece, the text before the children.
    fn head(&self, sink: &mut dyn FnMut(&str));

    /// Passes to `sink` the text after the children.
    fn tail(&self, sink: &mut dyn FnMut(&str)) {
        let _ = sink;
    }

    /// The approximate number of bytes that the row keeps outside itself.
    fn heap(&self) -> usize {
        0
    }
}

/// Rows in an ordered hierarchy, by id.
///
/// The id 0 is the root: it has no content, and the top-level rows are its children. Every change
/// is recorded. The index of the rows' content follows every change, including undo and redo; so
/// does the hash, which is that of the tree's text, whatever its division into rows.
///
/// A change or a query of a place costs the logarithm of the number of siblings; no code here is
/// recursive, so a tree may be as deep as memory allows.
///
/// ```
/// use fcp::model::{Ids, Journaled, Tree, TreeRow};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
/// struct Bracket(String);
///
/// impl TreeRow for Bracket {
///     fn head(&self, sink: &mut dyn FnMut(&str)) {
///         sink(&self.0);
///         sink("(");
///     }
///     fn tail(&self, sink: &mut dyn FnMut(&str)) {
///         sink(")");
///     }
/// }
///
/// # fn main() -> fcp::diag::Result<()> {
/// let mut tree: Tree<Bracket> = Tree::attach(&Ids::default());
/// let a = tree.insert(Bracket("a".into()), Tree::<Bracket>::ROOT, None)?;
/// let c = tree.insert(Bracket("c".into()), a, None)?;
/// let b = tree.insert(Bracket("b".into()), a, Some(c))?;
/// assert_eq!(tree.text(), "a(b()c())");
///
/// tree.relocate(b, c, None)?;
/// assert_eq!(tree.text(), "a(c(b()))");
/// assert!(tree.relocate(a, b, None).is_err());
/// # Ok(())
/// # }
/// ```
pub struct Tree<T, I = ()> {
    order: Order,
    /// By slot; `None` for the root and for free slots.
    rows: Vec<Option<T>>,
    /// By id.
    slots: Slab<u32>,
    ids: Ids,
    index: I,
    pending: Vec<Noted<T>>,
}

impl<T, I> Tree<T, I> {
    /// The parent of the top-level rows.
    pub const ROOT: Id<T> = Id::new(0);

    fn slot(&self, id: Id<T>) -> Option<u32> {
        self.slots.get(id.number()).copied()
    }

    fn id_at(&self, slot: u32) -> Option<Id<T>> {
        (slot != NIL).then(|| Id::new(self.order.id(slot)))
    }

    fn row_at(&self, slot: u32) -> Option<&T> {
        self.rows.get(slot as usize)?.as_ref()
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        // The root is not a row.
        self.slots.len().saturating_sub(1)
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a row exists. The root does not count.
    #[must_use]
    pub fn contains(&self, id: Id<T>) -> bool {
        self.get(id).is_some()
    }

    /// A row.
    #[must_use]
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.row_at(self.slot(id)?)
    }

    /// A row that is required to exist.
    ///
    /// # Errors
    /// The same op removed it.
    pub fn need(&self, id: Id<T>) -> Result<&T> {
        self.get(id)
            .ok_or_else(|| Diagnostic::new(format!("{id} is gone")))
    }

    /// The sorted index of the rows' content.
    #[must_use]
    pub const fn index(&self) -> &I {
        &self.index
    }

    /// The parent of a row: another row, or the root.
    #[must_use]
    pub fn parent(&self, id: Id<T>) -> Option<Id<T>> {
        self.id_at(self.order.parent(self.slot(id)?))
    }

    /// The first child.
    #[must_use]
    pub fn first_child(&self, id: Id<T>) -> Option<Id<T>> {
        self.id_at(self.order.first(self.slot(id)?))
    }

    /// The last child.
    #[must_use]
    pub fn last_child(&self, id: Id<T>) -> Option<Id<T>> {
        self.id_at(self.order.last(self.slot(id)?))
    }

    /// The next sibling.
    #[must_use]
    pub fn next_sibling(&self, id: Id<T>) -> Option<Id<T>> {
        self.id_at(self.order.next(self.slot(id)?))
    }

    /// The previous sibling.
    #[must_use]
    pub fn previous_sibling(&self, id: Id<T>) -> Option<Id<T>> {
        self.id_at(self.order.previous(self.slot(id)?))
    }

    /// The number of children.
    #[must_use]
    pub fn child_count(&self, id: Id<T>) -> usize {
        self.slot(id).map_or(0, |slot| self.order.count(slot))
    }

    /// The child at index `n`.
    #[must_use]
    pub fn nth_child(&self, id: Id<T>, n: usize) -> Option<Id<T>> {
        self.id_at(self.order.nth(self.slot(id)?, n))
    }

    /// The row's index among its siblings.
    #[must_use]
    pub fn index_of(&self, id: Id<T>) -> Option<usize> {
        self.slot(id).map(|slot| self.order.rank(slot))
    }

    /// Whether `inner` is `outer` or one of its descendants.
    #[must_use]
    pub fn is_within(&self, inner: Id<T>, outer: Id<T>) -> bool {
        let (Some(mut slot), Some(outer)) = (self.slot(inner), self.slot(outer)) else {
            return false;
        };
        while slot != outer && slot != NIL {
            slot = self.order.parent(slot);
        }
        slot == outer
    }

    /// The order of two rows in the document. A row is before its descendants. Rows that no longer
    /// exist come last, in order of ids.
    #[must_use]
    pub fn order(&self, a: Id<T>, b: Id<T>) -> Ordering {
        let (mut one, mut two) = match (self.slot(a), self.slot(b)) {
            (Some(one), Some(two)) => (one, two),
            (one, two) => return two.is_some().cmp(&one.is_some()).then(a.cmp(&b)),
        };
        let (depth, other) = (self.depth_at(one), self.depth_at(two));
        for _ in other..depth {
            one = self.order.parent(one);
        }
        for _ in depth..other {
            two = self.order.parent(two);
        }
        while one != two && self.order.parent(one) != self.order.parent(two) {
            one = self.order.parent(one);
            two = self.order.parent(two);
        }
        if one == two {
            depth.cmp(&other)
        } else {
            self.order.siblings(one, two)
        }
    }

    /// The number of rows that contain it; 0 for top-level rows.
    #[must_use]
    pub fn depth(&self, id: Id<T>) -> usize {
        self.slot(id)
            .map_or(0, |slot| self.depth_at(slot).saturating_sub(1))
    }

    fn depth_at(&self, mut slot: u32) -> usize {
        let mut depth = 0;
        while self.order.parent(slot) != NIL {
            slot = self.order.parent(slot);
            depth += 1;
        }
        depth
    }

    /// The hash of the tree's text, a function of its bytes alone.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.order.whole(order::ROOT).finish()
    }

    /// The hash of the text of a row with its descendants; of an empty text if the row does not
    /// exist.
    #[must_use]
    pub fn hash_of(&self, id: Id<T>) -> u64 {
        let whole = self.slot(id).map(|slot| self.order.whole(slot));
        whole.unwrap_or(Poly::EMPTY).finish()
    }

    /// The place of a slot.
    fn place(&self, slot: u32) -> Place {
        let before = self.order.next(slot);
        Place {
            parent: self.order.id(self.order.parent(slot)),
            before: (before != NIL).then(|| self.order.id(before)),
        }
    }

    /// The slots of a parent and of the next sibling.
    ///
    /// # Errors
    /// One of the rows does not exist, or the sibling has another parent.
    fn aim(&self, parent: Id<T>, before: Option<Id<T>>) -> Result<(u32, u32)> {
        let Some(within) = self.slot(parent) else {
            bail!("{parent} is gone")
        };
        let Some(sibling) = before else {
            return Ok((within, NIL));
        };
        match self.slot(sibling) {
            None => bail!("{sibling} is gone"),
            Some(slot) if self.order.parent(slot) == within => Ok((within, slot)),
            Some(_) => bail!("{sibling} is not in {parent}"),
        }
    }
}

impl<T: TreeRow, I: RowIndex<T>> Tree<T, I> {
    /// Makes room for `rows` more rows.
    pub fn reserve(&mut self, rows: usize) {
        self.order.reserve(rows);
        self.rows.reserve(rows);
    }

    /// Ends the initial setup: the changes before do not count.
    pub fn begin(&mut self) {
        self.pending = Vec::new();
    }

    /// Adds a row to the children of `parent`, before one of them or last.
    ///
    /// # Errors
    /// The parent does not exist, or `before` is not one of its children.
    pub fn insert(&mut self, row: T, parent: Id<T>, before: Option<Id<T>>) -> Result<Id<T>> {
        let (within, sibling) = self.aim(parent, before)?;
        let id = self.ids.draw();
        self.enter(id, row, within, sibling);
        let at = Place {
            parent: parent.number(),
            before: before.map(Id::number),
        };
        self.pending.push(Noted::Added { id, at, row: None });
        Ok(Id::new(id))
    }

    /// Changes a row. Returns whether anything changed; false if the row does not exist.
    pub fn modify(&mut self, id: Id<T>, change: impl FnOnce(&mut T)) -> bool {
        let Some(before) = self.get(id).cloned() else {
            return false;
        };
        let mut after = before.clone();
        change(&mut after);
        if after == before {
            return false;
        }
        // The call fails at its next check.
        let _ = work::spend(work::STEPS_A_CHANGE);
        let id = id.number();
        self.swap(id, after);
        self.pending.push(Noted::Modified { id, before });
        true
    }

    /// Moves a row, with its descendants, to the children of `parent`, before one of them or last.
    /// Returns whether its place changed.
    ///
    /// # Errors
    /// One of the rows does not exist, `before` is not a child of `parent`, or `parent` is inside
    /// the row.
    pub fn relocate(&mut self, id: Id<T>, parent: Id<T>, before: Option<Id<T>>) -> Result<bool> {
        let Some(slot) = self.slot(id).filter(|slot| *slot != order::ROOT) else {
            bail!("{id} is gone")
        };
        let (within, mut sibling) = self.aim(parent, before)?;
        if self.is_within(parent, id) {
            bail!("{id} cannot be moved into itself")
        }
        if sibling == slot {
            sibling = self.order.next(slot);
        }
        let from = self.place(slot);
        let to = Place {
            parent: parent.number(),
            before: (sibling != NIL).then(|| self.order.id(sibling)),
        };
        if from == to {
            return Ok(false);
        }
        let _ = work::spend(work::STEPS_A_CHANGE);
        self.shift_to(slot, within, sibling);
        let id = id.number();
        self.pending.push(Noted::Moved { id, from, to });
        Ok(true)
    }

    /// Removes a row with its descendants. Returns whether it existed.
    pub fn remove(&mut self, id: Id<T>) -> bool {
        if !self.contains(id) {
            return false;
        }
        let mut ids: Vec<u32> = self.descendants(id).map(Id::number).collect();
        ids.push(id.number());
        // The descendants are in the order of the document: in reverse, each has no children when
        // it is removed.
        let _ = work::spend(work::STEPS_A_CHANGE * ids.len());
        let (own, inner) = (ids.pop(), ids.into_iter().rev());
        for id in inner.chain(own) {
            if let Some((at, row)) = self.leave(id) {
                self.pending.push(Noted::Removed { id, at, row });
            }
        }
        true
    }

    fn enter(&mut self, id: u32, row: T, parent: u32, before: u32) {
        let (head, tail) = hashes(&row);
        let slot = self.order.take(id, head, tail);
        self.order.attach(slot, parent, before);
        self.index.insert(Id::new(id), &row);
        let mut around = Around::of(&self.order, &self.rows, slot);
        self.index.stands(Id::new(id), &row, &mut around, true);
        self.slots.insert(id, slot);
        let at = slot as usize;
        if at == self.rows.len() {
            self.rows.push(Some(row));
        } else if let Some(empty) = self.rows.get_mut(at) {
            *empty = Some(row);
        }
    }

    /// Removes a row without children.
    fn leave(&mut self, id: u32) -> Option<(Place, T)> {
        let slot = self.slots.get(id).copied()?;
        let row = self.rows.get_mut(slot as usize)?.take()?;
        self.slots.remove(id);
        self.index.remove(Id::new(id), &row);
        let mut around = Around::of(&self.order, &self.rows, slot);
        self.index.stands(Id::new(id), &row, &mut around, false);
        let at = self.place(slot);
        self.order.detach(slot);
        self.order.give_back(slot);
        Some((at, row))
    }

    /// Replaces the content of a row.
    fn swap(&mut self, id: u32, row: T) {
        let Some(slot) = self.slots.get(id).copied() else {
            return;
        };
        let Some(old) = self.rows.get_mut(slot as usize).and_then(Option::take) else {
            return;
        };
        self.index.change(Id::new(id), &old, &row);
        let mut around = Around::of(&self.order, &self.rows, slot);
        self.index.replaced(Id::new(id), &old, &row, &mut around);
        let (head, tail) = hashes(&row);
        self.order.set(slot, head, tail);
        if let Some(empty) = self.rows.get_mut(slot as usize) {
            *empty = Some(row);
        }
    }
}

/// The hashes of a row's text before and after its children.
fn hashes<T: TreeRow>(row: &T) -> (Poly, Poly) {
    let head = Poly::of_pieces(|sink| row.head(sink));
    (head, Poly::of_pieces(|sink| row.tail(sink)))
}

impl<T: Debug, I> Debug for Tree<T, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.ids().map(|id| (id, self.parent(id), self.get(id)));
        f.debug_list().entries(rows).finish()
    }
}
