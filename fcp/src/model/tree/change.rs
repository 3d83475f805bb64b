//! What a tree went through, brought into the fewest changes.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A place among the children of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The id of the row it stands in; 0 for the root.
    pub parent: u32,
    /// The id of the sibling behind it; nothing for the last place.
    pub before: Option<u32>,
}

/// A change of one row of a [`Tree`](super::Tree).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TreeChange<T> {
    /// A row is new.
    Added {
        /// Its id.
        id: u32,
        /// Where it stands.
        at: Place,
        /// Its content.
        row: T,
    },
    /// A row is gone. It had no children any more.
    Removed {
        /// Its id.
        id: u32,
        /// Where it stood.
        at: Place,
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
    /// A row stands elsewhere, with all that is in it.
    Moved {
        /// Its id.
        id: u32,
        /// Where it stood.
        from: Place,
        /// Where it stands, told as if it were not in the tree.
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

/// A change as it is noted when it happens. What a row holds in the end is only asked for when all is done.
#[derive(Debug)]
pub enum Noted<T> {
    /// With the content only if the row is gone again.
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

/// Makes notes into changes: several of one row are one, and what came to nothing is left out. `row` tells what a row
/// holds now.
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

/// Notes that are being brought together.
struct Merged<T> {
    /// In order; nothing where one fell away.
    notes: Vec<Option<Noted<T>>>,
    /// Where rows were added.
    added: FxHashMap<u32, usize>,
    /// Where rows were modified first, if not added here.
    modified: FxHashMap<u32, usize>,
    /// The notes that place rows, but for those that fell away at the end.
    placing: Vec<usize>,
    /// How many notes tell a place by a row, or move it.
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
                // What a row holds places nothing, so the first content and the last are enough.
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

    /// Takes a note that places a row out.
    fn forget(&mut self, ix: usize) -> Option<Noted<T>> {
        let note = self.notes[ix].take()?;
        for id in names(&note) {
            if let Some(count) = self.named.get_mut(&id) {
                *count = count.saturating_sub(1);
            }
        }
        Some(note)
    }

    /// Takes the last note that places a row out, if it added or moved this one: no place was told since.
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

/// The rows that a note tells places by, and the one it moves.
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
