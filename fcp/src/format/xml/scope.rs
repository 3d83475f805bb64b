//! Namespaces: the bindings of prefixes.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::element::Element;
use super::node::Node;
use crate::model::{Id, RowIndex, Step, Tree};

/// The namespace that the prefix `xml` is always bound to.
pub const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// The namespace that no prefix may be bound to.
pub const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// A name's prefix, or an empty text, and the rest.
pub fn split(name: &str) -> (&str, &str) {
    name.split_once(':').unwrap_or(("", name))
}

/// The prefix that an attribute with this name binds; empty for the default namespace.
pub fn declared(name: &str) -> Option<&str> {
    if name == "xmlns" {
        return Some("");
    }
    name.strip_prefix("xmlns:")
}

/// The bindings of prefixes at a place, while a text is read.
#[derive(Debug, Default)]
pub struct Scope {
    bound: FxHashMap<String, Vec<String>>,
    /// The prefixes in the order they were bound.
    order: Vec<String>,
}

impl Scope {
    /// The current state, for [`Self::release`].
    pub const fn mark(&self) -> usize {
        self.order.len()
    }

    pub fn bind(&mut self, prefix: &str, uri: &str) {
        let bound = self.bound.entry(prefix.to_owned()).or_default();
        bound.push(uri.to_owned());
        self.order.push(prefix.to_owned());
    }

    /// Removes the bindings made since a mark.
    pub fn release(&mut self, mark: usize) {
        while self.order.len() > mark {
            let prefix = self.order.pop().unwrap_or_default();
            if let Some(bound) = self.bound.get_mut(&prefix) {
                bound.pop();
            }
        }
    }

    /// The namespace that a prefix is bound to.
    pub fn uri(&self, prefix: &str) -> Option<&str> {
        if prefix == "xml" {
            return Some(XML);
        }
        self.bound.get(prefix)?.last().map(String::as_str)
    }

    /// The bindings in effect for the children of a row.
    pub fn within<I: RowIndex<Node>>(tree: &Tree<Node, I>, id: Id<Node>) -> Self {
        let mut way: Vec<Id<Node>> = tree.ancestors(id).collect();
        way.reverse();
        let mut scope = Self::default();
        for element in way
            .into_iter()
            .chain([id])
            .filter_map(|id| element_at(tree, id))
        {
            scope.enter(element);
        }
        scope
    }

    fn enter(&mut self, element: &Element) {
        for attr in element.attrs() {
            if let Some(prefix) = declared(attr.name()) {
                self.bind(prefix, &attr.value(element.entities.as_ref()));
            }
        }
    }
}

fn element_at<I>(tree: &Tree<Node, I>, id: Id<Node>) -> Option<&Element> {
    tree.get(id).and_then(Node::element)
}

/// The namespace that a prefix, or the empty one for the default, is bound to at an element.
#[must_use]
pub fn namespace<'t, I>(
    tree: &'t Tree<Node, I>,
    id: Id<Node>,
    prefix: &str,
) -> Option<Cow<'t, str>> {
    let own = std::iter::once(id).chain(tree.ancestors(id));
    bound(own.filter_map(|id| element_at(tree, id)), prefix)
}

/// The namespace that a prefix, or the empty one for the default, is bound to by an element and
/// those around it, the innermost first.
#[must_use]
pub fn bound<'t>(
    outward: impl IntoIterator<Item = &'t Element>,
    prefix: &str,
) -> Option<Cow<'t, str>> {
    if prefix == "xml" {
        return Some(XML.into());
    }
    let uri = outward.into_iter().find_map(|element| {
        let mut attrs = element.attrs().iter();
        let attr = attrs.find(|attr| declared(attr.name()) == Some(prefix))?;
        Some(attr.value(element.entities.as_ref()))
    });
    uri.filter(|uri| !uri.is_empty())
}

/// The namespace of an element's name.
#[must_use]
pub fn namespace_of<I>(tree: &Tree<Node, I>, id: Id<Node>) -> Option<Cow<'_, str>> {
    let (prefix, _) = split(element_at(tree, id)?.name());
    namespace(tree, id, prefix)
}

/// The namespace of an attribute's name at an element. A name without a prefix has none.
#[must_use]
pub fn attr_namespace<'t, I>(
    tree: &'t Tree<Node, I>,
    id: Id<Node>,
    name: &str,
) -> Option<Cow<'t, str>> {
    match split(name) {
        _ if declared(name).is_some() => Some(XMLNS.into()),
        ("", _) => None,
        (prefix, _) => namespace(tree, id, prefix),
    }
}

/// A prefix that is bound to a namespace at an element, the nearest first.
#[must_use]
pub fn prefix_of<I>(tree: &Tree<Node, I>, id: Id<Node>, uri: &str) -> Option<String> {
    let own = std::iter::once(id).chain(tree.ancestors(id));
    for element in own.filter_map(|id| element_at(tree, id)) {
        let prefixes = element
            .attrs()
            .iter()
            .filter_map(|attr| declared(attr.name()));
        for prefix in prefixes.filter(|prefix| !prefix.is_empty()) {
            // A binding further in may hide it.
            if namespace(tree, id, prefix).is_some_and(|found| found == uri) {
                return Some(prefix.to_owned());
            }
        }
    }
    None
}

/// A local name with the prefix of an element: the name of a new child.
#[must_use]
pub fn qualified_like<I>(tree: &Tree<Node, I>, parent: Id<Node>, local: &str) -> String {
    match element_at(tree, parent).map(|element| split(element.name())) {
        Some((prefix, _)) if !prefix.is_empty() => format!("{prefix}:{local}"),
        _ => local.to_owned(),
    }
}

/// A prefix that has another meaning in `parent` than at a row's present place, and that the row or
/// a descendant uses.
pub fn changes_meaning<I: RowIndex<Node>>(
    tree: &Tree<Node, I>,
    id: Id<Node>,
    parent: Id<Node>,
) -> Option<String> {
    let old = tree.parent(id)?;
    let (before, after) = (Scope::within(tree, old), Scope::within(tree, parent));
    let prefixes: BTreeSet<&String> = before.order.iter().chain(&after.order).collect();
    let uri = |scope: &Scope, prefix: &str| {
        let uri = scope.uri(prefix).filter(|uri| !uri.is_empty());
        uri.map(str::to_owned)
    };
    let mut other = prefixes
        .into_iter()
        .filter(|prefix| uri(&before, prefix) != uri(&after, prefix));
    let first = other.next()?.clone();
    let other: BTreeSet<String> = [first].into_iter().chain(other.cloned()).collect();
    let (mut inner, mut marks) = (Scope::default(), Vec::new());
    for step in tree.walk(id) {
        match step {
            Step::Enter(id) => {
                marks.push(inner.mark());
                let Some(element) = element_at(tree, id) else {
                    continue;
                };
                inner.enter(element);
                let own = [split(element.name()).0];
                let attrs = element.attrs().iter().map(|attr| split(attr.name()).0);
                let used = own
                    .into_iter()
                    .chain(attrs.filter(|prefix| !prefix.is_empty()));
                for prefix in used {
                    if other.contains(prefix) && inner.uri(prefix).is_none() {
                        return Some(prefix.to_owned());
                    }
                }
            }
            Step::Leave(_) => inner.release(marks.pop().unwrap_or_default()),
        }
    }
    None
}
