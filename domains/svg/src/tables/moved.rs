//! Writes `elements.x` and `elements.y`, which are positions on the canvas.

use std::collections::HashMap;

use fcp::prelude::*;
use fcp::value::Number;
use kurbo::Vec2;

use super::elements::ElementRow;
use crate::model::{Drawing, NodeId};
use crate::moving::{are_movable, shifted};

/// The rounding error allowed in a box's position, as a share of the canvas.
const SLACK: f64 = 1e-4;

/// Moves elements so that their boxes start at these x coordinates.
pub fn set_x(drawing: &mut Drawing, rows: Vec<(&ElementRow, Number)>) -> Result<Vec<String>> {
    place(drawing, &rows, Vec2::new(1.0, 0.0))
}

/// Moves elements so that their boxes start at these y coordinates.
pub fn set_y(drawing: &mut Drawing, rows: Vec<(&ElementRow, Number)>) -> Result<Vec<String>> {
    place(drawing, &rows, Vec2::new(0.0, 1.0))
}

/// Moves elements along an axis. An element inside another moved one moves by the remaining step.
fn place(drawing: &mut Drawing, rows: &[(&ElementRow, Number)], axis: Vec2) -> Result<Vec<String>> {
    let mut wanted: Vec<(NodeId, f64)> = rows
        .iter()
        .map(|(row, at)| (NodeId::new(row.row.id()), at.get()))
        .collect();
    let tree = drawing.nodes.tree();
    wanted.sort_unstable_by(|(a, _), (b, _)| tree.order(*a, *b));
    let ids: Vec<NodeId> = wanted.iter().map(|(id, _)| *id).collect();
    are_movable(drawing, &ids)?;
    let geometry = drawing.geometry();
    let size = geometry.canvas().size();
    let slack = size.width.max(size.height) * SLACK;
    let mut steps: HashMap<NodeId, f64> = HashMap::new();
    let mut edits = Vec::new();
    for (id, at) in &wanted {
        let step = at - begin(drawing, &geometry, *id, axis)?;
        steps.insert(*id, step);
        // Ancestors come first, and the nearest one's step moves the element too.
        let mut around = tree.ancestors(*id);
        let carried = around.find_map(|outer| steps.get(&outer)).copied();
        let left = step - carried.unwrap_or_default();
        if left.abs() > 1e-12 {
            edits.extend(shifted(drawing, &geometry, *id, axis * left)?);
        }
    }
    drawing.make(edits)?;
    let geometry = drawing.geometry();
    for (id, at) in &wanted {
        let now = begin(drawing, &geometry, *id, axis)?;
        if (now - at).abs() > slack {
            let name = drawing.nodes.name(*id);
            bail!("{name} would begin at {now} instead of {at}: something in it moves too, or takes its place from it"; try: "? describe {name}")
        }
    }
    Ok(Vec::new())
}

/// The start of an element's box along an axis.
fn begin(
    drawing: &Drawing,
    geometry: &crate::geometry::Geometry<'_>,
    id: NodeId,
    axis: Vec2,
) -> Result<f64> {
    let found = crate::moving::frame(drawing, geometry, id)?;
    Ok(found.origin().to_vec2().dot(axis))
}
