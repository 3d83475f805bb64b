//! Moving by a distance.

use fcp::prelude::*;
use kurbo::{Affine, Vec2};

use super::painted::in_own_system;
use super::{Edit, broken, editable, flat};
use crate::geometry::Geometry;
use crate::model::{Drawing, NodeId};
use crate::syntax::number::{Precision, Scanned, respell, scan, skip_blanks, skip_separator};

/// The edits that move an element by a vector in canvas units: of its geometry, if it has no
/// transform and plain numbers, or else of its leading translate. A clip, a mask or a paint in the
/// element's own system follows only the latter.
///
/// # Errors
/// If its transform is broken, or it is inside something that is squeezed flat.
pub fn shifted(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    id: NodeId,
    by: Vec2,
) -> Result<Vec<Edit>> {
    shifted_to(drawing, geometry, id, by, geometry.precision())
}

/// Like [`shifted`], with numbers of this precision.
///
/// # Errors
/// Like [`shifted`].
pub fn shifted_to(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    id: NodeId,
    by: Vec2,
    precision: Precision,
) -> Result<Vec<Edit>> {
    let outer = geometry.outer(id);
    if outer.determinant() == 0.0 {
        return Err(flat(drawing, id));
    }
    let linear = outer.with_translation(Vec2::ZERO).inverse();
    let by = (linear * by.to_point()).to_vec2();
    let list = editable(drawing, geometry, id)?;
    if list.items().is_empty()
        && list.fault().is_none()
        && let Some(edits) = moved_geometry(drawing, id, by, precision)
        && !in_own_system(drawing, geometry, id)
    {
        return Ok(edits);
    }
    let text = list.translated(by, precision);
    let text = text.map_err(|error| broken(drawing, id, &list, error))?;
    Ok(vec![Edit::transform(id, &list, text)])
}

/// The edits of an element's geometry that move it in its own system. `None` if the geometry is not
/// in plain numbers.
pub(super) fn moved_geometry(
    drawing: &Drawing,
    id: NodeId,
    by: Vec2,
    precision: Precision,
) -> Option<Vec<Edit>> {
    let element = drawing.nodes.svg_element(id)?;
    let names: &[(&str, f64)] = match element.local_name() {
        "rect" | "image" | "use" | "svg" => &[("x", by.x), ("y", by.y)],
        "circle" | "ellipse" => &[("cx", by.x), ("cy", by.y)],
        "line" => &[("x1", by.x), ("y1", by.y), ("x2", by.x), ("y2", by.y)],
        "text" => return moved_text(drawing, id, by, precision),
        _ => return None,
    };
    let mut edits = Vec::new();
    for (name, step) in names.iter().filter(|(_, step)| *step != 0.0) {
        let old = plain(drawing, id, name)?;
        edits.push(Edit::attribute(id, name, precision.spell_sum(old, *step)));
    }
    Some(edits)
}

/// The value of an attribute that is only a number; 0 if it is absent.
pub(super) fn plain(drawing: &Drawing, id: NodeId, name: &str) -> Option<f64> {
    let Some(text) = drawing.nodes.attr(id, name) else {
        return Some(0.0);
    };
    let Scanned { value, span } = scan(&text, skip_blanks(&text, 0))?;
    (skip_blanks(&text, span.end) == text.len()).then_some(value)
}

/// The edits of all absolute positions in a text, including those of its spans.
fn moved_text(drawing: &Drawing, id: NodeId, by: Vec2, precision: Precision) -> Option<Vec<Edit>> {
    let nodes = &drawing.nodes;
    let mut edits = Vec::new();
    for inner in std::iter::once(id).chain(nodes.tree().descendants(id)) {
        let Some(element) = nodes.element(inner) else {
            continue;
        };
        // Text on a path moves with the path.
        if element.local_name() == "textPath" {
            return None;
        }
        for (name, step) in [("x", by.x), ("y", by.y)] {
            if step == 0.0 {
                continue;
            }
            match element.attr(name) {
                Some(list) => {
                    let moved = moved_list(&list, step, precision)?;
                    edits.push(Edit::attribute(inner, name, moved));
                }
                None if inner == id => {
                    edits.push(Edit::attribute(id, name, precision.spell(step)));
                }
                None => {}
            }
        }
    }
    Some(edits)
}

/// Increases the numbers in a list by `step` and keeps the text between them.
fn moved_list(list: &str, step: f64, precision: Precision) -> Option<String> {
    let mut numbers = Vec::new();
    let mut at = skip_blanks(list, 0);
    while at < list.len() {
        let number = scan(list, at)?;
        at = skip_separator(list, number.span.end);
        numbers.push(number);
    }
    // From the end, so that earlier byte ranges stay valid.
    let mut text = list.to_owned();
    for number in numbers.iter().rev() {
        text = respell(
            &text,
            &number.span,
            &precision.spell_sum(number.value, step),
        );
    }
    Some(text)
}

/// The linear part of an affine map, without rounding noise.
pub(super) fn linear(affine: Affine) -> [f64; 4] {
    let [a, b, c, d, ..] = affine.as_coeffs();
    let size = a.abs().max(b.abs()).max(c.abs()).max(d.abs());
    [a, b, c, d].map(|part| if part.abs() < size * 1e-12 { 0.0 } else { part })
}
