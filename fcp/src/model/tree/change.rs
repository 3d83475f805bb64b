//! Merges the changes of a tree into as few as possible.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A place among the children of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The id of the parent; 0 for the root.
    pub parent: u32,
    /// The id of the next sibling; `None` for the last place.
    pub before: Option<u32>,
}

/// A change of one row of a [`Tree`](super::Tree).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TreeChange<T> {
    /// A row was added.
    Added {
        /// Its id.
        id: u32,
        /// Its place.
        at: Place,
        /// Its content.
        row: T,
    },
    /// A row was removed. It had no children left.
    Removed {
        /// Its id.
        id: u32,
        /// Its last place.
        at: Place,
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
    /// A row was moved, with its descendants.
    Moved {
        /// Its id.
        id: u32,
        /// Its old place.
        from: Place,
        /// Its new place, as if the row were not in the tree.
        to: Place,
    },
}

impl<T> TreeChange<T> {
    /// The row's id.
    pub const fn id(&self) -> u32 {
        match self {
            Self::Added { id, .. }
            | Self::Removed { id, .. }
            | Self::Modified { id, .. }
            | Self::Moved { id, .. } => *id,
        }
    }
}

/// A change as recorded when it happens. The final content of a row is looked up only at the end.
#[derive(Debug)]
pub enum Noted<T> {
    /// The content is present only if the row was removed again.
    Added {
        id: u32,
        at: Place,
        row: Option<T>,
    },
    Removed {
        id: u32,
        at: Place,
        row: T,
    },
    Modified {
        id: u32,
        before: T,
    },
    Moved {
        id: u32,
        from: Place,
        to: Place,
    },
}

/// Turns notes into changes: several notes of one row are merged, and those without effect are left
/// out. `row` returns the current content of a row.
pub fn merge<'t, T: Clone + PartialEq + 't>(
    notes: Vec<Noted<T>>,
    row: impl Fn(u32) -> Option<&'t T>,
) -> Vec<TreeChange<T>> {
    let only_added = notes
        .iter()
        .all(|note| matches!(note, Noted::Added { row: None, .. }));
    let notes: Vec<Option<Noted<T>>> = if only_added {
        notes.into_iter().map(Some).collect()
    } else {
        let mut merged = Merged::default();
        notes.into_iter().for_each(|note| merged.take(note));
        merged.notes
    };
    let change = |note| {
        Some(match note {
            Noted::Added { id, at, row: gone } => {
                let row = gone.or_else(|| row(id).cloned())?;
                TreeChange::Added { id, at, row }
            }
            Noted::Removed { id, at, row } => TreeChange::Removed { id, at, row },
            Noted::Modified { id, before } => {
                let after = row(id).filter(|after| **after != before)?.clone();
                TreeChange::Modified { id, before, after }
            }
            Noted::Moved { id, from, to } => TreeChange::Moved { id, from, to },
        })
    };
    notes.into_iter().flatten().filter_map(change).collect()
}

/// Notes while they are merged.
struct Merged<T> {
    /// In order; `None` for dropped notes.
    notes: Vec<Option<Noted<T>>>,
    /// The note that added each row, by id.
    added: FxHashMap<u32, usize>,
    /// The first note that modified each row, by id, if it was not added here.
    modified: FxHashMap<u32, usize>,
    /// The notes that place rows, without the dropped ones at the end.
    placing: Vec<usize>,
    /// The number of notes that give a place by a row, or move it.
    named: FxHashMap<u32, usize>,
}

impl<T> Default for Merged<T> {
    fn default() -> Self {
        Self {
            notes: Vec::new(),
            added: FxHashMap::default(),
            modified: FxHashMap::default(),
            placing: Vec::new(),
            named: FxHashMap::default(),
        }
    }
}

impl<T: Clone> Merged<T> {
    fn take(&mut self, note: Noted<T>) {
        match note {
            Noted::Modified { id, .. } => {
                // A row's content does not affect places, so its first and last contents suffice.
                if !self.added.contains_key(&id) && !self.modified.contains_key(&id) {
                    self.modified.insert(id, self.notes.len());
                    self.notes.push(Some(note));
                }
            }
            Noted::Added { id, at, row } => {
                self.added.insert(id, self.notes.len());
                self.place(Noted::Added { id, at, row });
            }
            Noted::Moved { id, from, to } => match self.drop_last_of(id) {
                None => self.place(Noted::Moved { id, from, to }),
                Some(Noted::Moved { from, .. }) if from == to => {}
                Some(Noted::Moved { from, .. }) => self.place(Noted::Moved { id, from, to }),
                Some(added) => {
                    let Noted::Added { id, row, .. } = added else {
                        return;
                    };
                    self.take(Noted::Added { id, at: to, row });
                }
            },
            Noted::Removed { id, at, row } => self.remove(id, at, row),
        }
    }

    fn remove(&mut self, id: u32, mut at: Place, row: T) {
        let first = self.modified.remove(&id);
        let row = match first.and_then(|ix| self.notes[ix].take()) {
            Some(Noted::Modified { before, .. }) => before,
            _ => row,
        };
        match self.drop_last_of(id) {
            Some(Noted::Moved { from, .. }) => at = from,
            Some(_) => return,
            None => {}
        }
        if let Some(ix) = self.added.get(&id).copied() {
            if self.named.get(&id).is_none_or(|count| *count == 0) {
                self.forget(ix);
                self.added.remove(&id);
                return;
            }
            if let Some(Noted::Added { row: gone, .. }) = &mut self.notes[ix] {
                *gone = Some(row.clone());
            }
        }
        self.place(Noted::Removed { id, at, row });
    }

    /// Adds a note that places a row.
    fn place(&mut self, note: Noted<T>) {
        for id in names(&note) {
            *self.named.entry(id).or_default() += 1;
        }
        self.placing.push(self.notes.len());
        self.notes.push(Some(note));
    }

    /// Drops a note that places a row.
    fn forget(&mut self, ix: usize) -> Option<Noted<T>> {
        let note = self.notes[ix].take()?;
        for id in names(&note) {
            if let Some(count) = self.named.get_mut(&id) {
                *count = count.saturating_sub(1);
            }
        }
        Some(note)
    }

    /// Drops the last note that places a row, if it added or moved the given row: no place was
    /// given by it since.
    fn drop_last_of(&mut self, id: u32) -> Option<Noted<T>> {
        while let Some(ix) = self.placing.last().copied() {
            match &self.notes[ix] {
                None => {
                    self.placing.pop();
                }
                Some(Noted::Added { id: own, .. } | Noted::Moved { id: own, .. }) if *own == id => {
                    self.placing.pop();
                    if self.added.get(&id) == Some(&ix) {
                        self.added.remove(&id);
                    }
                    return self.forget(ix);
                }
                Some(_) => break,
            }
        }
        None
    }
}

/// The rows by which a note gives places, and the row it moves.
fn names<T>(note: &Noted<T>) -> impl Iterator<Item = u32> + use<T> {
    let (own, places) = match note {
        Noted::Added { at, .. } | Noted::Removed { at, .. } => (None, [Some(*at), None]),
        Noted::Moved { id, from, to } => (Some(*id), [Some(*from), Some(*to)]),
        Noted::Modified { .. } => (None, [None, None]),
    };
    let named = |place: Place| [Some(place.parent), place.before].into_iter().flatten();
    own.into_iter()
        .chain(places.into_iter().flatten().flat_map(named))
}
