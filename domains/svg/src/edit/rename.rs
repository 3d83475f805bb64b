//! Changes ids, and the references to them.

use std::cell::RefCell;
use std::collections::HashSet;

use fcp::format::xml::{self, Node};
use fcp::prelude::*;

use crate::css;
use crate::model::at_source::{Follower, apply, followers, followers_but, user};
use crate::model::{Drawing, NodeId};
use crate::style::folded;

/// Gives an element a new id, and updates all references to the old one. Returns the number of
/// references updated. If other elements have the old id too, references mean the first of them,
/// and selectors stay.
///
/// # Errors
/// If a text cannot be written, or a reference comes from an entity that has another use too.
pub fn rename(drawing: &mut Drawing, node: NodeId, new: &str) -> Result<usize> {
    let nodes = &drawing.nodes;
    let old = nodes.referred_id(node).map(std::borrow::Cow::into_owned);
    let shared = old.clone().filter(|old| is_shared(drawing, old));
    drawing.put_attr(node, "id", new)?;
    let Some(old) = old else {
        return Ok(0);
    };
    let mentioning = drawing.mentioning(std::slice::from_ref(&old));
    let renamed = |id: &str| (id == old).then(|| new.to_owned());
    follow_but(drawing, &mentioning, &renamed, &|id| {
        shared.as_deref() == Some(id)
    })
}

/// Whether several elements have an id.
pub fn is_shared(drawing: &Drawing, id: &str) -> bool {
    drawing.nodes.tree().index().count_of_id(id) > 1
}

/// Removes the ids of elements.
///
/// # Errors
/// If something refers to one of them.
pub fn remove_ids(drawing: &mut Drawing, nodes: &[NodeId]) -> Result<()> {
    if is_told_by_parts(drawing) {
        bail!("a rule picks elements by parts of their ids, and might pick others then"; try: "? css")
    }
    // If others have the same id, references to it mean the first.
    let old = nodes
        .iter()
        .filter_map(|node| drawing.nodes.referred_id(*node));
    let old: Vec<String> = old.map(std::borrow::Cow::into_owned).collect();
    let users = |old: &[String], used: &RefCell<HashSet<String>>| -> Vec<Follower> {
        let ids: HashSet<&str> = old.iter().map(String::as_str).collect();
        let own = |id: &str| {
            let own = ids.contains(id);
            own.then(|| used.borrow_mut().insert(id.to_owned()));
            own.then(String::new)
        };
        followers(drawing, &drawing.mentioning(old), &own)
    };
    let used = RefCell::default();
    if !users(&old, &used).is_empty() {
        let used = used.take();
        let first = old.iter().find(|old| used.contains(*old));
        if let Some(old) = first {
            let users = users(std::slice::from_ref(old), &RefCell::default());
            let users = users.iter();
            let users = folded(users.map(|one| user(drawing, one.node, one.attribute.as_deref())));
            bail!("{old} cannot lose its id: {users} refers to it"; try: "? refs {old}")
        }
    }
    drawing.is_free_of_entities(&old, &[])?;
    for node in nodes {
        let tree = drawing.nodes.tree_mut();
        xml::modify_element(tree, *node, |element| Ok(element.remove_attr("id")))?;
    }
    Ok(())
}

/// Updates the ids in references of some nodes: elements, and texts of style sheets. Returns the
/// number of references updated.
///
/// # Errors
/// If a text cannot be written, or a reference comes from an entity that has another use too.
pub fn follow(
    drawing: &mut Drawing,
    nodes: &[NodeId],
    new: &dyn Fn(&str) -> Option<String>,
) -> Result<usize> {
    follow_but(drawing, nodes, new, &|_| false)
}

/// Like [`follow`], but selectors with shared ids stay.
///
/// # Errors
/// Like [`follow`].
pub fn follow_but(
    drawing: &mut Drawing,
    nodes: &[NodeId],
    new: &dyn Fn(&str) -> Option<String>,
    is_shared: &dyn Fn(&str) -> bool,
) -> Result<usize> {
    let followers = followers_but(drawing, nodes, new, is_shared);
    apply(drawing, &followers, new)?;
    Ok(followers.iter().map(|one| one.references).sum())
}

/// Whether a style sheet matches elements by a part of their ids, as `[id^=a]` does. A new id may
/// change its matches.
#[must_use]
pub fn is_told_by_parts(drawing: &Drawing) -> bool {
    let tree = drawing.nodes.tree();
    let mut sheets = tree.index().styles().map(NodeId::new);
    sheets.any(|sheet| {
        tree.children(sheet).any(|inner| {
            let text = tree.get(inner).and_then(Node::text);
            text.is_some_and(|text| css::in_sheet(&text).by_parts)
        })
    })
}
