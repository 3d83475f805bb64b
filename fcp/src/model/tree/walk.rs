//! Iteration over a tree. Each iterator keeps only its current place.

use super::super::id::Id;
use super::order::{self, NIL, Order};
use super::{Tree, TreeRow};
use crate::work;

/// A step of a walk that visits each row twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<T> {
    /// Before the row's children.
    Enter(T),
    /// After the row's children.
    Leave(T),
}

impl Step<u32> {
    /// The next step.
    fn next(self, order: &Order) -> Option<Self> {
        let enter = |slot: u32| (slot != NIL).then_some(Self::Enter(slot));
        let (first, slot) = match self {
            Self::Enter(slot) => (enter(order.first(slot)), slot),
            Self::Leave(slot) => {
                let leave = || Some(order.parent(slot)).filter(|up| *up != NIL);
                return enter(order.next(slot)).or_else(|| leave().map(Self::Leave));
            }
        };
        Some(first.unwrap_or(Self::Leave(slot)))
    }
}

impl<T, I> Tree<T, I> {
    /// Every row, in the order of the document. Counts as steps of the call for all rows, one for
    /// every four, however many are taken.
    pub fn ids(&self) -> impl Iterator<Item = Id<T>> + '_ {
        // The call fails at its next check.
        let _ = work::spend(self.len() / work::ROWS_A_STEP);
        self.descendants(Self::ROOT)
    }

    /// The children of a row, in order.
    pub fn children(&self, id: Id<T>) -> impl Iterator<Item = Id<T>> + '_ {
        std::iter::successors(self.first_child(id), |child| self.next_sibling(*child))
    }

    /// The ancestors of a row, from the parent up, without the root.
    pub fn ancestors(&self, id: Id<T>) -> impl Iterator<Item = Id<T>> + '_ {
        let up = |id: Id<T>| self.parent(id).filter(|id| *id != Self::ROOT);
        std::iter::successors(up(id), move |id| up(*id))
    }

    /// The descendants of a row, in the order of the document.
    pub fn descendants(&self, id: Id<T>) -> impl Iterator<Item = Id<T>> + '_ {
        let top = self.slot(id);
        let first = top.map_or(NIL, |top| self.order.first(top));
        let behind = move |slot: &u32| {
            let mut slot = *slot;
            let mut next = self.order.first(slot);
            // A row without children is followed by its next sibling, or by that of an ancestor.
            while next == NIL && Some(slot) != top {
                next = self.order.next(slot);
                if next == NIL {
                    slot = self.order.parent(slot);
                }
            }
            (next != NIL).then_some(next)
        };
        let slots = std::iter::successors((first != NIL).then_some(first), behind);
        slots.map(|slot| Id::new(self.order.id(slot)))
    }

    /// The start and end of a row and of each of its descendants. For the root it covers
    /// everything, the root included.
    pub fn walk(&self, id: Id<T>) -> impl Iterator<Item = Step<Id<T>>> + '_ {
        let id_of = |slot| Id::new(self.order.id(slot));
        let steps = self.slot(id).into_iter();
        steps
            .flat_map(|own| self.steps(own))
            .map(move |step| match step {
                Step::Enter(slot) => Step::Enter(id_of(slot)),
                Step::Leave(slot) => Step::Leave(id_of(slot)),
            })
    }

    /// The start and end of every row, with the row: cheaper than to look each up by its id.
    pub fn walk_rows(&self) -> impl Iterator<Item = (Step<Id<T>>, &T)> + '_ {
        self.steps(order::ROOT).filter_map(|step| {
            let (Step::Enter(slot) | Step::Leave(slot)) = step;
            let (id, row) = (Id::new(self.order.id(slot)), self.row_at(slot)?);
            Some(match step {
                Step::Enter(_) => (Step::Enter(id), row),
                Step::Leave(_) => (Step::Leave(id), row),
            })
        })
    }

    /// The start and end of a row and of each of its descendants, by their slots.
    fn steps(&self, own: u32) -> impl Iterator<Item = Step<u32>> + '_ {
        std::iter::successors(Some(Step::Enter(own)), move |step| match *step {
            Step::Leave(slot) if slot == own => None,
            step => step.next(&self.order),
        })
    }
}

impl<T: TreeRow, I> Tree<T, I> {
    /// The tree's text.
    #[must_use]
    pub fn text(&self) -> String {
        self.text_from(order::ROOT)
    }

    /// The text of a row with its descendants; empty if the row does not exist.
    #[must_use]
    pub fn text_of(&self, id: Id<T>) -> String {
        self.slot(id)
            .map_or_else(String::new, |slot| self.text_from(slot))
    }

    fn text_from(&self, slot: u32) -> String {
        let mut text = String::new();
        for step in self.steps(slot) {
            let (Step::Enter(at) | Step::Leave(at)) = step;
            if let Some(row) = self.row_at(at) {
                let mut sink = |piece: &str| text.push_str(piece);
                match step {
                    Step::Enter(_) => row.head(&mut sink),
                    Step::Leave(_) => row.tail(&mut sink),
                }
            }
        }
        text
    }
}
