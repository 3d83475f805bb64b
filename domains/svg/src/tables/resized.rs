//! Writes `elements.w` and `elements.h`, which are sizes on the canvas.

use fcp::prelude::*;
use fcp::value::Number;
use kurbo::Rect;

use super::elements::ElementRow;
use super::node;
use crate::model::{Drawing, NodeId};
use crate::moving::{KEPT, are_movable, frame, sized};
use crate::syntax::number::spell_within;
use crate::values::Axis;

/// The largest difference of a box from the wanted one.
const SLACK: f64 = 1e-5;

/// Resizes elements to these widths. Their boxes keep the left and the top side.
pub fn set_w(drawing: &mut Drawing, rows: Vec<(&ElementRow, Number)>) -> Result<Vec<String>> {
    resize(drawing, &rows, Axis::H)
}

/// Resizes elements to these heights. Their boxes keep the left and the top side.
pub fn set_h(drawing: &mut Drawing, rows: Vec<(&ElementRow, Number)>) -> Result<Vec<String>> {
    resize(drawing, &rows, Axis::V)
}

fn resize(
    drawing: &mut Drawing,
    rows: &[(&ElementRow, Number)],
    axis: Axis,
) -> Result<Vec<String>> {
    let ids = rows.iter().map(|(row, _)| node(row.row));
    let ids: Vec<NodeId> = ids.collect();
    are_movable(drawing, &ids)?;
    let geometry = drawing.geometry();
    let mut edits = Vec::new();
    let mut wanted = Vec::with_capacity(rows.len());
    for (id, (row, size)) in ids.iter().zip(rows) {
        let (found, size) = (frame(drawing, &geometry, *id)?, size.get());
        let name = drawing.nodes.name(*id);
        let is_round = drawing.nodes.is_called(*id, "circle");
        let now = match axis {
            Axis::H => found.width(),
            Axis::V => found.height(),
        };
        if is_round && axis == Axis::V && (now - size).abs() > SLACK {
            let error = Diagnostic::new(format!("{name} is a circle, whose height is its width"));
            let name = name.replace('\'', "''");
            let op = format!("UPDATE elements SET w={size} WHERE ref='{name}'");
            return Err(error.maybe_try(Some(op).filter(|_| rows.len() == 1)));
        }
        if size.is_nan() || size <= 0.0 {
            bail!("a size is above 0, and {name} would have {size}"; try: "? describe {name}")
        }
        let (width, height) = match (is_round, axis) {
            (true, _) => (size, size),
            (false, Axis::H) => (size, found.height()),
            (false, Axis::V) => (found.width(), size),
        };
        let new = Rect::from_origin_size(found.origin(), (width, height));
        if (now - size).abs() > 1e-12 {
            let own = sized(drawing, &geometry, *id, new, axis);
            edits.extend(own.ok_or_else(|| by_scale(drawing, row, (axis, size), rows.len()))?);
        }
        wanted.push((row, size, new));
    }
    drawing.make(edits)?;
    let geometry = drawing.geometry();
    for (row, size, new) in wanted {
        let is = frame(drawing, &geometry, node(row.row))?;
        let differs = [
            is.x0 - new.x0,
            is.y0 - new.y0,
            is.x1 - new.x1,
            is.y1 - new.y1,
        ];
        if differs.iter().any(|differs| differs.abs() > SLACK) {
            return Err(by_scale(drawing, row, (axis, size), rows.len()));
        }
    }
    Ok(Vec::new())
}

/// The error for an element that is resized by its transform or its content. It names the op for a single row only: for
/// several it would do less than the statement. The op keeps the rest of the box as it was before the statement, which
/// may have set other sides of it.
fn by_scale(
    drawing: &Drawing,
    row: &ElementRow,
    (axis, size): (Axis, f64),
    rows: usize,
) -> Diagnostic {
    let id = node(row.row);
    let (title, name) = (drawing.titled(id), drawing.nodes.name(id));
    let number = |value: f64| spell_within(value, KEPT);
    let [x, y, w, h] = [row.x, row.y, row.w, row.h].map(|side| number(side.unwrap_or_default()));
    let (column, w, h, other) = match axis {
        Axis::H => ("w", number(size), h, "h"),
        Axis::V => ("h", w, number(size), "w"),
    };
    let op = match rows {
        1 => {
            format!("scale {name} to:{w}x{h} about:{x},{y} sets its {column} and keeps its {other}")
        }
        _ => "scale SEL to:WxH about:X,Y resizes it".to_owned(),
    };
    Diagnostic::new(format!(
        "{title} has no width and height that are those of its box; {op}"
    ))
}
