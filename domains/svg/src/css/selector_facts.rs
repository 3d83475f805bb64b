//! Facts about selectors: which changes of elements may alter the rules that others match.

use rustc_hash::FxHashMap;

use super::selector::{Combinator, Selector, Test};

/// The elements that may match other rules if a test of an element changes its result, besides
/// the element itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Its descendants.
    pub inner: bool,
    /// Its later siblings.
    pub later: bool,
}

impl Reach {
    const fn and(self, other: Self) -> Self {
        Self {
            inner: self.inner || other.inner,
            later: self.later || other.later,
        }
    }
}

/// The tests in the selectors of all sheets, with their reach.
#[derive(Debug, Default)]
pub(crate) struct Hangs {
    classes: FxHashMap<Box<str>, Reach>,
    ids: FxHashMap<Box<str>, Reach>,
    types: FxHashMap<Box<str>, Reach>,
    attributes: FxHashMap<Box<str>, Reach>,
    /// Whether a selector depends on ancestors.
    pub nested: bool,
    /// That of `+`.
    pub next: Option<Reach>,
    /// That of `~`, and of positions among siblings other than fixed ones.
    pub among: Option<Reach>,
    /// That of fixed positions from the first sibling and from the last, and the farthest position.
    pub edges: [Option<(usize, Reach)>; 2],
    /// That of `:empty`.
    pub empty: Option<Reach>,
}

fn join(place: &mut Option<Reach>, reach: Reach) {
    *place = Some(place.unwrap_or_default().and(reach));
}

impl Hangs {
    /// Adds the tests of a selector, whose elements have this reach.
    pub fn add(&mut self, selector: &Selector, after: Reach) {
        let mut reach = after;
        for (at, (combinator, tests)) in selector.parts.iter().enumerate().rev() {
            for test in tests {
                self.add_test(test, reach);
            }
            if at == 0 {
                break;
            }
            match combinator {
                Combinator::Descendant | Combinator::Child => {
                    self.nested = true;
                    reach.inner = true;
                }
                Combinator::Next => {
                    join(&mut self.next, reach);
                    reach.later = true;
                }
                Combinator::Later => {
                    join(&mut self.among, reach);
                    reach.later = true;
                }
            }
        }
    }

    fn add_test(&mut self, test: &Test, reach: Reach) {
        let mut named = |map: fn(&mut Self) -> &mut FxHashMap<Box<str>, Reach>, name: &str| {
            let own = map(self).entry(name.into()).or_default();
            *own = own.and(reach);
        };
        match test {
            Test::Type(name) => named(|own| &mut own.types, name),
            Test::Class(name) => named(|own| &mut own.classes, name),
            Test::Id(name) => named(|own| &mut own.ids, name),
            Test::Attribute(name, ..) => named(|own| &mut own.attributes, name),
            Test::Root => {}
            Test::Empty => join(&mut self.empty, reach),
            Test::Nth {
                step: 0,
                first,
                of_type: false,
                from_end,
            } => {
                let Ok(first) = usize::try_from(*first) else {
                    return;
                };
                let edge = &mut self.edges[usize::from(*from_end)];
                let (far, known) = edge.unwrap_or_default();
                *edge = Some((far.max(first), known.and(reach)));
            }
            Test::Nth { .. } => join(&mut self.among, reach),
            Test::Any(list, _) => list.iter().for_each(|one| self.add(one, reach)),
        }
    }

    /// The reach of a class.
    pub fn class(&self, name: &str) -> Option<Reach> {
        self.classes.get(name).copied()
    }

    /// The reach of an id.
    pub fn id(&self, name: &str) -> Option<Reach> {
        self.ids.get(name).copied()
    }

    /// The reach of an element's name.
    pub fn of_type(&self, name: &str) -> Option<Reach> {
        self.types.get(name).copied()
    }

    /// The reach of an attribute.
    pub fn attribute(&self, name: &str) -> Option<Reach> {
        self.attributes.get(name).copied()
    }

    /// Whether any rule depends on more than the names, classes and other attributes of an element.
    pub fn any(&self) -> bool {
        !self.ids.is_empty() || self.nested || self.empty.is_some() || self.by_place()
    }

    /// Whether matches depend on siblings.
    pub fn by_place(&self) -> bool {
        let edges = self.edges.iter().any(Option::is_some);
        self.next.is_some() || self.among.is_some() || edges
    }
}
