//! Writes `elements.id`: changes ids and all references to them.

use std::collections::{HashMap, HashSet};

use fcp::model::Level;
use fcp::prelude::*;
use fcp::reply::count;

use super::elements::ElementRow;
use crate::edit::rename;
use crate::model::{Drawing, NodeId};
use crate::syntax::id::{ElementId, next_free};

/// Changes the ids of elements, all at once, so that two may swap theirs, or removes them.
pub fn set_id(
    drawing: &mut Drawing,
    rows: Vec<(&ElementRow, Option<ElementId>)>,
) -> Result<Vec<String>> {
    let (mut new, mut gone) = (Vec::new(), Vec::new());
    for (row, id) in rows {
        let own = NodeId::new(row.row.id());
        match id {
            Some(id) => new.push((own, id)),
            None => gone.push(own),
        }
    }
    let renamed = rename(drawing, &new)?;
    if !gone.is_empty() {
        rename::remove_ids(drawing, &gone)?;
    }
    Ok(renamed)
}

/// Changes the ids of elements.
pub fn rename(drawing: &mut Drawing, rows: &[(NodeId, ElementId)]) -> Result<Vec<String>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let changing: HashSet<NodeId> = rows.iter().map(|(own, _)| *own).collect();
    let mut new: HashMap<&str, NodeId> = HashMap::new();
    for (own, id) in rows {
        let index = drawing.nodes.tree().index();
        let taken = |id: &str| {
            let mut found = index.with_id(id, Level::Exact).into_iter();
            index.is_in_entity(id) || found.any(|other| !changing.contains(&NodeId::new(other)))
        };
        if let Some(other) = new.insert(id.as_str(), *own) {
            let (one, other) = (drawing.nodes.name(*own), drawing.nodes.name(other));
            bail!("{other} and {one} would both have the id {id}")
        }
        if taken(id.as_str()) {
            let free = next_free(id.as_str(), |id| taken(id) || new.contains_key(id));
            if index.is_in_entity(id.as_str()) {
                bail!("id:{id} is already in the markup of an entity"; add: "{free}")
            }
            bail!("id:{id} is already a {}", drawing.kind_with(id.as_str()); add: "{free}")
        }
    }
    if rename::is_told_by_parts(drawing) {
        bail!("a rule picks elements by parts of their ids, and might pick others then"; try: "? css")
    }
    let mut renamed: HashMap<String, String> = HashMap::new();
    for (own, id) in rows {
        let old = drawing.nodes.referred_id(*own);
        renamed.extend(old.map(|old| (old.into_owned(), id.as_str().to_owned())));
    }
    let shared = renamed.keys().filter(|old| rename::is_shared(drawing, old));
    let shared: HashSet<String> = shared.cloned().collect();
    for (own, id) in rows {
        drawing.put_attr(*own, "id", id.as_str())?;
    }
    let old: Vec<String> = renamed.keys().cloned().collect();
    let mentioning = drawing.mentioning(&old);
    let new = |id: &str| renamed.get(id).cloned();
    let followed = rename::follow_but(drawing, &mentioning, &new, &|id| shared.contains(id))?;
    let (ids, references) = (count(rows.len(), "id"), count(followed, "reference"));
    Ok(vec![format!("* {ids}, {references}")])
}

impl Drawing {
    /// The kind of the element with an id.
    fn kind_with(&self, id: &str) -> &'static str {
        let found = self.nodes.tree().index().with_id(id, Level::Exact);
        let first = found.first().copied().map(NodeId::new);
        first.map_or("element", |id| self.nodes.kind_name(id))
    }
}
