//! Pairs of rows of two documents that are taken for the same row.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::account::Shown;

/// The keys by which the rows of a differing range are paired: named ones keep their name, others their place.
pub(super) const KEYS: [[Key; 3]; 2] = [
    [Key::NameAndPlace, Key::Name, Key::Place],
    [Key::NameAndPlace, Key::Place, Key::Name],
];

/// The kinds of which two rows have one name.
pub(super) fn repeating(rows: &[Option<Shown>]) -> FxHashSet<String> {
    let mut names: FxHashSet<(&str, &str)> = FxHashSet::default();
    let shown = rows.iter().flatten();
    let again = shown.filter(|row| !names.insert((&row.kind, &row.name)));
    again.map(|row| row.kind.to_string()).collect()
}

/// The properties that two rows of one kind share, if they are taken for the same row.
#[derive(Clone, Copy)]
pub(super) enum Key {
    NameAndPlace,
    Name,
    Place,
    /// The kind alone, for kinds whose names repeat.
    Kind,
}

impl Key {
    fn of<'r>(
        self,
        row: &'r Shown,
        repeating: &FxHashSet<String>,
    ) -> Option<(&'r str, &'r str, &'r str)> {
        let place = row.place.as_deref();
        Some(match self {
            Self::NameAndPlace => (&row.kind, &row.name, place?),
            Self::Name => (&row.kind, &row.name, ""),
            Self::Place => (&row.kind, "", place?),
            Self::Kind if repeating.contains(&*row.kind) => (&row.kind, "", ""),
            Self::Kind => (&row.kind, &row.name, ""),
        })
    }
}

/// The index in `new` of the partner of each row of `old`, by the first key that finds one. Of several rows with one
/// key, the first takes the first.
pub(super) fn partners(
    old: &[Option<Shown>],
    new: &[Option<Shown>],
    keys: [Key; 3],
    repeating: &FxHashSet<String>,
) -> Vec<Option<usize>> {
    let mut partner: Vec<Option<usize>> = vec![None; old.len()];
    let mut free = vec![true; new.len()];
    for key in keys {
        let mut by_key: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (ix, (row, free)) in new.iter().zip(&free).enumerate().rev() {
            if let (Some(key), true) = (row.as_ref().and_then(|row| key.of(row, repeating)), free) {
                by_key.entry(key).or_default().push(ix);
            }
        }
        for (row, slot) in old.iter().zip(&mut partner) {
            let (Some(key), None) = (row.as_ref().and_then(|row| key.of(row, repeating)), &slot)
            else {
                continue;
            };
            *slot = by_key.get_mut(&key).and_then(Vec::pop);
            if let Some(free) = slot.and_then(|at| free.get_mut(at)) {
                *free = false;
            }
        }
    }
    partner
}
