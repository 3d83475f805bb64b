//! The hashes of the layout as a part of the model.
//!
//! They are part of the content hash, but not of what `diff` lists: it shows the moved rows and
//! ends themselves. A `Slot` would be listed there, so this is a table without rows whose content
//! is these hashes.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use fcp::model::{
    AnyTable, Build, EntityShape, FieldInput, Ids, Journaled, Level, Part, SlotChange,
};
use fcp::prelude::*;
use schemars::{Schema, SchemaGenerator};

use super::LayoutHashes;

/// The hashes of the order of events and of the ends of tracks.
#[derive(Debug)]
pub struct Layout(Slot<LayoutHashes>);

impl Layout {
    /// The hashes.
    #[must_use]
    pub const fn get(&self) -> &LayoutHashes {
        self.0.get()
    }

    /// Replaces the hashes.
    pub fn set(&mut self, hashes: LayoutHashes) {
        self.0.set(hashes);
    }
}

/// The kind of its rows; there are none.
const SHAPE: EntityShape = EntityShape {
    kind: "layout",
    plural: "layouts",
    doc: "",
    fields: &[],
    parent: None,
    labelled: false,
    addable: false,
    sorts: &[],
};

impl Journaled for Layout {
    type Change = SlotChange<LayoutHashes>;

    fn attach(ids: &Ids) -> Self {
        Self(Slot::attach(ids))
    }

    fn drain(&mut self) -> Vec<Self::Change> {
        self.0.drain()
    }

    fn reverse(&mut self, change: &Self::Change) {
        self.0.reverse(change);
    }

    fn replay(&mut self, change: &Self::Change) {
        self.0.replay(change);
    }

    fn part(&self) -> Part<'_> {
        Part::Rows(self)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        <Slot<LayoutHashes> as Journaled>::schema(generator)
    }

    fn weight(change: &Self::Change) -> usize {
        <Slot<LayoutHashes> as Journaled>::weight(change)
    }
}

impl AnyTable for Layout {
    fn shape(&self) -> &'static EntityShape {
        &SHAPE
    }

    fn content(&self) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        self.get().hash(&mut hasher);
        Some(hasher.finish())
    }

    fn len(&self) -> usize {
        0
    }

    fn contains(&self, _: u32) -> bool {
        false
    }

    fn ids(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        Box::new(std::iter::empty())
    }

    fn label(&self, _: u32) -> Option<Cow<'_, str>> {
        None
    }

    fn ordinal(&self, _: u32) -> Option<usize> {
        None
    }

    fn labelled(&self, _: &str, _: Level) -> Vec<u32> {
        Vec::new()
    }

    fn labels(&self) -> Box<dyn Iterator<Item = Cow<'_, str>> + '_> {
        Box::new(std::iter::empty())
    }

    fn parent(&self, _: u32) -> Option<u32> {
        None
    }

    fn field(&self, _: u32, _: usize) -> Option<String> {
        None
    }

    fn reference(&self, _: u32, _: usize) -> Option<u32> {
        None
    }

    fn references(&self) -> usize {
        0
    }

    fn select<'a>(
        &'a self,
        _: usize,
        _: &str,
    ) -> Result<Box<dyn Fn(u32) -> bool + 'a>, ValueError> {
        Ok(Box::new(|_| false))
    }

    fn row_hash(&self, _: u32) -> u64 {
        0
    }

    fn sum(&self, _: u32) -> u64 {
        0
    }

    fn ties(&self) -> Box<dyn Iterator<Item = (&[u32], u64)> + '_> {
        Box::new(std::iter::empty())
    }

    fn owners(&self, _: &[Row]) -> Vec<(&'static str, u32)> {
        Vec::new()
    }

    fn take_left(&mut self) -> Vec<(&'static str, u32)> {
        Vec::new()
    }

    fn set(&mut self, _: u32, _: usize, _: FieldInput<'_>) -> Result<bool, ValueError> {
        Ok(false)
    }

    fn build(&mut self, _: &dyn Fn(usize) -> Option<FieldInput<'static>>) -> Result<u32, Build> {
        Err(Build::NotAddable)
    }

    fn copy(&mut self, _: u32, _: &[(usize, FieldInput<'_>)]) -> Result<u32, Build> {
        Err(Build::NotAddable)
    }

    fn remove(&mut self, _: u32) -> bool {
        false
    }
}
