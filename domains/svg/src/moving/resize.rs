//! Scaling and resizing by changing geometry only.

use kurbo::{Point, Rect, Vec2};

use super::Edit;
use super::painted::in_own_system;
use super::shift::{linear, plain};
use crate::geometry::Geometry;
use crate::model::{Drawing, NodeId};
use crate::syntax::number::Precision;
use crate::values::Axis;

/// The difference from a wanted place or size up to which numbers of the usual precision are kept.
pub const KEPT: f64 = 5e-7;

/// The part of an element's box that an attribute gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Its left or top side.
    Start,
    /// Its centre.
    Center,
    /// Its size.
    Size,
    /// Half its size.
    Radius,
    /// The size of its round corners.
    Corner,
}

/// The attributes that give a kind of element its box, each with whether it is horizontal.
fn box_of(kind: &str) -> Option<&'static [(&'static str, bool, Part)]> {
    Some(match kind {
        "rect" => &[
            ("x", true, Part::Start),
            ("y", false, Part::Start),
            ("width", true, Part::Size),
            ("height", false, Part::Size),
            ("rx", true, Part::Corner),
            ("ry", false, Part::Corner),
        ],
        "image" => &[
            ("x", true, Part::Start),
            ("y", false, Part::Start),
            ("width", true, Part::Size),
            ("height", false, Part::Size),
        ],
        "ellipse" => &[
            ("cx", true, Part::Center),
            ("cy", false, Part::Center),
            ("rx", true, Part::Radius),
            ("ry", false, Part::Radius),
        ],
        "circle" => &[
            ("cx", true, Part::Center),
            ("cy", false, Part::Center),
            ("r", true, Part::Radius),
        ],
        _ => return None,
    })
}

/// The edits of geometry that scale a rect, circle, ellipse or image about a point of the canvas.
/// It must have plain numbers and no transform, no clip, mask or paint in its own system, and no
/// ancestor may rotate it. A circle scales only evenly, and factors must be above 0. `None`
/// otherwise. Strokes keep their width.
#[must_use]
pub fn scaled_geometry(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    id: NodeId,
    by: Vec2,
    about: Point,
) -> Option<Vec<Edit>> {
    let element = drawing.nodes.svg_element(id)?;
    let list = geometry.transforms(id);
    let outer = geometry.outer(id);
    let [_, b, c, _] = linear(outer);
    let turned = b != 0.0 || c != 0.0;
    let bare = list.items().is_empty() && list.fault().is_none();
    if by.x <= 0.0 || by.y <= 0.0 || !bare || turned || outer.determinant() == 0.0 {
        return None;
    }
    let about = outer.inverse() * about;
    let precision = geometry.precision();
    let kind = element.local_name();
    if kind == "circle" && by.x != by.y {
        return None;
    }
    let mut edits = Vec::new();
    for (name, across, part) in box_of(kind)? {
        let (step, from) = if *across {
            (by.x, about.x)
        } else {
            (by.y, about.y)
        };
        let is_place = matches!(part, Part::Start | Part::Center);
        if !is_place && element.attr(name).is_none() {
            // A single radius applies to both axes, which an uneven scale would separate.
            if matches!(*name, "rx" | "ry") && by.x != by.y && has_radius(drawing, id) {
                return None;
            }
            continue;
        }
        let old = plain(drawing, id, name)?;
        let new = match is_place {
            true => from + (old - from) * step,
            false => old * step,
        };
        if precision.spell(new) != precision.spell(old) {
            edits.push(Edit::attribute(id, name, precision.spell(new)));
        }
    }
    (!in_own_system(drawing, geometry, id)).then_some(edits)
}

/// The edits that give a rect, circle, ellipse or image another width or height of its box on the
/// canvas, from its left and top side. `None` if its attributes are not the sides of its box.
#[must_use]
pub fn sized(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    id: NodeId,
    new: Rect,
    axis: Axis,
) -> Option<Vec<Edit>> {
    let kind = drawing.nodes.svg_element(id)?.local_name();
    let [a, b, c, d, ..] = geometry.inner(id).as_coeffs();
    let is_round = kind == "circle";
    if b != 0.0 || c != 0.0 || a <= 0.0 || d <= 0.0 || is_round && a != d {
        return None;
    }
    let local = geometry.inner(id).inverse().transform_rect_bbox(new);
    let mut edits = Vec::new();
    for (name, across, part) in box_of(kind)? {
        if !is_round && *across != (axis == Axis::H) {
            continue;
        }
        let (size, center, scale) = match across {
            true => (local.width(), local.center().x, a),
            false => (local.height(), local.center().y, d),
        };
        let value = match part {
            Part::Size => size,
            Part::Radius => size / 2.0,
            Part::Center => center,
            Part::Start | Part::Corner => continue,
        };
        let usual = geometry.precision();
        let is_near = (usual.round(value) - value).abs() * scale <= KEPT / 2.0;
        let precision = if is_near { usual } else { Precision::EXACT };
        edits.push(Edit::attribute(id, name, precision.spell(value)));
    }
    Some(edits)
}

fn has_radius(drawing: &Drawing, id: NodeId) -> bool {
    ["rx", "ry"]
        .iter()
        .any(|name| drawing.nodes.attr(id, name).is_some())
}
