//! Keeps an element's position in another container.

use fcp::prelude::*;
use kurbo::{Affine, Vec2};

use super::shift::linear;
use super::{Edit, broken, editable, flat};
use crate::geometry::Geometry;
use crate::model::{Drawing, NodeId};
use crate::transform::NewItem;

/// The error of a matrix element that has no effect.
const NOISE: f64 = 1e-9;

/// The edits that keep an element's position on the canvas when it moves to `parent`: none if the
/// systems are equal, otherwise of its leading translate, or else a leading matrix.
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
    brought(
        drawing,
        geometry,
        id,
        Affine::translate(-origin) * change * Affine::translate(origin),
    )
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
    let text = text.map_err(|error| broken(drawing, id, error))?;
    Ok(vec![Edit::transform(id, &list, text)])
}
