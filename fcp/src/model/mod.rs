//! Models: tables, trees and slots that record every change made to them.
//!
//! A model is a struct of journaled containers and nothing else, so that every change leaves an
//! event for undo.

mod any_table;
mod entity;
mod external_inputs;
mod hash;
mod id;
mod idset;
mod index_cache;
mod label;
mod rolling_hash;
mod slab;
mod slot;
mod table;
mod tree;

use std::fmt::Debug;

use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use any_table::{AnyTable, Build, FieldInput, RowTest};
pub use entity::{Entity, EntityShape, FieldKind, FieldShape, RowIndex, SelectorKind, Sort};
pub use external_inputs::{Given, GivenChange};
pub use hash::{content_hash, hash_of};
pub use id::{Id, Ids, Row};
pub use label::{Label, LabelIndex, Level, next_free};
pub use rolling_hash::Poly;
pub use slab::Slab;
pub use slot::{Slot, SlotChange};
pub use table::{RowChange, Table};
pub use tree::{Place, Step, Tree, TreeChange, TreeRow};

/// The kind of change to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Fate {
    /// It was added.
    Added,
    /// It was removed.
    Removed,
    /// Its content changed.
    Modified,
    /// It was moved, with its descendants.
    Moved,
}

/// A container that records every change made to it: [`Table`], [`Tree`], [`Slot`], [`Given`], or a
/// domain's own.
#[diagnostic::on_unimplemented(
    message = "a model cannot hold a `{Self}`: it would change without an event, and undo would lose it",
    label = "not a journaled container",
    note = "a model's fields are `Table<T>` (rows), `Slot<T>` (one value), or a type of your own that implements `Journaled`"
)]
pub trait Journaled: Send + 'static {
    /// One change, with the data for undo and redo.
    type Change: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send;

    /// The rows' shape, if the container holds rows.
    const SHAPE: Option<&'static EntityShape> = None;

    /// An empty container whose rows draw their ids from `ids`.
    fn attach(ids: &Ids) -> Self;

    /// The counter that its rows draw their ids from, if it holds rows.
    fn ids(&self) -> Option<&Ids> {
        None
    }

    /// Takes the changes since the last call, in order; several changes of one row are merged, and
    /// those without effect are left out.
    fn drain(&mut self) -> Vec<Self::Change>;

    /// Drops the changes since the last call: a file just read has no history.
    fn forget(&mut self) {
        drop(self.drain());
    }

    /// Appends the changes, each converted by `wrap`, to `events`: there may be very many, and they
    /// are moved only once.
    fn drain_into<E>(&mut self, events: &mut Vec<E>, wrap: impl FnMut(Self::Change) -> E) {
        events.extend(self.drain().into_iter().map(wrap));
    }

    /// Reverses a change, without recording it.
    fn reverse(&mut self, change: &Self::Change);

    /// Repeats a change, without recording it.
    fn replay(&mut self, change: &Self::Change);

    /// The container as the runtime sees it.
    fn part(&self) -> Part<'_>;

    /// The container's rows, mutable.
    fn rows_mut(&mut self) -> Option<&mut dyn AnyTable> {
        None
    }

    /// JSON Schema of the container's content.
    fn schema(generator: &mut SchemaGenerator) -> Schema;

    /// The row that a change is about, and its kind of change.
    fn row_of(_change: &Self::Change) -> Option<(u32, Fate)> {
        None
    }

    /// The approximate memory of a change, in bytes.
    fn weight(change: &Self::Change) -> usize {
        size_of_val(change)
    }
}

/// A container as the runtime sees it.
pub enum Part<'a> {
    /// Rows.
    Rows(&'a dyn AnyTable),
    /// One value, as the hash of its content.
    Value(u64),
}

/// A field of a model.
#[derive(Clone, Copy, Debug)]
pub struct PartShape {
    /// The field's name.
    pub name: &'static str,
    /// The letter of its row count in the digest: `s` in `3s`.
    pub count: Option<&'static str>,
    /// Journaled, but not content: cursors, the active page.
    pub view: bool,
    /// Content that is neither shown nor named: it holds other rows together.
    pub hidden: bool,
    /// Selectors without a type match only rows of the tables marked so.
    pub universe: bool,
    /// The shape of its rows, if it holds any.
    pub shape: Option<&'static EntityShape>,
}

/// A model as static data.
#[derive(Clone, Copy, Debug)]
pub struct ModelShape {
    /// The short identifier: `midi`.
    pub domain: &'static str,
    /// The name of its files, for people: `Standard MIDI Files`.
    pub title: &'static str,
    /// The containers, in the order of the struct. A [`Row`]'s `part` counts them.
    pub parts: &'static [PartShape],
}

/// A document's content: containers, and the events that change them. `#[derive(FcpModel)]` writes this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "needs `#[derive(FcpModel)]`",
    note = "the first parameter of a verb is `&mut Model`, of a query `&Model`"
)]
pub trait Model: Default + Send + 'static {
    /// One change of one container.
    type Event: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send;

    /// The model as static data.
    const SHAPE: &'static ModelShape;

    /// The counter that rows draw their ids from.
    fn ids(&self) -> &Ids;

    /// The container at an index of [`ModelShape::parts`].
    fn part(&self, ix: usize) -> Option<Part<'_>>;

    /// The rows at an index of [`ModelShape::parts`], mutable.
    fn rows_mut(&mut self, ix: usize) -> Option<&mut dyn AnyTable>;

    /// Takes the changes since the last call.
    fn drain(&mut self) -> Vec<Self::Event>;

    /// Drops the changes since the last call.
    fn forget(&mut self);

    /// Reverses an event: `undo`.
    fn reverse(&mut self, event: &Self::Event);

    /// Repeats an event: `redo`.
    fn replay(&mut self, event: &Self::Event);

    /// The row an event is about.
    fn row_of(event: &Self::Event) -> Option<(Row, Fate)>;

    /// The approximate memory of an event, in bytes.
    fn weight(event: &Self::Event) -> usize;

    /// JSON Schema of every container, by the name of its field.
    fn schemas(generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)>;

    /// The line that replies show for a row instead of its fields, if it has `#[fcp(line = …)]`.
    fn line(&self, row: Row) -> Option<String>;
}

/// A model that has a table of `T`. `#[derive(FcpModel)]` writes this for each of its tables.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no table of `{T}`",
    label = "no `Table<{T}>` in this model"
)]
pub trait HasTable<T: Entity>: Model {
    /// The index of the table in [`ModelShape::parts`].
    const PART: usize;

    /// The table.
    fn table(&self) -> &Table<T>;

    /// The table, mutable.
    fn table_mut(&mut self) -> &mut Table<T>;
}

/// Queries of any model, by its shape.
pub trait ModelExt: Model {
    /// Whether selectors without a type reach the row.
    fn in_universe(&self, row: Row) -> bool {
        let rows = self.rows(row.part());
        rows.is_none_or(|rows| rows.in_universe(row.id()))
    }
    /// The rows at an index of [`ModelShape::parts`].
    fn rows(&self, part: usize) -> Option<&dyn AnyTable> {
        match self.part(part) {
            Some(Part::Rows(rows)) => Some(rows),
            _ => None,
        }
    }

    /// Every visible table, with its index and shape, in the order of the struct.
    fn tables(&self) -> impl Iterator<Item = (usize, &'static PartShape, &dyn AnyTable)> {
        Self::SHAPE
            .parts
            .iter()
            .enumerate()
            .filter(|(_, shape)| !shape.hidden)
            .filter_map(|(ix, shape)| self.rows(ix).map(|rows| (ix, shape, rows)))
    }

    /// The visible kinds of rows, with the index of their table.
    fn kinds() -> impl Iterator<Item = (usize, &'static EntityShape)> {
        Self::SHAPE
            .parts
            .iter()
            .enumerate()
            .filter(|(_, part)| !part.hidden)
            .filter_map(|(ix, part)| part.shape.map(|shape| (ix, shape)))
    }

    /// The index of the table of a kind, hidden tables included.
    fn part_of(kind: &str) -> Option<usize> {
        let own = |part: &PartShape| part.shape.is_some_and(|shape| shape.kind == kind);
        Self::SHAPE.parts.iter().position(own)
    }

    /// The index of the visible table with a kind or sort of this name; case and hyphens are
    /// ignored.
    fn kind(name: &str) -> Option<usize> {
        let folded = crate::value::fold(name);
        Self::kinds()
            .find(|(_, shape)| {
                crate::value::fold(shape.kind) == folded || shape.sort(name).is_some()
            })
            .map(|(ix, _)| ix)
    }

    /// The sort that a word names, if it does not name a whole table.
    fn sort(name: &str) -> Option<&'static Sort> {
        Self::kinds().find_map(|(_, shape)| shape.sort(name))
    }

    /// The row that represents a touched one, if it exists.
    fn meant(&self, row: Row) -> Option<Row> {
        let id = self.rows(row.part())?.meant(row.id())?;
        Some(Row::new(row.part(), id))
    }

    /// Sorts rows by table and then in the order of the document, and removes duplicates.
    fn arrange(&self, rows: &mut Vec<Row>) {
        rows.sort_unstable();
        rows.dedup();
        let mut arranged = Vec::with_capacity(rows.len());
        for family in rows.chunk_by(|one, next| one.part() == next.part()) {
            let part = family.first().map_or(0, |row| row.part());
            let mut ids: Vec<u32> = family.iter().map(|row| row.id()).collect();
            if let Some(table) = self.rows(part) {
                table.arrange(&mut ids);
            }
            arranged.extend(ids.into_iter().map(|id| Row::new(part, id)));
        }
        *rows = arranged;
    }

    /// Reverses events, the last one first.
    fn take_back(&mut self, events: &[Self::Event]) {
        self.brace(events.len());
        events.iter().rev().for_each(|event| self.reverse(event));
    }

    /// Repeats events.
    fn make_again(&mut self, events: &[Self::Event]) {
        self.brace(events.len());
        events.iter().for_each(|event| self.replay(event));
    }

    /// Announces `changes` changes of rows.
    fn brace(&self, changes: usize) {
        for rows in (0..Self::SHAPE.parts.len()).filter_map(|ix| self.rows(ix)) {
            rows.brace(changes);
        }
    }

    /// Whether a row exists.
    fn has(&self, row: Row) -> bool {
        self.rows(row.part())
            .is_some_and(|rows| rows.contains(row.id()))
    }

    /// The row with an id, whatever its kind.
    fn by_id(&self, id: u32) -> Option<Row> {
        self.tables()
            .find(|(_, _, rows)| rows.contains(id))
            .map(|(part, _, _)| Row::new(part, id))
    }

    /// The kind of a row, or its sort: `note`.
    fn kind_of(&self, row: Row) -> &'static str {
        self.rows(row.part())
            .map_or("row", |rows| rows.kind(row.id()))
    }

    /// The name of a row: its label, with `~N` if several rows share it, else `#id`.
    fn name_of(&self, row: Row) -> String {
        let Some(rows) = self.rows(row.part()) else {
            return format!("#{}", row.id());
        };
        if let Some(name) = rows.sure_name(row.id()) {
            return name;
        }
        match rows.label(row.id()) {
            Some(label) if !label.is_empty() => match rows.ordinal(row.id()) {
                Some(n) => format!("{label}~{n}"),
                None => label.into_owned(),
            },
            _ => format!("#{}", row.id()),
        }
    }

    /// The row that a row belongs to.
    fn parent_of(&self, row: Row) -> Option<Row> {
        let rows = self.rows(row.part())?;
        let part = Self::part_of(rows.shape().parent?)?;
        rows.parent(row.id()).map(|id| Row::new(part, id))
    }

    /// A hash of the content, equal for equal contents whatever their history.
    ///
    /// The cost depends on the rows that have children, not on all rows.
    fn hash(&self) -> u64 {
        content_hash(self)
    }
}

impl<M: Model> ModelExt for M {}
