//! Pairs of rows of two documents that are taken for the same row.

use std::hash::Hash;

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
    let mut pairing = Pairing::of([old, new]);
    for key in keys {
        pairing.by(|row| key.of(row, repeating), |_, _| true);
    }
    pairing.partner
}

/// The partners of rows that are left, anywhere in the file. Those with places: by these, with their name if possible.
/// The others: by their name, their content, the row that they are in if they have no name of their own, or if they are
/// the only ones of their kind. Rows with names of their own then have at least half of their fields in common.
pub(super) fn left_over(old: &[Option<Shown>], new: &[Option<Shown>]) -> Vec<Option<usize>> {
    let free = |row: &Shown| row.place.is_none();
    let names = repeated([old, new], |row| &row.name);
    let kinds = repeated([old, new], |row| &row.kind);
    let mut pairing = Pairing::of([old, new]);
    for key in [Key::NameAndPlace, Key::Place] {
        pairing.by(|row| key.of(row, &FxHashSet::default()), |_, _| true);
    }
    let alone = |row: &Shown, often: &FxHashSet<String>, key: &str| {
        free(row) && !is_nameless(row) && !often.contains(key)
    };
    pairing.by(
        |row| alone(row, &names, &row.name).then_some(&row.name),
        is_alike,
    );
    pairing.by(
        |row| free(row).then(|| (&row.kind, content(row))),
        |_, _| true,
    );
    pairing.by(
        |row| Some((&row.kind, row.within?)).filter(|_| free(row) && is_nameless(row)),
        |_, _| true,
    );
    pairing.by(
        |row| alone(row, &kinds, &row.kind).then_some(&row.kind),
        is_alike,
    );
    pairing.partner
}

/// Whether a row is only a text.
fn is_nameless(row: &Shown) -> bool {
    matches!(&*row.fields, [only] if only.name.is_empty())
}

/// The fields of a row, but for those that show its name.
fn content(row: &Shown) -> Vec<(&str, Result<&str, u32>)> {
    let others = row.fields.iter().filter(|field| field.text != row.name);
    let fields = others.map(|field| match field.target {
        Some(target) => (&*field.name, Err(target)),
        None => (&*field.name, Ok(&*field.text)),
    });
    fields.collect()
}

/// Whether at least half of the fields of two rows are the same.
fn is_alike(one: &Shown, other: &Shown) -> bool {
    let same = one.fields.iter().filter(|field| {
        let mut fields = other.fields.iter();
        fields.any(|own| own.name == field.name && own.is_same(field))
    });
    2 * same.count() >= one.fields.len().max(other.fields.len())
}

/// The texts that two rows of one side have in common.
fn repeated<'r>(
    sides: [&'r [Option<Shown>]; 2],
    text: impl Fn(&'r Shown) -> &'r str,
) -> FxHashSet<String> {
    let mut often = FxHashSet::default();
    for rows in sides {
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let texts = rows.iter().flatten().map(&text);
        often.extend(texts.filter(|text| !seen.insert(*text)).map(str::to_owned));
    }
    often
}

/// Rows of two documents, and the index of the partner of each row of the first.
struct Pairing<'r> {
    sides: [&'r [Option<Shown>]; 2],
    partner: Vec<Option<usize>>,
    free: Vec<bool>,
}

impl<'r> Pairing<'r> {
    fn of(sides: [&'r [Option<Shown>]; 2]) -> Self {
        let [old, new] = sides;
        Self {
            sides,
            partner: vec![None; old.len()],
            free: vec![true; new.len()],
        }
    }

    /// Pairs the rows with the same key, in their order, if they fit.
    fn by<K: Eq + Hash>(
        &mut self,
        key: impl Fn(&'r Shown) -> Option<K>,
        fits: impl Fn(&Shown, &Shown) -> bool,
    ) {
        let [old, new] = self.sides;
        let mut by_key: FxHashMap<K, Vec<(usize, &Shown)>> = FxHashMap::default();
        for (ix, (row, free)) in new.iter().zip(&self.free).enumerate().rev() {
            if let (Some(row), true) = (row, free)
                && let Some(key) = key(row)
            {
                by_key.entry(key).or_default().push((ix, row));
            }
        }
        for (row, slot) in old.iter().zip(&mut self.partner) {
            let (Some(row), None) = (row, &slot) else {
                continue;
            };
            let others = key(row).and_then(|key| by_key.get_mut(&key));
            let next = others.and_then(|others| others.pop_if(|(_, other)| fits(row, other)));
            *slot = next.map(|(ix, _)| ix);
            if let Some(free) = slot.and_then(|at| self.free.get_mut(at)) {
                *free = false;
            }
        }
    }
}
