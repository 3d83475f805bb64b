//! A table without its row type, for universal verbs, queries and selectors.

use std::any::Any;
use std::borrow::Cow;

use super::entity::{Entity, EntityShape, RowIndex};
use super::id::{Id, Row};
use super::label::Level;
use super::table::Table;
use crate::value::ValueError;

/// A test of a row, see [`Entity::select`].
pub type RowTest<T> = Box<dyn Fn(&T) -> bool>;

/// The input of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldInput<'a> {
    /// The text of a value.
    Text(Cow<'a, str>),
    /// The id of the row it refers to.
    Row(u32),
}

/// The reason why a row could not be made from its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Build {
    /// This field is required.
    Missing(usize),
    /// This field's text is not a value.
    Invalid(usize, Box<ValueError>),
    /// Rows of this kind cannot be made from fields alone.
    NotAddable,
}

/// A table without its row type.
pub trait AnyTable {
    /// The kind of the rows.
    fn shape(&self) -> &'static EntityShape;
    /// The number of rows.
    fn len(&self) -> usize;
    /// Whether there are no rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Whether a row exists.
    fn contains(&self, id: u32) -> bool;
    /// Every id, in order.
    fn ids(&self) -> Box<dyn Iterator<Item = u32> + '_>;
    /// The label of a row.
    fn label(&self, id: u32) -> Option<Cow<'_, str>>;
    /// The position of the row among those with the same label, from 1; `None` if the label is
    /// unique.
    fn ordinal(&self, id: u32) -> Option<usize>;
    /// The rows whose label matches `text` at a level, in order of ids.
    fn labelled(&self, text: &str, level: Level) -> Vec<u32>;
    /// Every label.
    fn labels(&self) -> Box<dyn Iterator<Item = Cow<'_, str>> + '_>;
    /// The id of the row that a row belongs to.
    fn parent(&self, id: u32) -> Option<u32>;
    /// A field as text.
    fn field(&self, id: u32, ix: usize) -> Option<String>;
    /// The id that a field refers to.
    fn reference(&self, id: u32, ix: usize) -> Option<u32>;
    /// The number of references that the rows hold.
    fn references(&self) -> usize;
    /// Tests rows by a field that is a selector; the test takes ids.
    ///
    /// # Errors
    /// The text is not a value of the field.
    #[allow(clippy::type_complexity)]
    fn select<'a>(
        &'a self,
        ix: usize,
        text: &str,
    ) -> Result<Box<dyn Fn(u32) -> bool + 'a>, ValueError>;
    /// The hash of a row's content.
    fn row_hash(&self, id: u32) -> u64;
    /// Announces `changes` changes of rows; see [`Table::brace`].
    fn brace(&self, changes: usize) {
        let _ = changes;
    }
    /// The sum of the hashes of the rows that belong to a row (`parent` 0: to none).
    fn sum(&self, parent: u32) -> u64;
    /// The sums of the hashes of rows that refer to the same rows, by the ids they refer to; see
    /// [`EntityShape::tied`]. An id of 0 means no reference.
    fn ties(&self) -> Box<dyn Iterator<Item = (&[u32], u64)> + '_>;
    /// The rows that the given rows belong or refer to, each with its kind. A row whose owners
    /// equal those of the row before adds none.
    fn owners(&self, rows: &[Row]) -> Vec<(&'static str, u32)>;
    /// Whether all the given rows of this table exist.
    fn contains_all(&self, rows: &[Row]) -> bool {
        rows.iter().all(|row| self.contains(row.id()))
    }
    /// The rows that changed or removed rows were tied to before, since the last call.
    fn take_left(&mut self) -> Vec<(&'static str, u32)>;
    /// Sets a field. Returns whether anything changed.
    ///
    /// # Errors
    /// The text is not a value of the field.
    fn set(&mut self, id: u32, ix: usize, input: FieldInput<'_>) -> Result<bool, ValueError>;
    /// Makes a row.
    ///
    /// # Errors
    /// See [`Build`].
    fn build(&mut self, input: &dyn Fn(usize) -> Option<FieldInput<'static>>)
    -> Result<u32, Build>;
    /// Makes a copy of a row, with the given fields changed.
    ///
    /// # Errors
    /// See [`Build`].
    fn copy(&mut self, id: u32, input: &[(usize, FieldInput<'_>)]) -> Result<u32, Build>;
    /// Gives a row the content of a row of another table of the same kind, or adds a row with that
    /// content if `id` is `None`. Returns the row's id; `None`, and changes nothing, if the tables
    /// are of different kinds, or if `refer` gives no id here for a row that it refers to.
    fn adopt(
        &mut self,
        id: Option<u32>,
        from: (&dyn Any, u32),
        refer: &dyn Fn(u32) -> Option<u32>,
    ) -> Option<u32> {
        let _ = (id, from, refer);
        None
    }
    /// The table with its row type, for [`Self::adopt`], if rows can be taken from it.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }
    /// Removes a row. Returns whether it existed.
    fn remove(&mut self, id: u32) -> bool;
    /// The kind of a row: that of the table, or the row's sort if there are several.
    fn kind(&self, id: u32) -> &'static str {
        let _ = id;
        self.shape().kind
    }
    /// The rows that are written inside a row, at any depth.
    fn inside(&self, id: u32) -> Vec<u32> {
        let _ = id;
        Vec::new()
    }
    /// The row that represents a touched one: itself if it exists and has a name.
    fn meant(&self, id: u32) -> Option<u32> {
        self.contains(id).then_some(id)
    }
    /// Whether selectors without a type reach the row.
    fn in_universe(&self, id: u32) -> bool {
        let _ = id;
        true
    }
    /// Sorts rows into the order of the document.
    fn arrange(&self, ids: &mut [u32]) {
        ids.sort_unstable();
    }
    /// Sorts rows into the order in which a file has them.
    fn arrange_as_in_file(&self, ids: &mut [u32]) {
        self.arrange(ids);
    }
    /// The rows that `#TEXT` names, if that is not simply the row with this number.
    fn tagged(&self, text: &str) -> Option<Vec<u32>> {
        let _ = text;
        None
    }
    /// A name of this row and no other, if the table knows one.
    fn sure_name(&self, id: u32) -> Option<String> {
        let _ = id;
        None
    }
    /// The details of a row for `diff`, as names and values, if its fields do not describe it.
    fn details(&self, id: u32) -> Option<Vec<(String, String)>> {
        let mut details = Vec::new();
        let found = self.detail(id, &mut |name, value| {
            details.push((name.to_owned(), value.to_owned()));
            false
        });
        found.is_some().then_some(details)
    }
    /// Passes the [`Self::details`] one by one, name and value, to `wanted` until it returns true.
    /// Returns that detail's name, or `Some(None)` if none is wanted; `None` if the fields describe
    /// the row.
    fn detail(
        &self,
        id: u32,
        wanted: &mut dyn FnMut(&str, &str) -> bool,
    ) -> Option<Option<String>> {
        let _ = (id, wanted);
        None
    }
    /// The hash of all rows in their order, if the table keeps one itself.
    fn content(&self) -> Option<u64> {
        None
    }
    /// Checks that labels, sums and indices equal those built from the rows: for tests.
    ///
    /// # Errors
    /// The parts that differ.
    fn audit(&self) -> Result<(), String> {
        Ok(())
    }
}

impl<T: Entity> AnyTable for Table<T> {
    fn shape(&self) -> &'static EntityShape {
        T::SHAPE
    }

    fn len(&self) -> usize {
        Self::len(self)
    }

    fn contains(&self, id: u32) -> bool {
        self.get(Id::new(id)).is_some()
    }

    fn ids(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        Box::new(self.iter().map(|(id, _)| id.number()))
    }

    fn label(&self, id: u32) -> Option<Cow<'_, str>> {
        self.get(Id::new(id)).and_then(Entity::label)
    }

    fn arrange_as_in_file(&self, ids: &mut [u32]) {
        let row = |id: &u32| self.get(Id::new(*id));
        ids.sort_by(|one, other| match (row(one), row(other)) {
            (Some(a), Some(b)) => <T::Index as RowIndex<T>>::in_file(a, b).then(one.cmp(other)),
            _ => one.cmp(other),
        });
    }

    fn ordinal(&self, id: u32) -> Option<usize> {
        let label = self.label(id)?;
        self.nth_of_label(id, &label)
    }

    fn labelled(&self, text: &str, level: Level) -> Vec<u32> {
        self.by_label(text, level)
    }

    fn labels(&self) -> Box<dyn Iterator<Item = Cow<'_, str>> + '_> {
        Box::new(self.iter().filter_map(|(_, row)| row.label()))
    }

    fn parent(&self, id: u32) -> Option<u32> {
        self.get(Id::new(id)).and_then(Entity::parent)
    }

    fn field(&self, id: u32, ix: usize) -> Option<String> {
        self.get(Id::new(id)).and_then(|row| row.field(ix))
    }

    fn reference(&self, id: u32, ix: usize) -> Option<u32> {
        self.get(Id::new(id)).and_then(|row| row.reference(ix))
    }

    fn references(&self) -> usize {
        self.reference_count()
    }

    fn select<'a>(
        &'a self,
        ix: usize,
        text: &str,
    ) -> Result<Box<dyn Fn(u32) -> bool + 'a>, ValueError> {
        let test = T::select(ix, text)?;
        Ok(Box::new(move |id| self.get(Id::new(id)).is_some_and(&test)))
    }

    fn row_hash(&self, id: u32) -> u64 {
        self.get(Id::new(id)).map_or(0, super::hash::hash_of)
    }

    fn sum(&self, parent: u32) -> u64 {
        self.content_sum(parent)
    }

    fn ties(&self) -> Box<dyn Iterator<Item = (&[u32], u64)> + '_> {
        Box::new(self.tie_sums())
    }

    fn owners(&self, rows: &[Row]) -> Vec<(&'static str, u32)> {
        self.owners_of(rows)
    }

    fn take_left(&mut self) -> Vec<(&'static str, u32)> {
        Self::take_left(self)
    }

    fn set(&mut self, id: u32, ix: usize, input: FieldInput<'_>) -> Result<bool, ValueError> {
        let mut result = Ok(());
        let changed = self.modify(Id::new(id), |row| result = row.set(ix, input));
        result.map(|()| changed)
    }

    fn build(
        &mut self,
        input: &dyn Fn(usize) -> Option<FieldInput<'static>>,
    ) -> Result<u32, Build> {
        T::build(input).map(|row| self.insert(row).number())
    }

    fn copy(&mut self, id: u32, input: &[(usize, FieldInput<'_>)]) -> Result<u32, Build> {
        if !T::SHAPE.addable {
            return Err(Build::NotAddable);
        }
        let mut row = self.get(Id::new(id)).cloned().ok_or(Build::NotAddable)?;
        for (ix, value) in input {
            row.set(*ix, value.clone())
                .map_err(|error| Build::Invalid(*ix, Box::new(error)))?;
        }
        Ok(self.insert(row).number())
    }

    fn adopt(
        &mut self,
        id: Option<u32>,
        (from, other): (&dyn Any, u32),
        refer: &dyn Fn(u32) -> Option<u32>,
    ) -> Option<u32> {
        let mut row = from.downcast_ref::<Self>()?.get(Id::new(other))?.clone();
        for ix in 0..T::SHAPE.fields.len() {
            if let Some(referred) = row.reference(ix) {
                row.set(ix, FieldInput::Row(refer(referred)?)).ok()?;
            }
        }
        match id {
            None => Some(self.insert(row).number()),
            Some(id) => {
                self.get(Id::new(id))?;
                self.modify(Id::new(id), |own| *own = row);
                Some(id)
            }
        }
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }

    fn remove(&mut self, id: u32) -> bool {
        Self::remove(self, Id::new(id)).is_some()
    }

    fn brace(&self, changes: usize) {
        Self::brace_index(self, changes);
    }

    fn audit(&self) -> Result<(), String> {
        Self::audit(self)
    }
}
