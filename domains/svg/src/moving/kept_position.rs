//! Keeps an element's position in another container.

use fcp::prelude::*;
use kurbo::{Affine, Rect, Vec2};

use super::shift::linear;
use super::{Edit, broken, editable, flat};
use crate::display::lines;
use crate::geometry::Geometry;
use crate::geometry::viewport::{Axis, length};
use crate::model::{Drawing, NodeId};
use crate::syntax::number::Precision;
use crate::transform::NewItem;

/// The error of a matrix element that has no effect.
const NOISE: f64 = 1e-9;

/// The part of the canvas by which a box may differ from rounding.
const ROUNDED: f64 = 1e-3;

/// The maximum number of boxes to compare.
const MOST: usize = 2_000;

/// The most boxes to tell of.
const TOLD: usize = 5;

/// The attributes with lengths on a canvas that may be percentages.
const LENGTHS: [(&str, Axis); 14] = [
    ("x", Axis::X),
    ("y", Axis::Y),
    ("width", Axis::X),
    ("height", Axis::Y),
    ("cx", Axis::X),
    ("cy", Axis::Y),
    ("r", Axis::Both),
    ("rx", Axis::X),
    ("ry", Axis::Y),
    ("x1", Axis::X),
    ("y1", Axis::Y),
    ("x2", Axis::X),
    ("y2", Axis::Y),
    ("stroke-width", Axis::Both),
];

/// The elements with such attributes.
const MEASURED: [&str; 10] = [
    "rect",
    "circle",
    "ellipse",
    "line",
    "image",
    "use",
    "svg",
    "foreignObject",
    "text",
    "tspan",
];

/// The boxes of some elements, for comparison.
pub struct Boxes(Vec<(NodeId, Rect)>);

impl Boxes {
    /// Records the current boxes of the first 2,000 elements.
    #[must_use]
    pub fn of(geometry: &Geometry<'_>, ids: &[NodeId]) -> Self {
        let ids = ids.iter().take(MOST);
        Self(
            ids.filter_map(|id| Some((*id, geometry.bbox(*id)?)))
                .collect(),
        )
    }

    /// The changes as lines of a reply: `* c: @(20,20 10x10) -> @(0,0 20x20)`.
    #[must_use]
    pub fn changes(&self, drawing: &Drawing) -> Vec<String> {
        let geometry = drawing.geometry();
        let (precision, size) = (geometry.precision(), geometry.canvas().size());
        let slack = size.width.max(size.height) * ROUNDED;
        let mut told = Vec::new();
        let mut more = 0;
        for (id, before) in &self.0 {
            let Some(after) = geometry.bbox(*id) else {
                continue;
            };
            let apart = [
                before.x0 - after.x0,
                before.y0 - after.y0,
                before.x1 - after.x1,
                before.y1 - after.y1,
            ];
            if apart.iter().all(|apart| apart.abs() <= slack) {
                continue;
            }
            if told.len() == TOLD {
                more += 1;
                continue;
            }
            let [before, after] = [*before, after].map(|one| lines::frame(one, precision));
            let name = drawing.nodes.name(*id);
            told.push(format!("* {name}: @({before}) -> @({after})"));
        }
        if more > 0 {
            told.push(format!("* … {more} more"));
        }
        told
    }
}

/// The edits that write an element's percentages as numbers, if it goes to a place where they would
/// be of another size.
fn in_numbers(drawing: &Drawing, geometry: &Geometry<'_>, id: NodeId, parent: NodeId) -> Vec<Edit> {
    let (nodes, old) = (&drawing.nodes, geometry.viewport(id));
    let mut edits = Vec::new();
    if old == geometry.viewport_in(parent) {
        return edits;
    }
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let Some(element) = nodes.svg_element(id) else {
            continue;
        };
        let kind = element.local_name();
        if MEASURED.contains(&kind) {
            for (name, axis) in LENGTHS {
                let is_whole = kind == "svg" && matches!(name, "width" | "height");
                let value = element.attr(name).unwrap_or_default();
                let share = match value.trim() {
                    "" if is_whole => "100%",
                    share => share,
                };
                if !share.ends_with('%') {
                    continue;
                }
                if let Some(length) = length(share, || 0.0, axis.of(old)) {
                    let spelled = Precision::EXACT.spell(length);
                    edits.push(Edit::attribute(id, name, spelled));
                }
            }
        }
        // Its content is measured by its own size.
        if kind != "svg" {
            open.extend(nodes.tree().children(id));
        }
    }
    edits
}

/// The edits that keep an element's position on the canvas when it moves to `parent`: none if the
/// systems are equal, otherwise of its leading translate, or else a leading matrix, and of its
/// percentages.
///
/// # Errors
/// If its transform is broken or in a rule, or `parent` is squeezed flat.
pub fn kept(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    id: NodeId,
    parent: NodeId,
) -> Result<Vec<Edit>> {
    let within = geometry.within(parent);
    if within.determinant() == 0.0 || !within.is_finite() {
        return Err(flat(drawing, parent));
    }
    let origin = geometry.transform_origin(id).to_vec2();
    let change = within.inverse() * geometry.outer(id);
    let change = Affine::translate(-origin) * change * Affine::translate(origin);
    let mut edits = brought(drawing, geometry, id, change)?;
    edits.extend(in_numbers(drawing, geometry, id, parent));
    Ok(edits)
}

/// The edits that apply a map on top of an element's transforms, in the system around it.
///
/// # Errors
/// If its transform is broken or in a rule.
pub fn brought(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    id: NodeId,
    change: Affine,
) -> Result<Vec<Edit>> {
    let precision = geometry.precision();
    let near = |a: f64, b: f64| (a - b).abs() <= NOISE;
    let [a, b, c, d] = linear(change);
    let is_shift = near(a, 1.0) && near(b, 0.0) && near(c, 0.0) && near(d, 1.0);
    let by = change.translation();
    let spelled = Vec2::new(precision.round(by.x), precision.round(by.y));
    if is_shift && spelled == Vec2::ZERO {
        return Ok(Vec::new());
    }
    let list = editable(drawing, geometry, id)?;
    let text = if is_shift {
        list.translated(by, precision)
    } else {
        list.laid_over(&[NewItem::Matrix(change)], precision)
    };
    let text = text.map_err(|error| broken(drawing, id, &list, error))?;
    Ok(vec![Edit::transform(id, &list, text)])
}
