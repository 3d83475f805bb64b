//! Matches elements with rules and selectors.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use fcp::format::xml::Element;
use fcp::work;
use rustc_hash::FxHashMap;

use crate::css::selector::{Combinator, Compare, Listed, Selector, Test};
use crate::model::{NodeId, Nodes};

use super::entity_elements::{Brought, Spot};
use super::rules::{Branch, Key};

/// The siblings passed in a search before its result is noted.
const FAR: usize = 16;

/// The number of steps of matching in the time of one step of a call.
const MATCHES_A_STEP: usize = 4;

/// The number of steps of matching between two counts.
const BETWEEN_COUNTS: usize = 4096;

/// The bytes of an attribute's value that are compared in a step of matching.
const BYTES_A_MATCH: usize = 256;

/// Selectors by what they require of an element, and what elements match, once it is known.
#[derive(Default)]
pub(super) struct Keyed {
    siblings: Rc<Siblings>,
    ids: HashMap<Box<str>, usize>,
    classes: HashMap<Box<str>, usize>,
    types: HashMap<Box<str>, usize>,
    any: Option<usize>,
    required: Vec<Required>,
    elements: RefCell<FxHashMap<NodeId, Rc<Matched>>>,
    sets: RefCell<HashMap<Alike, Rc<Matched>>>,
}

/// The common traits of elements that match the same selectors: the requirements that they meet,
/// and the selectors with further tests that they match.
type Alike = (Vec<usize>, Vec<usize>);

/// The selectors with the same requirement, as indices into the branches.
#[derive(Default)]
struct Required {
    /// Those without further tests.
    sure: Vec<usize>,
    other: Vec<usize>,
}

/// The selectors that elements match. Elements that match the same ones share it.
#[derive(Default)]
pub(super) struct Matched {
    /// In ascending order of specificity, as indices into the branches.
    pub branches: Vec<usize>,
    /// The declarations in effect, by the number of their property.
    pub declared: OnceCell<FxHashMap<usize, Effective>>,
}

/// A declaration in effect: its branch, and its place in the rule.
#[derive(Clone, Copy)]
pub(super) struct Effective {
    pub branch: usize,
    pub nth: usize,
    pub important: bool,
}

impl Keyed {
    pub fn of(branches: &[Branch]) -> Self {
        let mut keyed = Self::default();
        for (at, branch) in branches.iter().enumerate() {
            let next = keyed.required.len();
            let place = match &branch.key {
                Key::Id(id) => *keyed.ids.entry(id.clone()).or_insert(next),
                Key::Class(class) => *keyed.classes.entry(class.clone()).or_insert(next),
                Key::Type(name) => *keyed.types.entry(name.clone()).or_insert(next),
                Key::Any => *keyed.any.get_or_insert(next),
            };
            if place == next {
                keyed.required.push(Required::default());
            }
            let tests = match branch.selector.parts.as_slice() {
                [(_, tests)] => tests.len(),
                _ => usize::MAX,
            };
            if let Some(required) = keyed.required.get_mut(place) {
                match tests == usize::from(branch.key != Key::Any) {
                    true => required.sure.push(at),
                    false => required.other.push(at),
                }
            }
        }
        keyed
    }

    /// The branches that an element matches. Counts its steps; if the call has none left, nothing
    /// matches.
    pub fn matching(&self, branches: &[Branch], nodes: &Nodes, id: NodeId) -> Rc<Matched> {
        let Some(element) = nodes.element(id).filter(|_| !branches.is_empty()) else {
            return Rc::default();
        };
        if let Some(known) = self.elements.borrow().get(&id) {
            return Rc::clone(known);
        }
        let met = self.met(element);
        let required = || met.iter().filter_map(|at| self.required.get(*at));
        let matcher = Matcher {
            siblings: Rc::clone(&self.siblings),
            nodes,
            over: Cell::new(false),
            uncounted: Cell::new(0),
        };
        let mut found = Vec::new();
        for at in required().flat_map(|required| &required.other) {
            let branch = branches.get(*at).filter(|_| work::over().is_none());
            if branch.is_some_and(|branch| matcher.matches(&branch.selector, id)) {
                found.push(*at);
            }
        }
        drop(matcher);
        let mut sets = self.sets.borrow_mut();
        let key = (met, found);
        let set = match sets.get(&key) {
            Some(set) => Rc::clone(set),
            None => {
                let required = key.0.iter().filter_map(|at| self.required.get(*at));
                let sure = required.flat_map(|required| required.sure.iter().copied());
                let mut all: Vec<usize> = sure.chain(key.1.iter().copied()).collect();
                if work::spend(all.len()).is_err() {
                    return Rc::default();
                }
                all.sort_unstable();
                let set = Rc::new(Matched {
                    branches: all,
                    declared: OnceCell::new(),
                });
                sets.insert(key, Rc::clone(&set));
                set
            }
        };
        self.elements.borrow_mut().insert(id, Rc::clone(&set));
        set
    }

    /// The requirements that an element meets, each once.
    fn met(&self, element: &Element) -> Vec<usize> {
        let mut met: Vec<usize> = self.any.into_iter().collect();
        met.extend(self.types.get(element.local_name()));
        if !self.ids.is_empty() {
            let own = element.attr("id");
            met.extend(own.and_then(|own| self.ids.get(&*own)));
        }
        if !self.classes.is_empty() {
            let class = element.attr("class").unwrap_or_default();
            met.extend(class.split(' ').filter_map(|one| self.classes.get(one)));
        }
        met.sort_unstable();
        met.dedup();
        met
    }
}

/// The position of an element among its siblings, and among those of its type: from the first and
/// from the last, starting at 1.
#[derive(Clone, Copy)]
struct SiblingPosition {
    all: [i64; 2],
    typed: [i64; 2],
}

/// The result of a search, and if it failed, which other candidates may still succeed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Found,
    /// An earlier sibling may.
    Sibling,
    /// An outer element may.
    Outer,
    /// None may.
    Never,
}

/// Matches elements, for style rules and ops alike. Its steps count as work of the call; if that has
/// none left, nothing matches. It must not outlive the selectors that it matches.
pub(crate) struct Matcher<'n> {
    nodes: &'n Nodes,
    /// Whether the call has no steps left.
    over: Cell<bool>,
    /// The steps that are not counted yet.
    uncounted: Cell<usize>,
    siblings: Rc<Siblings>,
}

/// Results about siblings, worked out once for all elements.
#[derive(Default)]
struct Siblings {
    positions: RefCell<FxHashMap<Spot, SiblingPosition>>,
    /// The results of searches among the siblings before an element: by the address and number of
    /// the parts searched for.
    searched: RefCell<FxHashMap<(usize, usize, Spot), Reach>>,
    brought: Brought,
}

impl<'n> Matcher<'n> {
    /// A matcher without results.
    pub fn new(nodes: &'n Nodes) -> Self {
        Self {
            nodes,
            over: Cell::new(false),
            uncounted: Cell::new(0),
            siblings: Rc::default(),
        }
    }

    /// Whether an element matches.
    pub fn matches(&self, selector: &Selector, id: NodeId) -> bool {
        self.matches_at(selector, id.into())
    }

    fn matches_at(&self, selector: &Selector, at: Spot) -> bool {
        self.reaches(&selector.parts, at) == Reach::Found && !self.over.get()
    }

    /// Whether an element matches the last part, and elements before or around it match the others.
    /// A search goes on only where it may succeed, as in browsers, so that its steps are at most
    /// those of passing the elements before and around once.
    fn reaches(&self, parts: &[(Combinator, Vec<Test>)], id: Spot) -> Reach {
        let last = parts.split_last().filter(|_| self.steps());
        let Some(((combinator, tests), before)) = last else {
            return Reach::Never;
        };
        if !tests.iter().all(|test| self.passes(test, id)) {
            return Reach::Sibling;
        }
        if before.is_empty() {
            return Reach::Found;
        }
        match combinator {
            Combinator::Descendant | Combinator::Child => {
                let mut next = self.parent(id);
                while let Some(outer) = next {
                    match self.reaches(before, outer) {
                        found @ (Reach::Found | Reach::Never) => return found,
                        _ if *combinator == Combinator::Child => return Reach::Outer,
                        _ => next = self.parent(outer),
                    }
                }
                Reach::Never
            }
            Combinator::Next => {
                let next = self.previous(id);
                next.map_or(Reach::Outer, |next| self.reaches(before, next))
            }
            Combinator::Later => self.among_siblings(before, id),
        }
    }

    /// Searches the siblings before an element for the end of some parts.
    fn among_siblings(&self, parts: &[(Combinator, Vec<Test>)], id: Spot) -> Reach {
        let (mut at, mut passed, mut noted) = (id, 0, None);
        let key = |id| (parts.as_ptr().addr(), parts.len(), id);
        let reach = loop {
            if passed >= FAR {
                if let Some(known) = self.siblings.searched.borrow().get(&key(at)) {
                    break *known;
                }
                noted = noted.or(Some(at));
            }
            let Some(next) = self.previous(at) else {
                break Reach::Outer;
            };
            match self.reaches(parts, next) {
                Reach::Sibling => (at, passed) = (next, passed + 1),
                reach => break reach,
            }
        };
        if let Some(noted) = noted.filter(|_| !self.over.get()) {
            self.siblings
                .searched
                .borrow_mut()
                .insert(key(noted), reach);
        }
        reach
    }

    /// Takes a step; returns whether any was left.
    fn steps(&self) -> bool {
        self.count(1);
        !self.over.get()
    }

    fn count(&self, steps: usize) {
        self.uncounted.set(self.uncounted.get() + steps);
        if self.uncounted.get() >= BETWEEN_COUNTS {
            self.flush();
        }
    }

    /// Counts the steps so far as work of the call.
    fn flush(&self) {
        let steps = self.uncounted.take() / MATCHES_A_STEP;
        if work::spend(steps).is_err() {
            self.over.set(true);
        }
    }

    fn parent(&self, at: Spot) -> Option<Spot> {
        let parent = self.nodes.tree().parent(at.id)?;
        self.nodes.element(parent).map(|_| parent.into())
    }

    fn previous(&self, at: Spot) -> Option<Spot> {
        if let Some(nth) = at.inner.and_then(|nth| nth.checked_sub(1)) {
            let inner = Some(nth);
            return Some(Spot { inner, ..at });
        }
        let tree = self.nodes.tree();
        let mut before = std::iter::successors(tree.previous_sibling(at.id), |id| {
            tree.previous_sibling(*id)
        });
        before.find_map(|id| {
            if !self.steps() || self.nodes.element(id).is_some() {
                return Some(id.into());
            }
            let last = self
                .siblings
                .brought
                .of(self.nodes, id)?
                .elements
                .len()
                .checked_sub(1)?;
            let inner = Some(last);
            Some(Spot { id, inner })
        })
    }

    fn passes(&self, test: &Test, id: Spot) -> bool {
        if !self.steps() {
            return false;
        }
        let (nodes, brought) = (self.nodes, &self.siblings.brought);
        match test {
            Test::Type(name) => brought.is_called(nodes, id, name),
            Test::Class(class) => brought.has_attr(nodes, id, "class", |value| {
                Compare::Word.holds(value, class)
            }),
            Test::Id(own) => brought.has_attr(nodes, id, "id", |value| *value == **own),
            Test::Attribute(name, compare, wanted) => brought.has_attr(nodes, id, name, |value| {
                self.count(value.len() / BYTES_A_MATCH);
                compare.holds(value, wanted)
            }),
            Test::Empty => brought.is_empty(nodes, id, &|| self.steps()),
            Test::Root => self.nodes.root().map(Spot::from) == Some(id),
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
            Test::Any(list, listed) => {
                let any = list.iter().any(|one| self.matches_at(one, id));
                any != (*listed == Listed::Not)
            }
        }
    }

    /// The position of an element among its siblings, which are counted once.
    fn sibling_position(&self, id: Spot) -> SiblingPosition {
        if let Some(known) = self.siblings.positions.borrow().get(&id) {
            return *known;
        }
        let tree = self.nodes.tree();
        let outer = tree.parent(id.id);
        let inner = outer.into_iter().flat_map(|outer| tree.children(outer));
        let mut siblings: Vec<(Spot, Cow<'_, str>)> = Vec::new();
        for id in inner {
            if let Some(element) = self.nodes.element(id) {
                siblings.push((id.into(), element.local_name().into()));
            } else if let Some(brought) = self.siblings.brought.of(self.nodes, id) {
                let names = brought.elements.iter().map(|one| one.name.clone());
                let spots = (0..).map(|nth| Spot {
                    id,
                    inner: Some(nth),
                });
                siblings.extend(spots.zip(names.map(Cow::Owned)));
            }
        }
        self.count(siblings.len());
        let mut positions = self.siblings.positions.borrow_mut();
        let unknown = SiblingPosition {
            all: [0; 2],
            typed: [0; 2],
        };
        let mut count =
            |place: usize, siblings: &mut dyn Iterator<Item = &(Spot, Cow<'_, str>)>| {
                let mut of_type: FxHashMap<&str, i64> = FxHashMap::default();
                for ((id, name), nth) in siblings.zip(1_i64..) {
                    let typed = of_type.entry(&**name).or_default();
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

impl Drop for Matcher<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}
