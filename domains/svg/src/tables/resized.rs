//! Writes `elements.w` and `elements.h`, which are sizes on the canvas.

use fcp::prelude::*;
use fcp::value::Number;
use kurbo::Rect;

use super::elements::ElementRow;
use super::moved::EXACT;
use crate::geometry::Geometry;
use crate::model::{Drawing, NodeId};
use crate::moving::{Edit, are_movable, frame};
use crate::syntax::number::spell_within;

/// The difference from the wanted size up to which numbers of the usual precision are kept.
const KEPT: f64 = 5e-7;

/// The largest difference of a box from the wanted one.
const SLACK: f64 = 1e-5;

/// The direction of a size.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Width,
    Height,
}

/// Resizes elements to these widths. Their boxes keep the left and the top side.
pub fn set_w(drawing: &mut Drawing, rows: Vec<(&ElementRow, Number)>) -> Result<Vec<String>> {
    resize(drawing, &rows, Side::Width)
}

/// Resizes elements to these heights. Their boxes keep the left and the top side.
pub fn set_h(drawing: &mut Drawing, rows: Vec<(&ElementRow, Number)>) -> Result<Vec<String>> {
    resize(drawing, &rows, Side::Height)
}

fn resize(
    drawing: &mut Drawing,
    rows: &[(&ElementRow, Number)],
    side: Side,
) -> Result<Vec<String>> {
    let ids = rows.iter().map(|(row, _)| NodeId::new(row.row.id()));
    let ids: Vec<NodeId> = ids.collect();
    are_movable(drawing, &ids)?;
    let geometry = drawing.geometry();
    let mut edits = Vec::new();
    let mut wanted = Vec::with_capacity(rows.len());
    for (id, (_, size)) in ids.iter().zip(rows) {
        let (found, size) = (frame(drawing, &geometry, *id)?, size.get());
        let name = drawing.nodes.name(*id);
        let is_round = drawing.nodes.is_called(*id, "circle");
        let now = along(found, side);
        if is_round && side == Side::Height && (now - size).abs() > SLACK {
            let error = Diagnostic::new(format!("{name} is a circle, whose height is its width"));
            let name = name.replace('\'', "''");
            let op = format!("UPDATE elements SET w={size} WHERE ref='{name}'");
            return Err(error.maybe_try(Some(op).filter(|_| rows.len() == 1)));
        }
        if size.is_nan() || size <= 0.0 {
            bail!("a size is above 0, and {name} would have {size}"; try: "? describe {name}")
        }
        let (width, height) = match (is_round, side) {
            (true, _) => (size, size),
            (false, Side::Width) => (size, found.height()),
            (false, Side::Height) => (found.width(), size),
        };
        let new = Rect::from_origin_size(found.origin(), (width, height));
        if (now - size).abs() > 1e-12 {
            let own = sides(drawing, &geometry, *id, new, side);
            edits.extend(own.ok_or_else(|| by_scale(drawing, *id, found, new, rows.len()))?);
        }
        wanted.push((*id, found, new));
    }
    drawing.make(edits)?;
    let geometry = drawing.geometry();
    for (id, found, new) in wanted {
        let is = frame(drawing, &geometry, id)?;
        let differs = [
            is.x0 - new.x0,
            is.y0 - new.y0,
            is.x1 - new.x1,
            is.y1 - new.y1,
        ];
        if differs.iter().any(|differs| differs.abs() > SLACK) {
            return Err(by_scale(drawing, id, found, new, rows.len()));
        }
    }
    Ok(Vec::new())
}

const fn along(found: Rect, side: Side) -> f64 {
    match side {
        Side::Width => found.x1 - found.x0,
        Side::Height => found.y1 - found.y0,
    }
}

/// The edits that give a shape another box. `None` if its attributes are not the sides of its box.
fn sides(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    id: NodeId,
    new: Rect,
    side: Side,
) -> Option<Vec<Edit>> {
    let element = drawing.nodes.svg_element(id)?;
    let [a, b, c, d, ..] = geometry.inner(id).as_coeffs();
    if b != 0.0 || c != 0.0 || a <= 0.0 || d <= 0.0 {
        return None;
    }
    let local = geometry.inner(id).inverse().transform_rect_bbox(new);
    let spell = |value: f64, scale: f64| {
        let usual = geometry.precision();
        let is_near = (usual.round(value) - value).abs() * scale <= KEPT / 2.0;
        let precision = if is_near { usual } else { EXACT };
        precision.spell(value)
    };
    let edit =
        |name: &'static str, value: f64, scale: f64| Edit::attribute(id, name, spell(value, scale));
    let (whole, radius, center) = (local.size(), local.size() / 2.0, local.center());
    Some(match (element.local_name(), side) {
        ("rect" | "image", Side::Width) => vec![edit("width", whole.width, a)],
        ("rect" | "image", Side::Height) => vec![edit("height", whole.height, d)],
        ("ellipse", Side::Width) => vec![edit("rx", radius.width, a), edit("cx", center.x, a)],
        ("ellipse", Side::Height) => vec![edit("ry", radius.height, d), edit("cy", center.y, d)],
        ("circle", _) if a == d => vec![
            edit("r", radius.width, a),
            edit("cx", center.x, a),
            edit("cy", center.y, a),
        ],
        _ => return None,
    })
}

/// The error for an element that is resized by its transform or its content. It names the op for a single row only: for
/// several it would do less than the statement.
fn by_scale(drawing: &Drawing, id: NodeId, found: Rect, new: Rect, rows: usize) -> Diagnostic {
    let title = drawing.titled(id);
    let name = drawing.nodes.name(id);
    let number = |value: f64| spell_within(value, KEPT);
    let [w, h, x, y] = [new.width(), new.height(), found.x0, found.y0].map(number);
    let op = match rows {
        1 => format!("scale {name} to:{w}x{h} about:{x},{y}"),
        _ => "scale SEL to:WxH about:X,Y".to_owned(),
    };
    let message = format!("{title} has no width and height of its own; {op} resizes it");
    Diagnostic::new(message)
}
