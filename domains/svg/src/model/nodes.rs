//! The tree of a drawing as the runtime sees it: its elements are the rows.

use std::borrow::Cow;
use std::cmp::Ordering;

use fcp::format::xml::Node;
use fcp::model::{
    AnyTable, Build, EntityShape, Fate, FieldInput, Ids, Journaled, Level, Part, Row, Tree,
    TreeChange,
};
use fcp::value::ValueError;
use schemars::{Schema, SchemaGenerator};

use super::kind::{Role, SORTS};
use super::{Index, NodeId};

/// The nodes of a drawing, in order. Every change is recorded.
pub struct Nodes(Tree<Node, Index>);

/// The shape of the rows. They have no fields, since an element has attributes instead.
const SHAPE: EntityShape = EntityShape {
    kind: "object",
    plural: "objects",
    doc: "An element of the drawing.",
    fields: &[],
    parent: None,
    labelled: true,
    addable: false,
    sorts: SORTS,
};

impl Nodes {
    /// The tree.
    #[must_use]
    pub const fn tree(&self) -> &Tree<Node, Index> {
        &self.0
    }

    /// The tree, mutable.
    pub const fn tree_mut(&mut self) -> &mut Tree<Node, Index> {
        &mut self.0
    }

    /// The number of the next row.
    #[must_use]
    pub fn next_id(&self) -> u32 {
        Journaled::ids(&self.0).map_or(0, Ids::peek)
    }

    /// All elements, in document order.
    pub fn elements(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.0.ids().filter(|id| self.element(*id).is_some())
    }
}

impl Journaled for Nodes {
    type Change = TreeChange<Node>;

    const SHAPE: Option<&'static EntityShape> = Some(&SHAPE);

    fn attach(ids: &Ids) -> Self {
        Self(Tree::attach(ids))
    }

    fn ids(&self) -> Option<&Ids> {
        Journaled::ids(&self.0)
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

    fn rows_mut(&mut self) -> Option<&mut dyn AnyTable> {
        Some(self)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        <Tree<Node, Index> as Journaled>::schema(generator)
    }

    fn row_of(change: &Self::Change) -> Option<(u32, Fate)> {
        <Tree<Node, Index> as Journaled>::row_of(change)
    }

    fn weight(change: &Self::Change) -> usize {
        <Tree<Node, Index> as Journaled>::weight(change)
    }
}

impl AnyTable for Nodes {
    fn shape(&self) -> &'static EntityShape {
        &SHAPE
    }

    fn len(&self) -> usize {
        self.0.index().elements() + self.declared().count()
    }

    fn contains(&self, id: u32) -> bool {
        let id = NodeId::new(id);
        self.element(id).is_some() || self.declared_kind(id).is_some()
    }

    fn ids(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        Box::new(self.declared().chain(self.elements()).map(NodeId::number))
    }

    fn label(&self, id: u32) -> Option<Cow<'_, str>> {
        Some(Cow::Owned(self.name(NodeId::new(id))))
    }

    fn ordinal(&self, _: u32) -> Option<usize> {
        None
    }

    fn labelled(&self, text: &str, level: Level) -> Vec<u32> {
        let mut found = self.called(text, level);
        // An exact match of an element takes precedence over an entity.
        if found.is_empty() || level != Level::Exact {
            found.extend(self.declared_as(text, level));
            found.sort_unstable();
        }
        found
    }

    fn labels(&self) -> Box<dyn Iterator<Item = Cow<'_, str>> + '_> {
        let names = self.elements().flat_map(|id| {
            let own = self.attr(id, "id").filter(|own| !own.is_empty());
            own.into_iter().chain(self.label(id))
        });
        Box::new(names)
    }

    fn parent(&self, id: u32) -> Option<u32> {
        let parent = self.0.parent(NodeId::new(id))?;
        (parent != Tree::<Node, Index>::ROOT).then(|| parent.number())
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
        Err(ValueError::sentence("elements have no such field"))
    }

    fn row_hash(&self, id: u32) -> u64 {
        self.0.hash_of(NodeId::new(id))
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
        let left = self.0.index().take_left().into_iter();
        let rows = left.map(|id| {
            let sheet = self.sheet_of(NodeId::new(id)).map(NodeId::number);
            (SHAPE.kind, sheet.unwrap_or(id))
        });
        rows.collect()
    }

    fn set(&mut self, _: u32, _: usize, _: FieldInput<'_>) -> Result<bool, ValueError> {
        Err(ValueError::sentence("elements have no such field"))
    }

    fn build(&mut self, _: &dyn Fn(usize) -> Option<FieldInput<'static>>) -> Result<u32, Build> {
        Err(Build::NotAddable)
    }

    fn copy(&mut self, _: u32, _: &[(usize, FieldInput<'_>)]) -> Result<u32, Build> {
        Err(Build::NotAddable)
    }

    fn remove(&mut self, id: u32) -> bool {
        let id = NodeId::new(id);
        self.take_out(id).unwrap_or(false)
    }

    fn kind(&self, id: u32) -> &'static str {
        self.kind_name(NodeId::new(id))
    }

    fn inside(&self, id: u32) -> Vec<u32> {
        let inner = self.0.descendants(NodeId::new(id));
        inner.map(NodeId::number).collect()
    }

    fn meant(&self, id: u32) -> Option<u32> {
        let id = NodeId::new(id);
        if !self.0.contains(id) {
            return None;
        }
        if self.declared_kind(id).is_some() {
            return Some(id.number());
        }
        let root = self.root();
        std::iter::once(id)
            .chain(self.0.ancestors(id))
            .filter(|id| Some(*id) != root && self.element(*id).is_some())
            .find(|id| self.role(*id) != Role::Part)
            .map(NodeId::number)
    }

    fn in_universe(&self, id: u32) -> bool {
        self.is_object(NodeId::new(id))
    }

    fn arrange(&self, ids: &mut [u32]) {
        let order =
            |a: &u32, b: &u32| -> Ordering { self.0.order(NodeId::new(*a), NodeId::new(*b)) };
        ids.sort_unstable_by(order);
    }

    fn tagged(&self, text: &str) -> Option<Vec<u32>> {
        Some(self.0.index().with_id(text, Level::Exact))
    }

    fn sure_name(&self, id: u32) -> Option<String> {
        Some(self.name(NodeId::new(id)))
    }

    fn detail(
        &self,
        id: u32,
        wanted: &mut dyn FnMut(&str, &str) -> bool,
    ) -> Option<Option<String>> {
        let id = NodeId::new(id);
        if let Some(declared) = self.entity_decl(id) {
            let text = declared.text().unwrap_or_default();
            let mut fields = [("name", declared.name()), ("value", &text)].into_iter();
            let found = fields.find(|(name, value)| wanted(name, value));
            return Some(found.map(|(name, _)| name.to_owned()));
        }
        let element = self.element(id)?;
        let mut values = element.values();
        if let Some((name, _)) = values.find(|(name, value)| wanted(name, value)) {
            return Some(Some(name.to_owned()));
        }
        if element.local_name() == "text" && wanted("text", &self.text_of(id)) {
            return Some(Some("text".to_owned()));
        }
        let outer = self.0.parent(id);
        let outer = outer.filter(|outer| self.element(*outer).is_some());
        let inside = outer.is_some_and(|outer| wanted("in", &self.name_once(outer)));
        Some(inside.then(|| "in".to_owned()))
    }

    fn content(&self) -> Option<u64> {
        Some(self.0.hash())
    }

    fn audit(&self) -> Result<(), String> {
        self.0.audit()?;
        let root = fcp::format::xml::root(&self.0);
        if root != self.root() {
            return Err(format!("the root is {root:?}, not {:?}", self.root()));
        }
        match self.0.index().tally() {
            Some(kept) if kept != self.counted() => Err(format!("the digest counts {kept:?}")),
            _ => Ok(()),
        }
    }
}
