//! Rows as static data.

use std::borrow::Cow;
use std::fmt::Debug;
use std::hash::Hasher;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::any::{Build, FieldInput, RowTest};
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
    /// What the table keeps sorted besides ids and labels; `()` for nothing.
    type Index: RowIndex<Self>;

    /// The kind: `note`. Apart from [`Self::SHAPE`], so that kinds may refer to each other.
    const KIND: &'static str;

    /// The kind as static data.
    const SHAPE: &'static EntityShape;

    /// What the row is called, if rows of this kind have names.
    fn label(&self) -> Option<Cow<'_, str>>;

    /// The id of the row this one belongs to.
    fn parent(&self) -> Option<u32>;

    /// A field as text; nothing for a field that is hidden, refers, or is an empty option.
    fn field(&self, ix: usize) -> Option<String>;

    /// The id a field refers to.
    fn reference(&self, ix: usize) -> Option<u32>;

    /// Sets a field.
    ///
    /// # Errors
    /// The text is no value of the field, or the field cannot be set.
    fn set(&mut self, ix: usize, input: FieldInput<'_>) -> Result<(), ValueError>;

    /// A new row from the fields that are given.
    ///
    /// # Errors
    /// A field that must be given is not, or a text is no value of its field.
    fn build(input: &dyn Fn(usize) -> Option<FieldInput<'static>>) -> Result<Self, Build>;

    /// Tests rows by a field that is marked as a selector.
    ///
    /// # Errors
    /// The text is no value of the field.
    fn select(ix: usize, text: &str) -> Result<RowTest<Self>, ValueError>;

    /// Feeds the content to a hash: every field but those of spelling and view, and no ids.
    fn content(&self, hasher: &mut dyn Hasher);

    /// About how many bytes the row keeps outside itself: those of its content's texts and lists.
    fn heap(&self) -> usize {
        super::hash::heap_of(self)
    }
}

/// What a table keeps sorted besides ids and labels. It follows every change, undone and redone ones included.
pub trait RowIndex<T>: Default + Send + 'static {
    /// What is kept of so many rows, each with its id, in order of ids. Where nothing else is said, they come one by one.
    fn of<'r>(rows: impl Iterator<Item = (Id<T>, &'r T)> + Clone) -> Self
    where
        T: 'r,
    {
        let mut index = Self::default();
        rows.for_each(|(id, row)| index.insert(id, row));
        index
    }
    /// What is kept of so many rows, made from what was kept of them before some changes were missed: told of each of
    /// these, it may know of what it holds still.
    fn renewed<'r>(self, rows: impl Iterator<Item = (Id<T>, &'r T)> + Clone) -> Self
    where
        T: 'r,
    {
        Self::of(rows)
    }
    /// Many rows change and nobody asks: the index is not told what came, went or changed, but renewed when somebody
    /// does. This is what one of them was and is.
    fn miss(&mut self, before: Option<&T>, after: Option<&T>) {
        let _ = (before, after);
    }
    /// Whether a change concerns the index at all. Most changes are of one field, and there may be very many.
    fn tells_apart(before: &T, after: &T) -> bool {
        let _ = (before, after);
        true
    }
    /// A row is there now.
    fn insert(&mut self, id: Id<T>, row: &T);
    /// A row is not there any more, or not with this content.
    fn remove(&mut self, id: Id<T>, row: &T);
    /// A row has another content. Where nothing else is said, the old one goes and the new one comes.
    fn change(&mut self, id: Id<T>, before: &T, after: &T) {
        self.remove(id, before);
        self.insert(id, after);
    }
    /// A row of a tree stands in others now, the innermost first, or does not any more. It is told of each row that
    /// comes, goes, or is moved to another parent, not of those that stand in a row whose content changes.
    fn stands(
        &mut self,
        id: Id<T>,
        row: &T,
        around: &mut dyn Iterator<Item = (Id<T>, &T)>,
        there: bool,
    ) {
        let _ = (id, row, around, there);
    }
    /// A row of a tree has another content where it stands.
    fn replaced(
        &mut self,
        id: Id<T>,
        before: &T,
        after: &T,
        around: &mut dyn Iterator<Item = (Id<T>, &T)>,
    ) {
        let _ = (id, before, after, around);
    }
    /// A row of a tree was moved, among its siblings or elsewhere, with all that is in it.
    fn moved(&mut self, id: Id<T>, row: &T, around: &mut dyn Iterator<Item = (Id<T>, &T)>) {
        let _ = (id, row, around);
    }
    /// Whether this holds what `other` does, which was made from the same rows afresh: a check for tests.
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
    /// Several of them: `notes`.
    pub plural: &'static str,
    /// What it is, from the doc comment's first line.
    pub doc: &'static str,
    /// The fields, in the order of the struct.
    pub fields: &'static [FieldShape],
    /// The kind of the rows these belong to, if they belong to any.
    pub parent: Option<&'static str>,
    /// Rows have names.
    pub labelled: bool,
    /// The universal verbs can make new ones: no field is hidden without a default.
    pub addable: bool,
    /// What the rows are, where they are of several sorts: `circle`, `group`.
    pub sorts: &'static [Sort],
}

/// A sort of rows within a table that has rows of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// What a row is: `circle`.
    pub name: &'static str,
    /// Several of them: `circles`.
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

    /// The sort that a word names, case, hyphens and underscores set aside.
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

    /// The fields of the content that refer to other rows, with the kind of those; none if all they tell is the row
    /// that a row belongs to.
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

    /// The field that says where a row is.
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
    /// What it is, from the doc comment.
    pub doc: &'static str,
    /// What it holds.
    pub kind: FieldKind,
    /// It may be left out when a row is added.
    pub optional: bool,
    /// It names the row.
    pub label: bool,
    /// The selector it gives, if any.
    pub selector: Option<(&'static str, SelectorKind)>,
    /// It is part of the row's content, not spelling or view.
    pub content: bool,
    /// It says where the row is, and how one gets to the next place.
    pub position: Option<Steps>,
    /// How its values are spoken of.
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

/// What a field holds.
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

/// How a selector made from a field compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectorKind {
    /// Equal values: `@fill:red`.
    Equal,
    /// A span or a bound: `@velocity:80-127`, `@velocity:>=100`, and equal values.
    Range,
}
