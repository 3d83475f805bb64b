//! Cached data of elements that is still valid.
//!
//! Boxes and paints depend on an element, its ancestors and the style sheets. They are cached per
//! element and dropped when one of these changes: the index receives every change, including those
//! of undo and redo. Data that depends on anything else is not cached, such as a text's box (on
//! fonts) or a `use`'s (on its target). Nothing is cached once the call has no steps left, since
//! results may then be wrong.

use std::cell::RefMut;
use std::sync::Arc;

use fcp::model::{Level, Slab};
use fcp::work;
use kurbo::Rect;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{NodeId, Nodes};

/// The most changes to collect until the next query; after more, the whole cache is dropped.
const MOST_CHANGES: usize = 10_000;
/// The maximum number of different paints.
const MOST_PAINTS: usize = 100_000;

/// Cached data of elements, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Derived {
    /// Boxes of shapes and of elements that contain only shapes, without and with strokes.
    boxes: [Slab<Option<Rect>>; 2],
    /// Whether elements are drawn at their place.
    drawn: Slab<bool>,
    /// Computed fills and strokes, as indices into `values`.
    paints: [Slab<u32>; 2],
    values: Vec<Box<str>>,
    places: FxHashMap<Box<str>, u32>,
    /// The element whose name was last requested. Any change may rename it.
    named: Option<(u32, Arc<str>)>,
    /// The first elements in the document with ids that several have. Any change may affect them.
    firsts: FxHashMap<Box<str>, NodeId>,
    /// Elements that were changed, added, removed or moved: their cached data and that of their
    /// content may be wrong.
    changed: FxHashSet<u32>,
    /// Whether all cached data may be wrong.
    lost: bool,
}

impl Derived {
    /// Notes that an element was changed, added, removed or moved.
    pub(super) fn change(&mut self, id: u32) {
        self.reorder();
        if self.changed.len() < MOST_CHANGES {
            self.changed.insert(id);
        } else {
            self.lose();
        }
    }

    /// Notes that a descendant of an element was changed, added or removed.
    pub(super) fn change_in(&mut self, id: u32) {
        for boxes in &mut self.boxes {
            boxes.remove(id);
        }
    }

    /// Notes that a style sheet was changed, added, removed or moved.
    pub(super) fn lose(&mut self) {
        self.reorder();
        self.lost = true;
        self.changed.clear();
    }

    /// Notes that the order of elements, or their names, changed.
    pub(super) fn reorder(&mut self) {
        self.named = None;
        self.firsts.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        let [filled, stroked] = &self.boxes;
        let boxes = filled.is_empty() && stroked.is_empty();
        boxes && self.drawn.is_empty() && self.values.is_empty()
    }

    fn forget(&mut self, id: u32) {
        for boxes in &mut self.boxes {
            boxes.remove(id);
        }
        self.drawn.remove(id);
        for paints in &mut self.paints {
            paints.remove(id);
        }
    }

    /// The cached box of a shape, with or without its stroke.
    pub fn shape(&self, id: NodeId, stroked: bool) -> Option<Option<Rect>> {
        self.boxes[usize::from(stroked)].get(id.number()).copied()
    }

    /// Caches the box of a shape.
    pub fn keep_shape(&mut self, id: NodeId, stroked: bool, found: Option<Rect>) {
        if work::over().is_none() {
            self.boxes[usize::from(stroked)].insert(id.number(), found);
        }
    }

    /// Whether an element is drawn at its place, if cached.
    pub fn drawn(&self, id: NodeId) -> Option<bool> {
        self.drawn.get(id.number()).copied()
    }

    /// Caches whether an element is drawn at its place.
    pub fn keep_drawn(&mut self, id: NodeId, drawn: bool) {
        if work::over().is_none() {
            self.drawn.insert(id.number(), drawn);
        }
    }

    /// The number of an element's computed fill or stroke, equal for equal texts.
    pub fn paint(&self, id: NodeId, stroke: bool) -> Option<usize> {
        let place = self.paints[usize::from(stroke)].get(id.number());
        place.map(|place| *place as usize)
    }

    /// Caches an element's computed fill or stroke, which gets a number unless there are too many.
    pub fn keep_paint(&mut self, id: NodeId, stroke: bool, value: &str) -> Option<usize> {
        let place = match self.places.get(value) {
            _ if work::over().is_some() => return None,
            Some(place) => *place,
            None if self.values.len() < MOST_PAINTS => {
                let place = u32::try_from(self.values.len()).ok()?;
                self.places.insert(value.into(), place);
                self.values.push(value.into());
                place
            }
            None => return None,
        };
        self.paints[usize::from(stroke)].insert(id.number(), place);
        Some(place as usize)
    }

    /// The name of an element, if it was the last one requested.
    pub fn name(&self, id: NodeId) -> Option<Arc<str>> {
        let (known, name) = self.named.as_ref()?;
        (*known == id.number()).then(|| Arc::clone(name))
    }

    /// Caches the name of an element.
    pub fn keep_name(&mut self, id: NodeId, name: &Arc<str>) {
        self.named = Some((id.number(), Arc::clone(name)));
    }

    /// The paint with a number.
    pub fn value(&self, place: usize) -> Option<&str> {
        self.values.get(place).map(|value| &**value)
    }
}

impl Nodes {
    /// The first element in the document with an id.
    #[must_use]
    pub fn first_called(&self, id: &str) -> Option<NodeId> {
        let (tree, index) = (self.tree(), self.tree().index());
        if index.count_of_id(id) < 2 {
            return index.first_with_id(id).map(NodeId::new);
        }
        if let Some(known) = index.derived().firsts.get(id) {
            return Some(*known);
        }
        let all = index.with_id(id, Level::Exact);
        // The call fails at its next check.
        work::spend(all.len()).ok()?;
        let all = all.into_iter().map(NodeId::new);
        let first = all.min_by(|a, b| tree.order(*a, *b))?;
        index.derived().firsts.insert(id.into(), first);
        Some(first)
    }

    /// The cached data, after dropping everything invalid.
    pub(crate) fn derived(&self) -> RefMut<'_, Derived> {
        let tree = self.tree();
        let mut derived = tree.index().derived();
        if derived.lost {
            *derived = Derived::default();
        }
        if derived.changed.is_empty() {
            return derived;
        }
        if derived.values.len() >= MOST_PAINTS {
            *derived = Derived::default();
        }
        let changed = std::mem::take(&mut derived.changed);
        if !derived.is_empty() {
            // A changed ancestor already covers its descendants.
            let covered = |id: NodeId| {
                let mut outward = tree.ancestors(id);
                outward.any(|outer| changed.contains(&outer.number()))
            };
            for id in changed.iter().copied().map(NodeId::new) {
                derived.forget(id.number());
                if tree.contains(id) && !covered(id) {
                    tree.descendants(id)
                        .for_each(|inner| derived.forget(inner.number()));
                }
            }
        }
        derived
    }
}
