//! Outlines and names of objects, drawn over them.

use fcp::format::xml::{self, Element, Node};
use fcp::prelude::*;
use kurbo::Rect;

use crate::model::{Drawing, NodeId};
use crate::syntax::number::spell_given;

/// The maximum number of marked objects.
const MOST: usize = 1_000;
/// The font size of a name, in pixels.
const NAME: f64 = 11.0;
/// The colour of outlines and names.
const COLOR: &str = "#e0007a";

/// A marked object.
pub struct Mark {
    name: String,
    place: Rect,
}

/// The marks for the drawn objects among these or among all, and for those inside them.
#[must_use]
pub fn of(drawing: &Drawing, objects: &[NodeId]) -> Vec<Mark> {
    let nodes = &drawing.nodes;
    let geometry = drawing.geometry();
    let tree = nodes.tree();
    let shown =
        |id: &NodeId| objects.is_empty() || objects.iter().any(|outer| tree.is_within(*id, *outer));
    let root = nodes.root();
    let objects = nodes
        .elements()
        .filter(|id| Some(*id) != root && nodes.is_object(*id) && !nodes.is_defined(*id))
        .filter(|id| shown(id));
    let placed = objects.filter_map(|id| {
        let place = geometry.bbox(id).filter(Rect::is_finite)?;
        let name = nodes.name(id);
        Some(Mark { name, place })
    });
    placed.take(MOST).collect()
}

/// Draws marks over a copy of a drawing. `shown` is its visible part, `across` its width in pixels.
///
/// # Errors
/// If the copy has no root.
pub fn drawn(mut copy: Drawing, marks: &[Mark], shown: Rect, across: f64) -> Result<Drawing> {
    let Some(root) = copy.nodes.root() else {
        bail!("there is no drawing"; try: "! new")
    };
    let pixel = shown.width() / across;
    let tree = copy.nodes.tree_mut();
    let element = |name: &str, tree: &_| Element::new(&xml::qualified_like(tree, root, name));
    for Mark { name, place } in marks {
        let outline = element("rect", tree)?
            .with("x", &spell_given(place.x0))?
            .with("y", &spell_given(place.y0))?
            .with("width", &spell_given(place.width().max(pixel)))?
            .with("height", &spell_given(place.height().max(pixel)))?
            .with(
                "style",
                &format!("fill:none;stroke:{COLOR};stroke-width:{pixel}"),
            )?;
        xml::insert_node(tree, Node::from(outline), root, None)?;
        let label = element("text", tree)?
            .with("x", &spell_given(place.x0 + 2.0 * pixel))?
            .with("y", &spell_given(place.y0 + NAME * pixel))?
            .with(
                "style",
                &format!(
                    "font:{}px sans-serif;fill:{COLOR};stroke:white;stroke-width:{};paint-order:stroke",
                    NAME * pixel,
                    2.0 * pixel
                ),
            )?;
        let label = xml::insert_node(tree, Node::from(label), root, None)?;
        xml::insert_node(tree, Node::text_run(name)?, label, None)?;
    }
    Ok(copy)
}
