//! Writes `elements.x` and `elements.y`, which are positions on the canvas.

use std::collections::HashMap;

use fcp::prelude::*;
use fcp::value::Number;
use kurbo::{Affine, Vec2};

use super::elements::ElementRow;
use super::node;
use crate::geometry::Geometry;
use crate::model::{Drawing, NodeId};
use crate::moving::{Edit, KEPT, are_movable, shifted, shifted_to};
use crate::syntax::number::{Precision, spell_given, spell_within};

/// The rounding error allowed in a box's position, as a share of the canvas.
const SLACK: f64 = 1e-4;

/// The rounding error of places in tables.
const NOISE: f64 = 1e-9;

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
    let wanted = rows.iter();
    let wanted = wanted.map(|(row, at)| (node(row.row), at.get()));
    let mut wanted: Vec<(NodeId, f64)> = wanted.collect();
    let tree = drawing.nodes.tree();
    wanted.sort_unstable_by(|(a, _), (b, _)| tree.order(*a, *b));
    let ids: Vec<NodeId> = wanted.iter().map(|(id, _)| *id).collect();
    are_movable(drawing, &ids)?;
    let geometry = drawing.geometry();
    let size = geometry.canvas().size();
    let slack = size.width.max(size.height) * SLACK;
    let precision = geometry.precision();
    let mut targets: Vec<(NodeId, Vec2)> = Vec::with_capacity(wanted.len());
    let mut steps: Vec<(NodeId, Vec2)> = Vec::with_capacity(wanted.len());
    for (id, at) in &wanted {
        let begin = begin(drawing, &geometry, *id)?;
        let wanted = step(begin.dot(axis), *at, precision);
        let (Step::By(by) | Step::To(by)) = wanted;
        if let Step::To(_) = wanted {
            targets.push((*id, begin + axis * by));
        }
        steps.push((*id, axis * by));
    }
    let edits = edits(drawing, &steps, &|id, by| {
        shifted(drawing, &geometry, id, by)
    })?;
    drawing.make(edits)?;
    // Under a transform, a rounded number of the element's own units may be too coarse.
    let geometry = drawing.geometry();
    let mut rest: Vec<(NodeId, Vec2)> = Vec::with_capacity(targets.len());
    for (id, target) in targets {
        let left = target - begin(drawing, &geometry, id)?;
        let is_rounded = left.hypot() > KEPT && left.hypot() <= slack;
        rest.push((id, if is_rounded { left } else { Vec2::ZERO }));
    }
    let exact = |id, by| shifted_to(drawing, &geometry, id, by, fine(geometry.outer(id)));
    let edits = self::edits(drawing, &rest, &exact)?;
    drawing.make(edits)?;
    let geometry = drawing.geometry();
    for (id, at) in &wanted {
        let now = begin(drawing, &geometry, *id)?.dot(axis);
        if (now - at).abs() > slack {
            let name = drawing.nodes.name(*id);
            bail!("{name} would begin at {now} instead of {at}: something in it moves too, or takes its place from it"; try: "? describe {name}")
        }
    }
    Ok(Vec::new())
}

/// A step along an axis.
enum Step {
    /// The distance counts: `x=x+10`.
    By(f64),
    /// The place at its end counts: `x=10`.
    To(f64),
}

/// The step between two places. SQL rounds a computed place to the decimals of the canvas, so that
/// the step to it is known only up to half of the last one. If a step with fewer decimals than the
/// place leads there, the step was given.
fn step(from: f64, to: f64, precision: Precision) -> Step {
    let decimals = |text: &str| text.split_once('.').map_or(0, |(_, part)| part.len());
    let half = 0.5 * 10f64.powi(-i32::from(precision.get())) + NOISE;
    let short = spell_within(to - from, half);
    let is_given = decimals(&short) < decimals(&spell_given(to));
    match short.parse() {
        Ok(by) if is_given => Step::By(by),
        _ => Step::To(to - from),
    }
}

/// The precision of numbers in a system that are within [`KEPT`] on the canvas.
fn fine(system: Affine) -> Precision {
    let [a, b, c, d, ..] = system.as_coeffs();
    let scale = (a.abs() + c.abs()).max(b.abs() + d.abs());
    Precision::of_canvas(2e5 * KEPT / scale)
}

/// The edits that move elements by steps on the canvas, in the order of the file.
fn edits(
    drawing: &Drawing,
    steps: &[(NodeId, Vec2)],
    shifted: &dyn Fn(NodeId, Vec2) -> Result<Vec<Edit>>,
) -> Result<Vec<Edit>> {
    let tree = drawing.nodes.tree();
    let mut done: HashMap<NodeId, Vec2> = HashMap::new();
    let mut edits = Vec::new();
    for (id, step) in steps {
        // Ancestors come first, and the nearest one's step moves the element too.
        let mut around = tree.ancestors(*id);
        let carried = around.find_map(|outer| done.get(&outer)).copied();
        let left = *step - carried.unwrap_or_default();
        done.insert(*id, *step);
        if left.hypot() > 1e-12 {
            edits.extend(shifted(*id, left)?);
        }
    }
    Ok(edits)
}

/// The corner of an element's box.
fn begin(drawing: &Drawing, geometry: &Geometry<'_>, id: NodeId) -> Result<Vec2> {
    let found = crate::moving::frame(drawing, geometry, id)?;
    Ok(found.origin().to_vec2())
}
