//! Rows by what they are called.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Bound;

use crate::value::{Name, Text, fold};

/// A field that names its row: what `#[fcp(label)]` may stand on.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot name a row",
    label = "no label",
    note = "a label is a `Name`, a `Text` or a `String`, or an `Option` of one; a computed one is `#[fcp(label = method)]` on the struct"
)]
pub trait Label {
    /// What the row is called. An empty text names nothing.
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

/// How much of a name must match. Each level takes in the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Letter by letter.
    Exact,
    /// But for case.
    CaseInsensitive,
    /// But for case, hyphens, underscores and blanks.
    Normalised,
    /// The beginning will do.
    Prefix,
}

impl Level {
    /// Those at which a text is a whole label, the strictest first.
    pub const WHOLE: [Self; 3] = [Self::Exact, Self::CaseInsensitive, Self::Normalised];

    /// Whether a label is what `text` means, at this level.
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

/// The ids of the rows by their folded labels.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LabelIndex {
    rows: BTreeMap<Box<str>, Vec<Labelled>>,
    /// How many folded labels several rows share.
    shared: usize,
}

/// A row, and its label where that is not the folded one.
type Labelled = (u32, Option<Box<str>>);

impl LabelIndex {
    /// A row is called `label`.
    pub fn insert(&mut self, id: u32, label: &str) {
        let folded = fold(label);
        let own = (*folded != *label).then(|| label.into());
        match self.rows.entry(folded.into()) {
            Entry::Occupied(mut rows) => {
                let rows = rows.get_mut();
                self.shared += usize::from(rows.len() == 1);
                let at = rows.partition_point(|(other, _)| *other < id);
                rows.insert(at, (id, own));
            }
            // Nearly every label is of one row.
            Entry::Vacant(rows) => drop(rows.insert(vec![(id, own)])),
        }
    }

    /// A row is not called `label` any more.
    pub fn remove(&mut self, id: u32, label: &str) {
        let folded = fold(label);
        if let Some(rows) = self.rows.get_mut(&*folded) {
            let before = rows.len();
            rows.retain(|(other, _)| *other != id);
            self.shared -= usize::from(before > 1 && rows.len() < 2);
            if rows.is_empty() {
                self.rows.remove(&*folded);
            }
        }
    }

    /// Whether no two rows have labels that are alike, case, hyphens, underscores and blanks aside.
    #[must_use]
    pub const fn is_distinct(&self) -> bool {
        self.shared == 0
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
            let mut ids: Vec<u32> = self
                .rows
                .range::<str, _>(from)
                .take_while(|(label, _)| label.starts_with(&*folded))
                .flat_map(|(_, rows)| rows.iter().map(|(id, _)| *id))
                .collect();
            ids.sort_unstable();
            return ids;
        }
        let rows = self.rows.get(&*folded).into_iter().flatten();
        rows.filter(|(_, label)| level.matches(label.as_deref().unwrap_or(&folded), text))
            .map(|(id, _)| *id)
            .collect()
    }
}
