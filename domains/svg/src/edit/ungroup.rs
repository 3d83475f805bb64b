//! Effects of removing a group on its content.

use fcp::format::xml::{Kind, Node};
use fcp::prelude::*;
use kurbo::Affine;

use crate::edit::unlink::{self, Use};
use crate::geometry::Geometry;
use crate::model::kind::{BOX, LAYER, LINK, Role};
use crate::model::{Drawing, NodeId};
use crate::moving::{Edit, brought, editable};
use crate::property;
use crate::style::{Origin, StyleSnapshot};
use crate::transform::Syntax;

/// A group to remove, and the changes to its content.
pub struct Ungrouping {
    /// The group.
    pub group: NodeId,
    /// Its parent.
    pub parent: NodeId,
    /// The nodes that replace it.
    pub children: Vec<NodeId>,
    /// The drawn ones of these nodes.
    pub drawn: Vec<NodeId>,
    /// The edits that apply the group's transforms to them.
    pub edits: Vec<Edit>,
    /// Their computed values, for comparison.
    pub snapshot: StyleSnapshot,
    /// References to the group.
    pub uses: Vec<Use>,
}

/// Plans the removal of a group.
///
/// # Errors
/// If it is not a group or contains elements that an entity declares; or, without `force`, if the
/// picture would change or something refers to it.
pub fn plan(drawing: &Drawing, group: NodeId, force: bool) -> Result<Ungrouping> {
    let nodes = &drawing.nodes;
    let (kind, name) = (nodes.kind_name(group), nodes.name(group));
    let Some(parent) = nodes.tree().parent(group) else {
        bail!("{name} is the drawing itself"; try: "? list")
    };
    if !matches!(kind, "group" | LAYER | BOX | LINK) {
        bail!("{name} is a {kind}, not a group"; try: "? describe {name}")
    }
    for child in nodes.tree().children(group) {
        if let Some(Kind::Entity(entity)) = nodes.tree().get(child).map(Node::kind)
            && entity.text().contains('<')
        {
            let entity = entity.name();
            bail!("{name} holds &{entity};, whose elements are written in the DOCTYPE and cannot take what {name} gives them"; try: "? svg {name}")
        }
    }
    let uses = uses_of(drawing, group);
    if !force && let Some(lost) = lost(drawing, group, &uses) {
        bail!("{lost}"; try: "ungroup {name} force:on")
    }
    let is_words = |id: &NodeId| {
        let element = nodes.element(*id);
        element.is_some_and(|element| matches!(element.local_name(), "title" | "desc" | "metadata"))
    };
    let children = nodes.tree().children(group);
    let children: Vec<NodeId> = children.filter(|id| !is_words(id)).collect();
    let drawn = children.iter().copied();
    let drawn: Vec<NodeId> = drawn
        .filter(|id| matches!(nodes.role(*id), Role::Graphic | Role::Container))
        .collect();
    let geometry = drawing.geometry();
    let mut edits = Vec::new();
    for id in &drawn {
        edits.extend(handed_down(drawing, &geometry, group, *id)?);
    }
    let snapshot = StyleSnapshot::of(drawing, &drawn);
    Ok(Ungrouping {
        group,
        parent,
        children,
        drawn,
        edits,
        snapshot,
        uses,
    })
}

/// The references to a group itself.
fn uses_of(drawing: &Drawing, group: NodeId) -> Vec<Use> {
    let Some(id) = drawing.nodes.own_id(group) else {
        return Vec::new();
    };
    unlink::uses_of(drawing, &[id.into_owned()])
}

/// The loss from removing a group, as a sentence; `None` if there is none.
fn lost(drawing: &Drawing, group: NodeId, uses: &[Use]) -> Option<String> {
    let nodes = &drawing.nodes;
    let (kind, name) = (nodes.kind_name(group), nodes.name(group));
    if let Some(one) = uses.first() {
        return Some(one.describe(drawing));
    }
    if matches!(kind, LAYER | BOX | LINK) {
        return Some(format!("{name} is a {kind}, which would no longer be one"));
    }
    let styles = drawing.styles();
    let apart = |name: &str| {
        let moves = matches!(name, "transform" | "transform-origin");
        !moves && !property::named(name).is_some_and(|property| property.inherited)
    };
    let own = property::all().iter().filter(|one| apart(one.name));
    for one in own {
        let specified = styles.specified(group, one.name);
        if let Some(specified) = specified.filter(|specified| specified.value.trim() != one.initial)
        {
            return Some(format!(
                "{name} has {} {}, which its contents would lose",
                one.name, specified.value
            ));
        }
    }
    let moves = |id: &NodeId| {
        let element = nodes.element(*id);
        element.is_some_and(|element| {
            element.local_name() == "set" || element.local_name().starts_with("animate")
        })
    };
    let animated = nodes.tree().children(group).find(moves)?;
    let animation = nodes.tree().get(animated).and_then(Node::element)?;
    Some(format!("{name} is animated by {}", animation.name()))
}

/// The edits that add a group's transforms to one of its children: in front of the child's own and
/// with their spelling, if both are in attributes.
fn handed_down(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    group: NodeId,
    child: NodeId,
) -> Result<Vec<Edit>> {
    let list = editable(drawing, geometry, group)?;
    if let Some(fault) = list.fault() {
        let name = drawing.nodes.name(group);
        bail!("{name}: the transform is broken at {fault}"; try: "transform {name} clear")
    }
    if list.items().is_empty() {
        return Ok(Vec::new());
    }
    let own = editable(drawing, geometry, child)?;
    let origins = [group, child].map(|id| geometry.transform_origin(id).to_vec2());
    let plain = |id: NodeId| {
        let origin = geometry.transform_source(id);
        origin.is_none_or(|origin| origin == Origin::Attribute)
    };
    let [there, here] = origins;
    let is_plain = plain(group) && plain(child) && there == kurbo::Vec2::ZERO && here == there;
    if is_plain && own.fault().is_none() && own.syntax() == Syntax::Attribute {
        let transform = |id: NodeId| drawing.nodes.attr(id, "transform").unwrap_or_default();
        let (outer, inner) = (transform(group), transform(child));
        let text = format!("{} {}", outer.trim(), inner.trim());
        return Ok(vec![Edit::transform(child, &own, text.trim().to_owned())]);
    }
    let whole = Affine::translate(there) * list.affine() * Affine::translate(-there);
    let change = Affine::translate(-here) * whole * Affine::translate(here);
    brought(drawing, geometry, child, change)
}
