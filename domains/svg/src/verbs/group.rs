//! `group`

use fcp::format::xml::{insert_raw, move_node, qualified_like};
use fcp::prelude::*;

use crate::model::kind::CONDITIONS;
use crate::model::{Drawing, NodeId};
use crate::syntax::id::ElementId;

/// Put objects of one container into a group, in the place of the frontmost of them. Their bytes stay.
///
/// ```fcp
/// # raw '<rect id="a" width="4" height="2"/><rect id="b" width="4" height="2"/>'
/// group a,b as:pair
/// > + group pair @(0,0 4x2) of a, b
/// group pair as:a
/// > ! id:a is already a rect
/// >   try: group pair as:a-2
/// # raw '<g id="logo"><rect id="c" width="4" height="2"/></g>'
/// group pair,c as:all
/// > ! c is in logo
/// >   try: move pair in:logo
/// ```
#[fcp_verb(category = "Arrange")]
pub fn group(
    drawing: &mut Drawing,
    /// The objects.
    rows: Rows,
    /// The group's id.
    r#as: Spanned<ElementId>,
) -> Result<Reply> {
    drawing.is_free(&r#as, "", "")?;
    let id = r#as.get();
    let ids = crate::moving::movable(drawing, &rows)?;
    let tree = drawing.nodes.tree();
    let parent = ids.first().and_then(|id| tree.parent(*id));
    let (Some(parent), Some(front)) = (parent, ids.last().copied()) else {
        bail!("there is nothing to group"; try: "? list")
    };
    if let Some(other) = ids.iter().find(|id| tree.parent(**id) != Some(parent)) {
        let nodes = &drawing.nodes;
        let (first, name) = (ids.first().copied().unwrap_or(front), nodes.name(*other));
        let Some(outer) = tree.parent(*other) else {
            bail!("{name} is the drawing itself"; try: "? list")
        };
        let is_defined = ids.iter().any(|id| nodes.is_defined(*id));
        // The message names the deeper object.
        let (name, outer, other) = if nodes.root() == Some(outer) {
            (nodes.name(first), nodes.name(parent), name)
        } else {
            (name, nodes.name(outer), nodes.name(first))
        };
        // A definition is not drawn, and would be.
        if is_defined {
            bail!("{name} is in {outer}, which is not the place of all of them")
        }
        bail!("{name} is in {outer}"; try: "move {other} in:{outer}")
    }
    let names: Vec<String> = ids.iter().map(|id| drawing.nodes.name(*id)).collect();
    can_hold_group(drawing, parent, &ids, id.as_str(), &names.join(","))?;
    let lead = tree.get(front).map_or("", |node| node.lead()).to_owned();
    let name = qualified_like(tree, parent, "g");
    let (open, close) = (
        format!("{lead}<{name} id=\"{id}\">"),
        format!("{lead}</{name}>"),
    );
    let before = tree.next_sibling(front);
    let limits = drawing.host.bounds.xml;
    let made = insert_raw(
        drawing.nodes.tree_mut(),
        &format!("{open}{close}"),
        parent,
        before,
        &limits,
    )?;
    let Some(group) = made
        .into_iter()
        .find(|id| drawing.nodes.element(*id).is_some())
    else {
        bail!("the group could not be made")
    };
    for id in &ids {
        move_node(drawing.nodes.tree_mut(), *id, group, None)?;
    }
    let geometry = drawing.geometry();
    Ok(created!(
        "{} of {}",
        drawing.placed(&geometry, group),
        drawing.names_of(&ids)
    ))
}

/// Checks that a group of some children of an element means the same as these.
fn can_hold_group(
    drawing: &Drawing,
    parent: NodeId,
    ids: &[NodeId],
    id: &str,
    names: &str,
) -> Result<()> {
    let nodes = &drawing.nodes;
    let name = nodes.name(parent);
    match nodes.kind_name(parent) {
        "clip" => {
            bail!("{id} would be a group in {name}; a clip holds shapes and texts"; try: "define mask id:{id}-mask from:{names}")
        }
        "switch" => {
            let conditions = ids.iter().flat_map(|one| {
                let own = |name: &&str| Some(format!("{name}=\"{}\"", nodes.attr(*one, name)?));
                CONDITIONS.iter().filter_map(own)
            });
            let mut conditions: Vec<String> = conditions.collect();
            if conditions.is_empty() && ids.len() == 1 {
                return Ok(());
            }
            conditions.truncate(1);
            let condition = conditions
                .first()
                .map_or(String::new(), |own| format!(" {own}"));
            bail!("{name} is a switch, which draws the first of its children whose conditions hold; a group of {names} has none"; try: "raw '<g id=\"{id}\"{condition}/>' in:{name}")
        }
        _ => Ok(()),
    }
}
