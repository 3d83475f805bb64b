//! Matches elements with rules and selectors.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use rustc_hash::FxHashMap;

use crate::css::selector::{Combinator, Compare, Selector, Test};
use crate::model::{NodeId, Nodes};

use super::rules::{Branch, Key};

/// The maximum number of steps for one match, where each test of an element and each node passed is
/// a step. Without it, a selector with many parts could take very long.
const MOST_STEPS: u32 = 5_000;

/// Selectors by what they require of an element. Numbers are indices into the branches.
#[derive(Default)]
pub(super) struct Keyed {
    ids: HashMap<Box<str>, Vec<usize>>,
    classes: HashMap<Box<str>, Vec<usize>>,
    types: HashMap<Box<str>, Vec<usize>>,
    any: Vec<usize>,
}

impl Keyed {
    pub fn of(branches: &[Branch]) -> Self {
        let mut keyed = Self::default();
        for (at, branch) in branches.iter().enumerate() {
            let places = match &branch.key {
                Key::Id(id) => keyed.ids.entry(id.clone()).or_default(),
                Key::Class(class) => keyed.classes.entry(class.clone()).or_default(),
                Key::Type(name) => keyed.types.entry(name.clone()).or_default(),
                Key::Any => &mut keyed.any,
            };
            places.push(at);
        }
        keyed
    }

    /// The branches that an element matches, in ascending order of specificity.
    pub fn matching(&self, branches: &[Branch], nodes: &Nodes, id: NodeId) -> Vec<usize> {
        let Some(element) = nodes.element(id).filter(|_| !branches.is_empty()) else {
            return Vec::new();
        };
        let mut near = self.any.clone();
        near.extend(self.types.get(element.local_name()).into_iter().flatten());
        if !self.ids.is_empty() {
            let own = element.attr("id");
            near.extend(
                own.and_then(|own| self.ids.get(&*own))
                    .into_iter()
                    .flatten(),
            );
        }
        if !self.classes.is_empty() {
            let class = element.attr("class").unwrap_or_default();
            let of_class = class.split(' ').filter_map(|one| self.classes.get(one));
            near.extend(of_class.flatten());
        }
        near.sort_unstable();
        near.dedup();
        near.retain(|at| {
            branches
                .get(*at)
                .is_some_and(|branch| matches(branch, nodes, id))
        });
        near
    }
}

/// Whether an element matches a selector of a sheet.
pub(super) fn matches(branch: &Branch, nodes: &Nodes, id: NodeId) -> bool {
    let matcher = Matcher::new(nodes, MOST_STEPS);
    matcher.matches(&branch.selector, id)
}

/// The position of an element among its siblings, and among those of its type: from the first and
/// from the last, starting at 1.
#[derive(Clone, Copy)]
struct SiblingPosition {
    all: [i64; 2],
    typed: [i64; 2],
}

/// Matches elements, for style rules and ops alike.
pub(crate) struct Matcher<'n> {
    nodes: &'n Nodes,
    left: Cell<u32>,
    positions: RefCell<FxHashMap<NodeId, SiblingPosition>>,
}

impl<'n> Matcher<'n> {
    /// A matcher with a maximum number of steps.
    pub fn new(nodes: &'n Nodes, most: u32) -> Self {
        Self {
            nodes,
            left: Cell::new(most),
            positions: RefCell::default(),
        }
    }

    /// Whether it ran out of steps.
    pub const fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// Whether an element matches.
    pub fn matches(&self, selector: &Selector, id: NodeId) -> bool {
        self.reaches(&selector.parts, id)
    }

    /// Whether an element matches the last part, and elements before or around it match the others.
    fn reaches(&self, parts: &[(Combinator, Vec<Test>)], id: NodeId) -> bool {
        let last = parts.split_last().filter(|_| self.steps());
        let Some(((combinator, tests), before)) = last else {
            return false;
        };
        if !tests.iter().all(|test| self.passes(test, id)) {
            return false;
        }
        if before.is_empty() {
            return true;
        }
        let mut next = match combinator {
            Combinator::Descendant | Combinator::Child => self.parent(id),
            Combinator::Next | Combinator::Later => self.previous(id),
        };
        while let Some(other) = next {
            if self.reaches(before, other) {
                return true;
            }
            next = match combinator {
                Combinator::Descendant => self.parent(other),
                Combinator::Later => self.previous(other),
                Combinator::Child | Combinator::Next => None,
            };
        }
        false
    }

    /// Takes a step; returns whether any was left.
    fn steps(&self) -> bool {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        left > 0
    }

    fn parent(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.nodes.tree().parent(id)?;
        self.nodes.element(parent).map(|_| parent)
    }

    fn previous(&self, id: NodeId) -> Option<NodeId> {
        let tree = self.nodes.tree();
        let mut before =
            std::iter::successors(tree.previous_sibling(id), |id| tree.previous_sibling(*id));
        before.find(|id| !self.steps() || self.nodes.element(*id).is_some())
    }

    fn passes(&self, test: &Test, id: NodeId) -> bool {
        if !self.steps() {
            return false;
        }
        let attr = |name: &str| self.nodes.attr(id, name);
        match test {
            Test::Type(name) => self.nodes.is_called(id, name),
            Test::Class(class) => {
                attr("class").is_some_and(|value| Compare::Word.holds(&value, class))
            }
            Test::Id(own) => attr("id").is_some_and(|value| *value == **own),
            Test::Attribute(name, compare, wanted) => {
                attr(name).is_some_and(|value| compare.holds(&value, wanted))
            }
            Test::Empty => self.nodes.tree().children(id).all(|inner| {
                let node = self.nodes.tree().get(inner);
                self.steps()
                    && node.is_none_or(|node| node.element().is_none() && node.text().is_none())
            }),
            Test::Root => self.nodes.root() == Some(id),
            // The first child needs no counting.
            Test::Nth {
                step: 0,
                first: 1,
                of_type: false,
                from_end: false,
            } => self.previous(id).is_none(),
            Test::Nth {
                step,
                first,
                of_type,
                from_end,
            } => {
                let position = self.sibling_position(id);
                let places = if *of_type {
                    position.typed
                } else {
                    position.all
                };
                let past = places[usize::from(*from_end)] - first;
                match step {
                    0 => past == 0,
                    step => past % step == 0 && past / step >= 0,
                }
            }
            Test::Any(list, negated) => list.iter().any(|one| self.matches(one, id)) != *negated,
        }
    }

    /// The position of an element among its siblings, which are counted once.
    fn sibling_position(&self, id: NodeId) -> SiblingPosition {
        if let Some(known) = self.positions.borrow().get(&id) {
            return *known;
        }
        let tree = self.nodes.tree();
        let outer = tree.parent(id);
        let inner = outer.into_iter().flat_map(|outer| tree.children(outer));
        let siblings: Vec<(NodeId, &str)> = inner
            .filter_map(|id| Some((id, self.nodes.element(id)?.local_name())))
            .collect();
        let mut positions = self.positions.borrow_mut();
        let unknown = SiblingPosition {
            all: [0; 2],
            typed: [0; 2],
        };
        let mut count = |place: usize, siblings: &mut dyn Iterator<Item = &(NodeId, &str)>| {
            let mut of_type: FxHashMap<&str, i64> = FxHashMap::default();
            for ((id, name), nth) in siblings.zip(1_i64..) {
                let typed = of_type.entry(*name).or_default();
                *typed += 1;
                let position = positions.entry(*id).or_insert(unknown);
                position.all[place] = nth;
                position.typed[place] = *typed;
            }
        };
        count(0, &mut siblings.iter());
        count(1, &mut siblings.iter().rev());
        positions.get(&id).copied().unwrap_or(unknown)
    }
}
