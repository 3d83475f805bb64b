//! Which rules an element matches.

use std::cell::Cell;
use std::collections::HashMap;

use simplecss::{AttributeOperator, PseudoClass, Selector};

use crate::model::{NodeId, Nodes};

use super::rules::{Branch, Form, Key};

/// How many elements one match may look at. A selector of many parts could look at more than anyone waits for.
const MOST_STEPS: u32 = 5_000;

/// Selectors by what they ask of an element. Numbers are places among the branches.
#[derive(Default)]
pub(super) struct Keyed {
    ids: HashMap<Box<str>, Vec<usize>>,
    classes: HashMap<Box<str>, Vec<usize>>,
    types: HashMap<Box<str>, Vec<usize>>,
    any: Vec<usize>,
}

impl Keyed {
    pub fn of(branches: &[Branch<'_>]) -> Self {
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

    /// The branches that an element matches, the weakest first.
    pub fn matching(&self, branches: &[Branch<'_>], nodes: &Nodes, id: NodeId) -> Vec<usize> {
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

/// Whether an element matches a selector.
pub(super) fn matches(branch: &Branch<'_>, nodes: &Nodes, id: NodeId) -> bool {
    let left = Cell::new(MOST_STEPS);
    let place = Place {
        nodes,
        id,
        left: &left,
    };
    match &branch.form {
        Form::Read(selector) => selector.matches(&place),
        Form::Text(text) => Selector::parse(text).is_some_and(|s| s.matches(&place)),
    }
}

/// An element as the renderer's matcher asks for it.
struct Place<'n> {
    nodes: &'n Nodes,
    id: NodeId,
    left: &'n Cell<u32>,
}

impl Place<'_> {
    fn at(&self, id: NodeId) -> Option<Self> {
        self.nodes.element(id)?;
        self.left.set(self.left.get().checked_sub(1)?);
        Some(Self { id, ..*self })
    }
}

impl simplecss::Element for Place<'_> {
    fn parent_element(&self) -> Option<Self> {
        self.at(self.nodes.tree().parent(self.id)?)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let tree = self.nodes.tree();
        let mut before = std::iter::successors(tree.previous_sibling(self.id), |id| {
            tree.previous_sibling(*id)
        });
        self.at(before.find(|id| self.nodes.element(*id).is_some())?)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.nodes
            .element(self.id)
            .is_some_and(|element| element.local_name() == name)
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.nodes
            .attr(self.id, name)
            .is_some_and(|value| operator.matches(&value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        matches!(class, PseudoClass::FirstChild) && self.prev_sibling_element().is_none()
    }
}
