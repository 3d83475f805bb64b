//! Scaling by changing geometry only.

use kurbo::{Point, Vec2};

use super::Edit;
use super::painted::in_own_system;
use super::shift::{linear, plain};
use crate::geometry::Geometry;
use crate::model::{Drawing, NodeId};

/// Attributes, each with whether it is horizontal.
type Names = &'static [(&'static str, bool)];

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
    // Coordinates and lengths.
    let (places, lengths): (Names, Names) = match element.local_name() {
        "rect" => (
            &[("x", true), ("y", false)],
            &[
                ("width", true),
                ("height", false),
                ("rx", true),
                ("ry", false),
            ],
        ),
        "image" => (
            &[("x", true), ("y", false)],
            &[("width", true), ("height", false)],
        ),
        "ellipse" => (
            &[("cx", true), ("cy", false)],
            &[("rx", true), ("ry", false)],
        ),
        "circle" if by.x == by.y => (&[("cx", true), ("cy", false)], &[("r", true)]),
        _ => return None,
    };
    let mut edits = Vec::new();
    for (name, across) in places {
        let (step, from) = if *across {
            (by.x, about.x)
        } else {
            (by.y, about.y)
        };
        let old = plain(drawing, id, name)?;
        let new = from + (old - from) * step;
        if precision.spell(new) != precision.spell(old) {
            edits.push(Edit::attribute(id, name, precision.spell(new)));
        }
    }
    for (name, across) in lengths {
        let step = if *across { by.x } else { by.y };
        if element.attr(name).is_none() {
            // A single radius applies to both axes, which an uneven scale would separate.
            if matches!(*name, "rx" | "ry") && by.x != by.y && has_radius(drawing, id) {
                return None;
            }
            continue;
        }
        let old = plain(drawing, id, name)?;
        if step != 1.0 {
            edits.push(Edit::attribute(id, name, precision.spell(old * step)));
        }
    }
    (!in_own_system(drawing, geometry, id)).then_some(edits)
}

fn has_radius(drawing: &Drawing, id: NodeId) -> bool {
    ["rx", "ry"]
        .iter()
        .any(|name| drawing.nodes.attr(id, name).is_some())
}
