//! Changes ids, and the references to them.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use fcp::format::xml::{self, Node};
use fcp::model::Level;
use fcp::prelude::*;
use fcp::reply::count;
use fcp::work;

use crate::css::{self, PartOfId};
use crate::edit::sheet_links;
use crate::model::at_source::{Follower, apply, followers, followers_but, user};
use crate::model::{Drawing, NodeId};
use crate::style::folded;
use crate::syntax::id::{ElementId, next_free};

/// Gives elements new ids, all at once, so that two may swap theirs, or removes them. Returns the
/// lines of the reply.
///
/// # Errors
/// Like [`rename`] and [`remove_ids`].
pub fn set_ids(
    drawing: &mut Drawing,
    ids: Vec<(NodeId, Option<ElementId>)>,
) -> Result<Vec<String>> {
    let (mut new, mut gone) = (Vec::new(), Vec::new());
    for (own, id) in ids {
        match id {
            Some(id) => new.push((own, id)),
            None => gone.push(own),
        }
    }
    let mut renamed = Vec::new();
    if !new.is_empty() {
        let (ids, references) = (count(new.len(), "id"), rename(drawing, &new)?);
        renamed.push(format!("* {ids}, {}", count(references, "reference")));
    }
    if !gone.is_empty() {
        remove_ids(drawing, &gone)?;
    }
    Ok(renamed)
}

/// Gives elements new ids, all at once, and updates all references to the old ones. Returns the
/// number of references updated. If other elements keep an old id too, references mean the first of
/// them, and selectors stay. Elements that shared an id may share the new one.
///
/// # Errors
/// If an id is taken, a text cannot be written, or a reference comes from an entity that has another
/// use too.
pub fn rename(drawing: &mut Drawing, rows: &[(NodeId, ElementId)]) -> Result<usize> {
    are_free(drawing, rows)?;
    let changes = rows.iter().map(|(own, id)| (*own, Some(id.as_str())));
    keeps_matches(drawing, changes)?;
    let mut renamed: HashMap<String, String> = HashMap::new();
    for (own, id) in rows {
        let old = drawing.nodes.referred_id(*own);
        renamed.extend(old.map(|old| (old.into_owned(), id.as_str().to_owned())));
    }
    let mut together: HashMap<&str, usize> = HashMap::new();
    for (own, id) in rows {
        let old = drawing.nodes.attr(*own, "id");
        let old = old.and_then(|old| renamed.get_key_value(&*old));
        if let Some((old, _)) = old.filter(|(_, new)| *new == id.as_str()) {
            *together.entry(old).or_default() += 1;
        }
    }
    let index = drawing.nodes.tree().index();
    let stays =
        |old: &&String| index.count_of_id(old) > together.get(&***old).copied().unwrap_or(0);
    let shared: HashSet<String> = renamed.keys().filter(stays).cloned().collect();
    let mut declared = Vec::new();
    for (own, id) in rows {
        match Follower::of_id(drawing, *own, id.as_str()) {
            Some(own) => declared.push(own),
            None => {
                drawing.put_attr(*own, "id", id.as_str())?;
            }
        }
    }
    let old: Vec<String> = renamed.keys().cloned().collect();
    drawing.is_free_of_defaults(&old)?;
    let mentioning = drawing.mentioning(&old);
    let new = |id: &str| renamed.get(id).cloned();
    let mut followers = followers_but(drawing, &mentioning, &new, &|id| shared.contains(id));
    let references: usize = followers.iter().map(|one| one.references).sum();
    followers.extend(declared);
    apply(drawing, &followers, &new)?;
    Ok(references + sheet_links::follow(drawing, &new)?)
}

/// Checks that new ids of elements are not those of others.
fn are_free(drawing: &Drawing, rows: &[(NodeId, ElementId)]) -> Result<()> {
    let changing: HashSet<NodeId> = rows.iter().map(|(own, _)| *own).collect();
    let mut new: HashMap<&str, NodeId> = HashMap::new();
    let index = drawing.nodes.tree().index();
    let others = |id: &str| {
        let found = index.with_id(id, Level::Exact).into_iter();
        let mut found = found.map(NodeId::new);
        found.find(|other| !changing.contains(other))
    };
    let taken = |id: &str| index.is_in_entity(id) || others(id).is_some();
    for (own, id) in rows {
        let old = |id| drawing.nodes.attr(id, "id").filter(|old| !old.is_empty());
        let shared = |other: &NodeId| old(*own).is_some() && old(*other) == old(*own);
        if let Some(other) = new.insert(id.as_str(), *own).filter(|other| !shared(other)) {
            let (one, other) = (drawing.nodes.name(*own), drawing.nodes.name(other));
            bail!("{other} and {one} would both have the id {id}")
        }
        if taken(id.as_str()) {
            let free = next_free(id.as_str(), |id| taken(id) || new.contains_key(id));
            let owner = match others(id.as_str()) {
                Some(other) => format!("a {}", drawing.nodes.kind_name(other)),
                None => "in the markup of an entity".to_owned(),
            };
            bail!("id:{id} is already {owner}"; add: "{free}")
        }
    }
    Ok(())
}

/// Removes the ids of elements.
///
/// # Errors
/// If something refers to one of them.
pub fn remove_ids(drawing: &mut Drawing, nodes: &[NodeId]) -> Result<()> {
    keeps_matches(drawing, nodes.iter().map(|node| (*node, None)))?;
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
    let ids = old.iter().map(String::as_str).collect();
    let linked = sheet_links::users(drawing, &ids).into_iter();
    if let Some(id) = linked.flat_map(|(_, ids)| ids).next() {
        bail!("{id} cannot lose its id: <?{}?> refers to it", sheet_links::NAME; try: "? refs {id}")
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
    let followers = followers(drawing, nodes, new);
    apply(drawing, &followers, new)?;
    Ok(followers.iter().map(|one| one.references).sum())
}

/// Checks that no style sheet matches other elements with new ids by a part of them, as `[id^=a]`
/// may do.
fn keeps_matches<'i>(
    drawing: &Drawing,
    changes: impl Iterator<Item = (NodeId, Option<&'i str>)>,
) -> Result<()> {
    let tree = drawing.nodes.tree();
    let sheets = tree.index().styles().map(NodeId::new);
    let texts = sheets.flat_map(|sheet| tree.children(sheet));
    let texts = texts.filter_map(|inner| tree.get(inner).and_then(Node::text));
    let tests: Vec<PartOfId> = texts
        .flat_map(|text| css::in_sheet(&text).by_parts)
        .collect();
    for (node, new) in changes {
        work::spend(tests.len())?;
        let old = drawing.nodes.attr(node, "id");
        if tests
            .iter()
            .any(|test| test.tells_apart(old.as_deref(), new))
        {
            bail!("a rule picks elements by parts of their ids, and might pick others then"; try: "? css")
        }
    }
    Ok(())
}
