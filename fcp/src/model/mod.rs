//! Models: tables, trees and slots that remember every change made to them.
//!
//! A model is a struct of journaled containers and nothing else, so no code can change it without leaving an event
//! that undo can take back.

mod any;
mod entity;
mod given;
mod hash;
mod id;
mod idset;
mod kept;
mod label;
mod poly;
mod slab;
mod slot;
mod table;
mod tree;

use std::fmt::Debug;

use schemars::{Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use any::{AnyTable, Build, FieldInput, RowTest};
pub use entity::{Entity, EntityShape, FieldKind, FieldShape, RowIndex, SelectorKind, Sort};
pub use given::{Given, GivenChange};
pub use hash::{content_hash, hash_of};
pub use id::{Id, Ids, Row};
pub use label::{Label, LabelIndex, Level};
pub use poly::Poly;
pub use slot::{Slot, SlotChange};
pub use table::{RowChange, Table};
pub use tree::{Place, Step, Tree, TreeChange, TreeRow};

/// What a row went through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Fate {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has another content.
    Modified,
    /// It is elsewhere, with all that is inside it.
    Moved,
}

/// A container that remembers every change made to it: [`Table`], [`Tree`], [`Slot`], [`Given`], or a domain's own.
#[diagnostic::on_unimplemented(
    message = "a model cannot hold a `{Self}`: it would change without an event, and undo would lose it",
    label = "not a journaled container",
    note = "a model's fields are `Table<T>` (rows), `Slot<T>` (one value), or a type of your own that implements `Journaled`"
)]
pub trait Journaled: Send + 'static {
    /// One change, with what undo and redo need.
    type Change: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send;

    /// The rows' shape, if the container holds rows.
    const SHAPE: Option<&'static EntityShape> = None;

    /// An empty container whose rows draw their ids from `ids`.
    fn attach(ids: &Ids) -> Self;

    /// The counter that its rows draw their ids from, if it holds rows.
    fn ids(&self) -> Option<&Ids> {
        None
    }

    /// Hands over what changed since the last call, in order, with several changes of one row made into one and
    /// changes that came to nothing left out.
    fn drain(&mut self) -> Vec<Self::Change>;

    /// Lets go of what changed since the last call: what was read has no past.
    fn forget(&mut self) {
        drop(self.drain());
    }

    /// Hands it over as what `wrap` makes of it, behind `events`: there may be very much, and it is moved once.
    fn drain_into<E>(&mut self, events: &mut Vec<E>, wrap: impl FnMut(Self::Change) -> E) {
        events.extend(self.drain().into_iter().map(wrap));
    }

    /// Takes a change back. Not itself recorded.
    fn reverse(&mut self, change: &Self::Change);

    /// Makes a change again. Not itself recorded.
    fn replay(&mut self, change: &Self::Change);

    /// The container as the runtime sees it.
    fn part(&self) -> Part<'_>;

    /// The container's rows, to be changed.
    fn rows_mut(&mut self) -> Option<&mut dyn AnyTable> {
        None
    }

    /// JSON Schema of what the container holds.
    fn schema(generator: &mut SchemaGenerator) -> Schema;

    /// The row a change is about, and what became of it.
    fn row_of(_change: &Self::Change) -> Option<(u32, Fate)> {
        None
    }

    /// About how many bytes a change keeps in memory.
    fn weight(change: &Self::Change) -> usize {
        size_of_val(change)
    }
}

/// A container as the runtime sees it.
pub enum Part<'a> {
    /// Rows.
    Rows(&'a dyn AnyTable),
    /// One value, told by the hash of its content.
    Value(u64),
}

/// A field of a model.
#[derive(Clone, Copy, Debug)]
pub struct PartShape {
    /// The field's name.
    pub name: &'static str,
    /// What counts its rows in the digest: `s` in `3s`.
    pub count: Option<&'static str>,
    /// Journaled, but no part of the content: cursors, active page.
    pub view: bool,
    /// Content that nobody is shown or can name: it holds others together.
    pub hidden: bool,
    /// Selectors that name no type match only rows of the tables marked so.
    pub universe: bool,
    /// The rows, if it holds any.
    pub shape: Option<&'static EntityShape>,
}

/// A model as static data.
#[derive(Clone, Copy, Debug)]
pub struct ModelShape {
    /// The short identifier: `midi`.
    pub domain: &'static str,
    /// What it edits, for people: `Standard MIDI Files`.
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

    /// The rows at an index of [`ModelShape::parts`], to be changed.
    fn rows_mut(&mut self, ix: usize) -> Option<&mut dyn AnyTable>;

    /// Hands over what changed since the last call.
    fn drain(&mut self) -> Vec<Self::Event>;

    /// Lets go of what changed since the last call.
    fn forget(&mut self);

    /// Takes an event back: what `undo` does.
    fn reverse(&mut self, event: &Self::Event);

    /// Makes an event again: what `redo` does.
    fn replay(&mut self, event: &Self::Event);

    /// The row an event is about.
    fn row_of(event: &Self::Event) -> Option<(Row, Fate)>;

    /// About how many bytes an event keeps in memory.
    fn weight(event: &Self::Event) -> usize;

    /// JSON Schema of every container, by the name of its field.
    fn schemas(generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)>;

    /// What replies show for a row instead of its fields, where the model says so with `#[fcp(line = …)]`.
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

    /// The table, to be changed.
    fn table_mut(&mut self) -> &mut Table<T>;
}

/// What every model can be asked, by its shape.
pub trait ModelExt: Model {
    /// The rows at an index of [`ModelShape::parts`].
    fn rows(&self, part: usize) -> Option<&dyn AnyTable> {
        match self.part(part) {
            Some(Part::Rows(rows)) => Some(rows),
            _ => None,
        }
    }

    /// Every table that is shown, with its index and shape, in the order of the struct.
    fn tables(&self) -> impl Iterator<Item = (usize, &'static PartShape, &dyn AnyTable)> {
        Self::SHAPE
            .parts
            .iter()
            .enumerate()
            .filter(|(_, shape)| !shape.hidden)
            .filter_map(|(ix, shape)| self.rows(ix).map(|rows| (ix, shape, rows)))
    }

    /// The kinds of rows that are shown, with the index of their table.
    fn kinds() -> impl Iterator<Item = (usize, &'static EntityShape)> {
        Self::SHAPE
            .parts
            .iter()
            .enumerate()
            .filter(|(_, part)| !part.hidden)
            .filter_map(|(ix, part)| part.shape.map(|shape| (ix, shape)))
    }

    /// The index of the table of a kind, one that nobody is shown included.
    fn part_of(kind: &str) -> Option<usize> {
        let own = |part: &PartShape| part.shape.is_some_and(|shape| shape.kind == kind);
        Self::SHAPE.parts.iter().position(own)
    }

    /// The index of the table whose kind, or a sort of whose rows, is spelled so, hyphens and case set aside.
    fn kind(name: &str) -> Option<usize> {
        let folded = crate::value::fold(name);
        Self::kinds()
            .find(|(_, shape)| {
                crate::value::fold(shape.kind) == folded || shape.sort(name).is_some()
            })
            .map(|(ix, _)| ix)
    }

    /// The sort of rows that a word names, where it names no whole table.
    fn sort(name: &str) -> Option<&'static Sort> {
        Self::kinds().find_map(|(_, shape)| shape.sort(name))
    }

    /// The row that a touched one stands for, if it is there.
    fn meant(&self, row: Row) -> Option<Row> {
        let id = self.rows(row.part())?.meant(row.id())?;
        Some(Row::new(row.part(), id))
    }

    /// Puts rows into the order of tables, and in each into that of the document, each row once.
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

    /// Takes events back, the last one first.
    fn take_back(&mut self, events: &[Self::Event]) {
        self.brace(events.len());
        events.iter().rev().for_each(|event| self.reverse(event));
    }

    /// Makes events again.
    fn make_again(&mut self, events: &[Self::Event]) {
        self.brace(events.len());
        events.iter().for_each(|event| self.replay(event));
    }

    /// Says that so many rows are about to change.
    fn brace(&self, changes: usize) {
        for rows in (0..Self::SHAPE.parts.len()).filter_map(|ix| self.rows(ix)) {
            rows.brace(changes);
        }
    }

    /// Whether a row is there.
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

    /// What a row is called: its label, with `~N` where several share it, else `#id`.
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

    /// A hash of the content, equal for equal contents however they were reached.
    ///
    /// Costs by the rows that have children, not by the rows.
    fn hash(&self) -> u64 {
        content_hash(self)
    }
}

impl<M: Model> ModelExt for M {}
