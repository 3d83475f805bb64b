//! Transforms on top of an element's own.

use fcp::prelude::*;
use kurbo::{Affine, Point};

use super::shift::linear;
use super::{Edit, broken, editable, flat};
use crate::geometry::Geometry;
use crate::model::{Drawing, NodeId};
use crate::transform::NewItem;

/// A transform of the canvas about a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// Factors along x and y.
    Scale(f64, f64),
    /// An angle along x, in degrees.
    SkewX(f64),
    /// An angle along y, in degrees.
    SkewY(f64),
}

impl Turn {
    fn affine(self) -> Affine {
        let slope = |degrees: f64| degrees.to_radians().tan();
        match self {
            Self::Scale(x, y) => Affine::scale_non_uniform(x, y),
            Self::SkewX(angle) => Affine::skew(slope(angle), 0.0),
            Self::SkewY(angle) => Affine::skew(0.0, slope(angle)),
        }
    }
}

/// Whether two numbers are equal except for rounding noise.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// The maps from canvas units to the system of an element's transforms, relative to their origin,
/// and back.
fn inwards(drawing: &Drawing, geometry: &Geometry<'_>, id: NodeId) -> Result<(Affine, Affine)> {
    let origin = geometry.transform_origin(id).to_vec2();
    let outwards = geometry.outer(id) * Affine::translate(origin);
    if outwards.determinant() == 0.0 {
        return Err(flat(drawing, id));
    }
    Ok((outwards.inverse(), outwards))
}

/// The edit that rotates an element clockwise about a point of the canvas, in degrees: a leading
/// rotate, or a matrix if its ancestors stretch it unevenly.
///
/// # Errors
/// If its transform is broken, or it is inside something that is squeezed flat.
pub fn rotated(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    id: NodeId,
    degrees: f64,
    about: Point,
) -> Result<Vec<Edit>> {
    let (inwards, outwards) = inwards(drawing, geometry, id)?;
    let (list, precision) = (editable(drawing, geometry, id)?, geometry.precision());
    let [a, b, c, d] = linear(outwards);
    let text = if same(a, d) && same(b, -c) {
        list.rotated(degrees, inwards * about, precision)
    } else if same(a, -d) && same(b, c) {
        list.rotated(-degrees, inwards * about, precision)
    } else {
        let turn = Affine::rotate_about(degrees.to_radians(), about);
        list.laid_over(&[NewItem::Matrix(inwards * turn * outwards)], precision)
    };
    let text = text.map_err(|error| broken(drawing, id, &list, error))?;
    Ok(vec![Edit::transform(id, &list, text)])
}

/// The edit that applies a transform of the canvas about a point on top of an element's own.
///
/// # Errors
/// If its transform is broken, or it is inside something that is squeezed flat.
pub fn laid_over(
    drawing: &Drawing,
    geometry: &Geometry<'_>,
    id: NodeId,
    turn: Turn,
    about: Point,
) -> Result<Vec<Edit>> {
    let (inwards, outwards) = inwards(drawing, geometry, id)?;
    let (list, precision) = (editable(drawing, geometry, id)?, geometry.precision());
    let about = about.to_vec2();
    let whole = Affine::translate(about) * turn.affine() * Affine::translate(-about);
    let whole = inwards * whole * outwards;
    let moved = NewItem::Translate(whole.translation());
    let [a, b, c, d] = linear(outwards);
    let even = b == 0.0 && c == 0.0 && same(a, d);
    let made = match turn {
        Turn::SkewX(angle) if even => vec![moved, NewItem::SkewX(angle)],
        Turn::SkewY(angle) if even => vec![moved, NewItem::SkewY(angle)],
        Turn::Scale(x, y) if b == 0.0 && c == 0.0 || x == y => vec![moved, NewItem::Scale(x, y)],
        Turn::Scale(x, y) if a == 0.0 && d == 0.0 => vec![moved, NewItem::Scale(y, x)],
        _ => vec![NewItem::Matrix(whole)],
    };
    let text = list.laid_over(&made, precision);
    let text = text.map_err(|error| broken(drawing, id, &list, error))?;
    Ok(vec![Edit::transform(id, &list, text)])
}
