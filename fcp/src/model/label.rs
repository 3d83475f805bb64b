//! Rows by label.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Bound;

use super::idset::IdSet;
use crate::value::{Name, Text, fold};

/// A field that names its row, for `#[fcp(label)]`.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot name a row",
    label = "no label",
    note = "a label is a `Name`, a `Text` or a `String`, or an `Option` of one; a computed one is `#[fcp(label = method)]` on the struct"
)]
pub trait Label {
    /// The row's name. An empty text names nothing.
    fn label(&self) -> Option<Cow<'_, str>>;
}

impl Label for String {
    fn label(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(self.as_str())).filter(|label| !label.is_empty())
    }
}

impl Label for Text {
    fn label(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(self.as_str())).filter(|label| !label.is_empty())
    }
}

impl Label for Name {
    fn label(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(self.as_str()))
    }
}

impl<L: Label> Label for Option<L> {
    fn label(&self) -> Option<Cow<'_, str>> {
        self.as_ref().and_then(Label::label)
    }
}

/// The exactness of a name match. Each level includes the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Letter by letter.
    Exact,
    /// Ignores case.
    CaseInsensitive,
    /// Ignores case, hyphens, underscores and whitespace.
    Normalised,
    /// A prefix suffices.
    Prefix,
}

impl Level {
    /// The levels that match a whole label, the strictest first.
    pub const WHOLE: [Self; 3] = [Self::Exact, Self::CaseInsensitive, Self::Normalised];

    /// Whether `text` matches a label at this level.
    #[must_use]
    pub fn matches(self, label: &str, text: &str) -> bool {
        match self {
            Self::Exact => label == text,
            Self::CaseInsensitive => label.to_lowercase() == text.to_lowercase(),
            Self::Normalised => fold(label) == fold(text),
            Self::Prefix => !text.is_empty() && fold(label).starts_with(&fold(text)),
        }
    }
}

/// The ids of rows by folded label, then by label. Each operation on a row costs the same however
/// many rows share its label, except listing them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LabelIndex {
    rows: BTreeMap<Box<str>, Labelled>,
    /// The number of folded labels that several rows share.
    shared: usize,
}

/// The rows with a folded label.
#[derive(Debug, PartialEq, Eq)]
enum Labelled {
    /// One row, and its label if it is not the folded one. Nearly every label has one row.
    One(u32, Option<Box<str>>),
    /// Several rows, by label.
    Several(BTreeMap<Box<str>, IdSet>),
}

impl LabelIndex {
    /// Adds a row with a label.
    pub fn insert(&mut self, id: u32, label: &str) {
        let folded = fold(label);
        match self.rows.entry(folded.clone().into()) {
            Entry::Occupied(mut rows) => {
                let rows = rows.get_mut();
                if let Labelled::One(other, own) = rows {
                    let mut ids = IdSet::default();
                    ids.insert(*other);
                    let label = own.take().unwrap_or_else(|| folded.into());
                    *rows = Labelled::Several(BTreeMap::from([(label, ids)]));
                    self.shared += 1;
                }
                if let Labelled::Several(labels) = rows {
                    match labels.get_mut(label) {
                        Some(ids) => ids.insert(id),
                        None => labels.entry(label.into()).or_default().insert(id),
                    }
                }
            }
            Entry::Vacant(rows) => {
                let own = (*folded != *label).then(|| label.into());
                rows.insert(Labelled::One(id, own));
            }
        }
    }

    /// Removes a row with a label.
    pub fn remove(&mut self, id: u32, label: &str) {
        let folded = fold(label);
        match self.rows.get_mut(&*folded) {
            Some(Labelled::One(own, _)) if *own == id => {
                self.rows.remove(&*folded);
            }
            Some(rows @ Labelled::Several(_)) => {
                let Labelled::Several(labels) = rows else {
                    return;
                };
                if let Some(ids) = labels.get_mut(label) {
                    ids.remove(id);
                    if ids.len() == 0 {
                        labels.remove(label);
                    }
                }
                let mut left = labels.iter();
                let alone = match (left.next(), left.next()) {
                    (Some((label, ids)), None) if ids.len() == 1 => {
                        let own = (**label != *folded).then(|| label.clone());
                        ids.iter().next().map(|id| Labelled::One(id, own))
                    }
                    _ => None,
                };
                if let Some(alone) = alone {
                    *rows = alone;
                    self.shared -= 1;
                }
            }
            _ => {}
        }
    }

    /// Whether no two rows have the same folded label: ignoring case, hyphens, underscores and
    /// whitespace.
    #[must_use]
    pub const fn is_distinct(&self) -> bool {
        self.shared == 0
    }

    /// The number of rows with exactly this label.
    #[must_use]
    pub fn count(&self, label: &str) -> usize {
        let folded = fold(label);
        match self.rows.get(&*folded) {
            Some(Labelled::One(_, own)) => usize::from(own.as_deref().unwrap_or(&folded) == label),
            Some(Labelled::Several(labels)) => labels.get(label).map_or(0, IdSet::len),
            None => 0,
        }
    }

    /// The first row in order of ids with exactly this label.
    #[must_use]
    pub fn first(&self, label: &str) -> Option<u32> {
        let folded = fold(label);
        match self.rows.get(&*folded)? {
            Labelled::One(id, own) => (own.as_deref().unwrap_or(&folded) == label).then_some(*id),
            Labelled::Several(labels) => labels.get(label)?.iter().next(),
        }
    }

    /// The position of a row among those with exactly this label, from 1, in order of ids.
    #[must_use]
    pub fn ordinal(&self, id: u32, label: &str) -> Option<usize> {
        match self.rows.get(&*fold(label))? {
            Labelled::One(own, _) => (*own == id).then_some(1),
            Labelled::Several(labels) => labels.get(label)?.rank(id).map(|before| before + 1),
        }
    }

    /// The rows whose label matches at `level`, in order of ids.
    #[must_use]
    pub fn find(&self, text: &str, level: Level) -> Vec<u32> {
        let folded = fold(text);
        if level == Level::Prefix {
            if folded.is_empty() {
                return Vec::new();
            }
            let from = (Bound::Included(&*folded), Bound::Unbounded);
            let mut ids = Vec::new();
            let begun = self.rows.range::<str, _>(from);
            for (_, rows) in begun.take_while(|(label, _)| label.starts_with(&*folded)) {
                match rows {
                    Labelled::One(id, _) => ids.push(*id),
                    Labelled::Several(labels) => ids.extend(labels.values().flat_map(IdSet::iter)),
                }
            }
            ids.sort_unstable();
            return ids;
        }
        match self.rows.get(&*folded) {
            None => Vec::new(),
            Some(Labelled::One(id, own)) => {
                let label = own.as_deref().unwrap_or(&folded);
                Vec::from_iter(level.matches(label, text).then_some(*id))
            }
            Some(Labelled::Several(labels)) if level == Level::Exact => labels
                .get(text)
                .map_or_else(Vec::new, |ids| ids.iter().collect()),
            Some(Labelled::Several(labels)) => {
                let matching = labels
                    .iter()
                    .filter(|(label, _)| level.matches(label, text));
                let mut ids: Vec<u32> = matching.flat_map(|(_, ids)| ids.iter()).collect();
                ids.sort_unstable();
                ids
            }
        }
    }
}

/// The number of tries that are one by one.
const TRIES: u64 = 16;

/// A free number after another one, for names such as `spark-2`: the next one, unless many in a
/// row are taken. Then it is one whose predecessor is taken, found in few tries: a long series of
/// new names does not try all earlier ones again for each.
pub fn next_free(after: u64, is_taken: impl Fn(u64) -> bool) -> u64 {
    let near = after + 1..=after + TRIES;
    if let Some(free) = near.clone().find(|number| !is_taken(*number)) {
        return free;
    }
    let (mut taken, mut step) = (*near.end(), TRIES);
    while is_taken(taken + step) {
        taken += step;
        step *= 2;
    }
    let mut free = taken + step;
    while free - taken > 1 {
        let middle = taken + (free - taken) / 2;
        match is_taken(middle) {
            true => taken = middle,
            false => free = middle,
        }
    }
    free
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_free_number_follows_taken_ones_in_few_tries() {
        for taken in [0, 1, 5, 16, 17, 18, 33, 100, 99_999] {
            let tries = Cell::new(0);
            let is_taken = |number| {
                tries.set(tries.get() + 1);
                (2..2 + taken).contains(&number)
            };
            assert_eq!(next_free(1, is_taken), 2 + taken);
            assert!(tries.get() < 50, "{taken}: {} tries", tries.get());
        }
        // A gap nearby is used; one that is far away may be passed, but what is found is free.
        assert_eq!(next_free(1, |number| number != 4 && number < 1_000), 4);
        let is_taken = |number| number < 1_000 && number != 500;
        assert!(!is_taken(next_free(1, is_taken)));
    }

    #[test]
    fn rows_are_found_by_their_labels_after_any_changes() {
        let mut index = LabelIndex::default();
        let mut known: Vec<(u32, &str)> = Vec::new();
        let labels = ["A b", "a-b", "AB", "ab", "c", "C"];
        for step in 0..600_u32 {
            let (id, label) = (
                step * 7 % 40,
                labels[(step as usize * 5 + step as usize / 40) % 6],
            );
            match known.iter().position(|(own, _)| *own == id) {
                Some(at) => {
                    let (id, label) = known.swap_remove(at);
                    index.remove(id, label);
                }
                None => {
                    known.push((id, label));
                    index.insert(id, label);
                }
            }
            known.sort_unstable();
            for text in labels {
                for level in [
                    Level::Exact,
                    Level::CaseInsensitive,
                    Level::Normalised,
                    Level::Prefix,
                ] {
                    let own = known.iter().filter(|(_, label)| level.matches(label, text));
                    let own: Vec<u32> = own.map(|(id, _)| *id).collect();
                    assert_eq!(index.find(text, level), own, "{text} {level:?} {known:?}");
                }
                let exact = index.find(text, Level::Exact);
                assert_eq!(index.count(text), exact.len());
                assert_eq!(index.first(text), exact.first().copied());
                for (at, id) in exact.iter().enumerate() {
                    assert_eq!(index.ordinal(*id, text), Some(at + 1));
                }
            }
            let folds = known.iter().map(|(_, label)| fold(label));
            let folds: std::collections::BTreeSet<_> = folds.collect();
            assert_eq!(index.is_distinct(), folds.len() == known.len(), "{known:?}");
        }
    }
}
