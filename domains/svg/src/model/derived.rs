//! What was worked out of elements and still holds.
//!
//! Boxes and paints follow from what an element says, what those around it say, and the style sheets. They are kept by
//! element, and let go when one of these changes: the index hears of every change, those of undo and redo too. What
//! hangs on anything else, as a text on its fonts or a `use` on what it draws, is not kept.

use std::cell::RefMut;
use std::sync::Arc;

use kurbo::Rect;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{NodeId, Nodes};

/// How many changes are remembered until somebody asks; after more, nothing is held to be known.
const MOST_CHANGES: usize = 10_000;
/// How many different paints are told apart.
const MOST_PAINTS: usize = 100_000;

/// What is known of elements, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Derived {
    /// Boxes of shapes and of what holds nothing but shapes, and boxes with strokes.
    boxes: [FxHashMap<u32, Option<Rect>>; 2],
    /// Whether elements are drawn where they stand.
    drawn: FxHashMap<u32, bool>,
    /// Computed fills and strokes, as places in `values`.
    paints: [FxHashMap<u32, usize>; 2],
    values: Vec<Box<str>>,
    places: FxHashMap<Box<str>, usize>,
    /// The element whose name was asked for last. Any change may give it another.
    named: Option<(u32, Arc<str>)>,
    /// Elements that changed, came, went or moved: what is known of them and of what stands in them may be wrong.
    changed: FxHashSet<u32>,
    /// All that is known may be wrong.
    lost: bool,
}

impl Derived {
    /// An element changed, came, went or moved.
    pub(super) fn change(&mut self, id: u32) {
        self.named = None;
        if self.changed.len() < MOST_CHANGES {
            self.changed.insert(id);
        } else {
            self.lose();
        }
    }

    /// Something that stands in this changed, came or went.
    pub(super) fn change_in(&mut self, id: u32) {
        for boxes in &mut self.boxes {
            boxes.remove(&id);
        }
    }

    /// A style sheet changed, came, went or moved.
    pub(super) fn lose(&mut self) {
        self.named = None;
        self.lost = true;
        self.changed.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        let [filled, stroked] = &self.boxes;
        let boxes = filled.is_empty() && stroked.is_empty();
        boxes && self.drawn.is_empty() && self.values.is_empty()
    }

    fn forget(&mut self, id: u32) {
        for boxes in &mut self.boxes {
            boxes.remove(&id);
        }
        self.drawn.remove(&id);
        for paints in &mut self.paints {
            paints.remove(&id);
        }
    }

    /// The box of a shape, with its stroke or without.
    pub fn shape(&self, id: NodeId, stroked: bool) -> Option<Option<Rect>> {
        self.boxes[usize::from(stroked)].get(&id.number()).copied()
    }

    /// Keeps the box of a shape.
    pub fn keep_shape(&mut self, id: NodeId, stroked: bool, found: Option<Rect>) {
        self.boxes[usize::from(stroked)].insert(id.number(), found);
    }

    /// Whether an element is drawn where it stands.
    pub fn drawn(&self, id: NodeId) -> Option<bool> {
        self.drawn.get(&id.number()).copied()
    }

    /// Keeps whether an element is drawn where it stands.
    pub fn keep_drawn(&mut self, id: NodeId, drawn: bool) {
        self.drawn.insert(id.number(), drawn);
    }

    /// The number of an element's computed fill or stroke, equal for equal texts.
    pub fn paint(&self, id: NodeId, stroke: bool) -> Option<usize> {
        self.paints[usize::from(stroke)].get(&id.number()).copied()
    }

    /// Keeps an element's computed fill or stroke, which gets a number unless there are too many.
    pub fn keep_paint(&mut self, id: NodeId, stroke: bool, value: &str) -> Option<usize> {
        let place = match self.places.get(value) {
            Some(place) => *place,
            None if self.values.len() < MOST_PAINTS => {
                let place = self.values.len();
                self.places.insert(value.into(), place);
                self.values.push(value.into());
                place
            }
            None => return None,
        };
        self.paints[usize::from(stroke)].insert(id.number(), place);
        Some(place)
    }

    /// The name of an element, if it was the last that was asked for.
    pub fn name(&self, id: NodeId) -> Option<Arc<str>> {
        let (known, name) = self.named.as_ref()?;
        (*known == id.number()).then(|| Arc::clone(name))
    }

    /// Keeps the name of an element.
    pub fn keep_name(&mut self, id: NodeId, name: &Arc<str>) {
        self.named = Some((id.number(), Arc::clone(name)));
    }

    /// The paint that has a number.
    pub fn value(&self, place: usize) -> Option<&str> {
        self.values.get(place).map(|value| &**value)
    }
}

impl Nodes {
    /// What is known, as it holds now.
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
            // What stands in another that changed is forgotten with it.
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
