//! The namespaces that prefixes are bound to.

use std::collections::{BTreeMap, BTreeSet};

use fcp::work;

use super::{NodeId, Nodes, SVG};

/// The elements that bind prefixes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Bindings {
    /// The empty prefix: the default namespace.
    default: Bound,
    prefixed: BTreeMap<Box<str>, Bound>,
}

impl Bindings {
    /// Adds or removes an attribute, if it binds a prefix.
    pub fn note(&mut self, name: &str, uri: &str, id: u32, there: bool) {
        let Some(prefix) = prefix_bound(name) else {
            return;
        };
        if there {
            let bound = match prefix {
                "" => &mut self.default,
                prefix => self.prefixed.entry(prefix.into()).or_default(),
            };
            bound.add(id, uri);
        } else if prefix.is_empty() {
            self.default.remove(id);
        } else if let Some(bound) = self.prefixed.get_mut(prefix) {
            bound.remove(id);
            if bound.is_empty() {
                self.prefixed.remove(prefix);
            }
        }
    }

    fn get(&self, prefix: &str) -> Option<&Bound> {
        match prefix {
            "" => Some(&self.default),
            prefix => self.prefixed.get(prefix),
        }
    }

    /// Whether the default namespace is SVG's in the whole drawing.
    pub fn is_plain(&self, root: NodeId) -> bool {
        let Bound { own, other, none } = &self.default;
        other.is_empty() && none.is_empty() && own.contains(&root.number())
    }
}

/// The elements that bind a prefix.
#[derive(Debug, Default, PartialEq, Eq)]
struct Bound {
    /// To the namespace of SVG.
    own: BTreeSet<u32>,
    /// To another one.
    other: BTreeSet<u32>,
    /// To none.
    none: BTreeSet<u32>,
}

/// The prefix that an attribute with this name binds; empty for the default namespace.
fn prefix_bound(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("xmlns")?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix(':')
}

impl Bound {
    fn add(&mut self, id: u32, uri: &str) {
        let elements = match uri {
            SVG => &mut self.own,
            "" => &mut self.none,
            _ => &mut self.other,
        };
        elements.insert(id);
    }

    fn remove(&mut self, id: u32) {
        for elements in [&mut self.own, &mut self.other, &mut self.none] {
            elements.remove(&id);
        }
    }

    fn is_empty(&self) -> bool {
        self.own.is_empty() && self.other.is_empty() && self.none.is_empty()
    }

    /// Whether the namespace that an element binds the prefix to is SVG's, if it binds it.
    fn at(&self, id: u32) -> Option<Option<bool>> {
        let binds = |elements: &BTreeSet<u32>| elements.contains(&id);
        if binds(&self.own) {
            return Some(Some(true));
        }
        let none = || binds(&self.none).then_some(None);
        binds(&self.other).then_some(Some(false)).or_else(none)
    }

    /// Whether all that bind the prefix agree on its namespace.
    fn is_uniform(&self) -> bool {
        let all = [&self.own, &self.other, &self.none];
        all.iter().filter(|elements| !elements.is_empty()).count() == 1
    }
}

impl Nodes {
    /// Whether a prefix is bound to the namespace of SVG at an element; `None` if it is bound to
    /// none.
    pub(super) fn is_bound_to_svg(&self, id: NodeId, prefix: &str) -> Option<bool> {
        if prefix == "xml" {
            return Some(false);
        }
        let bound = self.tree().index().bindings().get(prefix)?;
        // Usually the root's binding applies everywhere, so that ancestors need no check.
        let root = self.root().filter(|_| bound.is_uniform());
        if let Some(found) = root.and_then(|root| bound.at(root.number())) {
            return found;
        }
        let mut passed = 0;
        let found = std::iter::once(id)
            .chain(self.tree().ancestors(id))
            .inspect(|_| passed += 1)
            .find_map(|id| bound.at(id.number()));
        // The call fails at its next check. The answer is right all the same, since it is kept.
        let _ = work::spend(passed / ANCESTORS_A_STEP);
        found.flatten()
    }
}

/// The ancestors that are checked in the time of a step.
const ANCESTORS_A_STEP: usize = 4;
