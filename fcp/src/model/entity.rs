//! Rows as static data.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Debug;
use std::hash::Hasher;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::any_table::{Build, FieldInput, RowTest};
use super::id::Id;
use crate::value::{Steps, ValueError, ValueSpec};

/// One kind of row. `#[derive(FcpEntity)]` writes this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of row",
    label = "needs `#[derive(FcpEntity)]`"
)]
pub trait Entity:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + schemars::JsonSchema + Send + 'static
{
    /// The table's sorted index besides ids and labels; `()` for none.
    type Index: RowIndex<Self>;

    /// The kind: `note`. Separate from [`Self::SHAPE`], so that kinds may refer to each other.
    const KIND: &'static str;

    /// The kind as static data.
    const SHAPE: &'static EntityShape;

    /// The row's name, if rows of this kind have names.
    fn label(&self) -> Option<Cow<'_, str>>;

    /// The id of the row this one belongs to.
    fn parent(&self) -> Option<u32>;

    /// A field as text; `None` if it is hidden, a reference, or an empty option.
    fn field(&self, ix: usize) -> Option<String>;

    /// The id a field refers to.
    fn reference(&self, ix: usize) -> Option<u32>;

    /// Sets a field.
    ///
    /// # Errors
    /// The text is not a value of the field, or the field cannot be set.
    fn set(&mut self, ix: usize, input: FieldInput<'_>) -> Result<(), ValueError>;

    /// Makes a row from the given fields.
    ///
    /// # Errors
    /// A required field is missing, or a text is not a value of its field.
    fn build(input: &dyn Fn(usize) -> Option<FieldInput<'static>>) -> Result<Self, Build>;

    /// A test of rows by a field that is marked as a selector.
    ///
    /// # Errors
    /// The text is not a value of the field.
    fn select(ix: usize, text: &str) -> Result<RowTest<Self>, ValueError>;

    /// Feeds the content to a hash: every field except spelling and view, and no ids.
    fn content(&self, hasher: &mut dyn Hasher);

    /// The approximate number of bytes that the row keeps outside itself: its content's texts and
    /// lists.
    fn heap(&self) -> usize {
        super::hash::heap_of(self)
    }
}

/// A table's sorted index besides ids and labels. It follows every change, including undo and redo.
pub trait RowIndex<T>: Default + Send + 'static {
    /// Builds the index of `rows`, each with its id, in order of ids. By default they are inserted
    /// one by one.
    fn of<'r>(rows: impl Iterator<Item = (Id<T>, &'r T)> + Clone) -> Self
    where
        T: 'r,
    {
        let mut index = Self::default();
        rows.for_each(|(id, row)| index.insert(id, row));
        index
    }
    /// Rebuilds the index from `rows`, given the index from before some changes that it missed.
    /// Each was reported to [`miss`](Self::miss), so the index may know which parts are still
    /// valid.
    fn renewed<'r>(self, rows: impl Iterator<Item = (Id<T>, &'r T)> + Clone) -> Self
    where
        T: 'r,
    {
        Self::of(rows)
    }
    /// Reports a change that the index does not follow: many rows change without a query in
    /// between, so it is rebuilt at the next query. `before` and `after` are the row's contents.
    fn miss(&mut self, before: Option<&T>, after: Option<&T>) {
        let _ = (before, after);
    }
    /// Whether a change concerns the index at all. Most changes are of one field, and there may be
    /// very many.
    fn tells_apart(before: &T, after: &T) -> bool {
        let _ = (before, after);
        true
    }
    /// The order of two rows in a file, if it is not that of their ids.
    fn in_file(one: &T, other: &T) -> Ordering {
        let _ = (one, other);
        Ordering::Equal
    }
    /// A row was added.
    fn insert(&mut self, id: Id<T>, row: &T);
    /// A row with this content was removed, or its content changed.
    fn remove(&mut self, id: Id<T>, row: &T);
    /// The content of a row changed. By default the old content is removed and the new one
    /// inserted.
    fn change(&mut self, id: Id<T>, before: &T, after: &T) {
        self.remove(id, before);
        self.insert(id, after);
    }
    /// A row of a tree was put into the rows `around` it, innermost first, or left them. Called for
    /// each row that is added, removed or moved to another parent, but not for rows inside one
    /// whose content changes.
    fn stands(
        &mut self,
        id: Id<T>,
        row: &T,
        around: &mut dyn Iterator<Item = (Id<T>, &T)>,
        there: bool,
    ) {
        let _ = (id, row, around, there);
    }
    /// The content of a row of a tree changed; its place did not.
    fn replaced(
        &mut self,
        id: Id<T>,
        before: &T,
        after: &T,
        around: &mut dyn Iterator<Item = (Id<T>, &T)>,
    ) {
        let _ = (id, before, after, around);
    }
    /// A row of a tree was moved, among its siblings or elsewhere, with its descendants.
    fn moved(&mut self, id: Id<T>, row: &T, around: &mut dyn Iterator<Item = (Id<T>, &T)>) {
        let _ = (id, row, around);
    }
    /// Whether this equals `other`, which was built from the same rows: a check for tests.
    fn agrees(&self, other: &Self) -> bool {
        let _ = other;
        true
    }
}

impl<T> RowIndex<T> for () {
    fn insert(&mut self, _: Id<T>, _: &T) {}
    fn remove(&mut self, _: Id<T>, _: &T) {}
}

/// A kind of row as static data.
#[derive(Clone, Copy, Debug)]
pub struct EntityShape {
    /// The kind: `note`.
    pub kind: &'static str,
    /// The plural: `notes`.
    pub plural: &'static str,
    /// Its description, from the doc comment's first line.
    pub doc: &'static str,
    /// The fields, in the order of the struct.
    pub fields: &'static [FieldShape],
    /// The kind of the rows these belong to, if they belong to any.
    pub parent: Option<&'static str>,
    /// Whether rows have names.
    pub labelled: bool,
    /// Whether the universal verbs can make new ones: no field is hidden without a default.
    pub addable: bool,
    /// The sorts of the rows, if there are several: `circle`, `group`.
    pub sorts: &'static [Sort],
}

/// A sort of rows in a table with several sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// Its name: `circle`.
    pub name: &'static str,
    /// The plural: `circles`.
    pub plural: &'static str,
    /// Other words for it.
    pub aliases: &'static [&'static str],
}

impl EntityShape {
    /// `1 note`, `3 notes`.
    #[must_use]
    pub fn count(&self, n: usize) -> String {
        format!("{n} {}", if n == 1 { self.kind } else { self.plural })
    }

    /// The sort with this name or alias; case, hyphens and underscores are ignored.
    #[must_use]
    pub fn sort(&self, word: &str) -> Option<&'static Sort> {
        let word = crate::value::fold(word);
        let called = |sort: &&Sort| {
            let names = std::iter::once(&sort.name).chain(sort.aliases);
            names
                .into_iter()
                .any(|name| crate::value::fold(name) == word)
        };
        self.sorts.iter().find(called)
    }

    /// `1 circle`, `3 circles`: rows of a kind or sort of these.
    #[must_use]
    pub fn count_of(&self, kind: &str, n: usize) -> String {
        match self.sorts.iter().find(|sort| sort.name == kind) {
            Some(sort) => format!("{n} {}", if n == 1 { sort.name } else { sort.plural }),
            None => self.count(n),
        }
    }

    /// The fields of the content that refer to other rows, with the kinds of those rows; none if
    /// the only reference is to the parent.
    pub fn tied(&self) -> impl Iterator<Item = (usize, &'static str)> + use<> {
        let refers = |(ix, field): (usize, &FieldShape)| match field.kind {
            FieldKind::Refers(kind) if field.content => Some((ix, kind)),
            _ => None,
        };
        let tied = || self.fields.iter().enumerate().filter_map(refers);
        let (mut own, parent) = (tied(), self.parent);
        let only_parent = match (own.next(), own.next()) {
            (Some((_, kind)), None) => Some(kind) == parent,
            _ => false,
        };
        let fields: &'static [FieldShape] = if only_parent { &[] } else { self.fields };
        fields.iter().enumerate().filter_map(refers)
    }

    /// The field with a row's position.
    #[must_use]
    pub fn position(&self) -> Option<(usize, &'static FieldShape, Steps)> {
        let fields = self.fields.iter().enumerate();
        let mut positions = fields.filter_map(|(ix, field)| Some((ix, field, field.position?)));
        positions.next()
    }

    /// The field with this name or alias.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields
            .iter()
            .position(|field| field.name == name || field.aliases.contains(&name))
    }
}

/// A field as static data.
#[derive(Clone, Copy)]
pub struct FieldShape {
    /// The field's key in ops: `vel`.
    pub name: &'static str,
    /// The column of tables: the field's name in the struct.
    pub column: &'static str,
    /// Other spellings of the key.
    pub aliases: &'static [&'static str],
    /// Its description, from the doc comment.
    pub doc: &'static str,
    /// The kind of its content.
    pub kind: FieldKind,
    /// Whether it may be omitted when a row is added.
    pub optional: bool,
    /// Whether it names the row.
    pub label: bool,
    /// The selector it gives, if any.
    pub selector: Option<(&'static str, SelectorKind)>,
    /// Whether it is part of the row's content, not spelling or view.
    pub content: bool,
    /// The steps to the next position, if it is the row's position.
    pub position: Option<Steps>,
    /// Describes its values.
    pub spec: fn() -> ValueSpec,
}

impl Debug for FieldShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FieldShape")
            .field("name", &self.name)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// The kind of a field's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A value, shown and settable.
    Value,
    /// A value, shown but not settable by the universal verbs.
    ReadOnly,
    /// The id of a row of this kind.
    Refers(&'static str),
    /// Neither shown nor settable.
    Hidden,
}

/// The comparison of a selector made from a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectorKind {
    /// Equal values: `@fill:red`.
    Equal,
    /// A span or a bound: `@velocity:80-127`, `@velocity:>=100`, and equal values.
    Range,
}
