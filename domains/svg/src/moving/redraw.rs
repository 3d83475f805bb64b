//! Rewrites paths and points under a transform.

use kurbo::{Affine, Point, Vec2};

use super::flatten::even;
use crate::path::{ArcShape, Command, Fault, Path, Place};
use crate::syntax::number::Precision;
use crate::syntax::points::{Points, PointsFault};

/// The maximum error of an arc drawn as curves, as a share of its radius.
const ARC_ERROR: f64 = 1e-6;

/// A list of points under a transform.
///
/// # Errors
/// The fault, if the list is broken.
pub(super) fn points(
    text: &str,
    affine: Affine,
    precision: Precision,
) -> Result<String, PointsFault> {
    let points = Points::checked(text)?;
    let moved = points
        .vertices()
        .iter()
        .map(|vertex| pair(affine * vertex.point, precision));
    Ok(moved.collect::<Vec<_>>().join(" "))
}

/// Path data under a transform, with absolute segments. An arc that its parameters cannot express
/// any more is drawn as curves.
///
/// # Errors
/// The fault, if the path is broken.
pub(super) fn path(text: &str, affine: Affine, precision: Precision) -> Result<String, Fault> {
    let path = Path::parse(text);
    if let Some(fault) = path.fault() {
        return Err(fault.clone());
    }
    let moved = |point: Point| pair(affine * point, precision);
    let mut words: Vec<String> = Vec::new();
    for place in path.places() {
        let end = moved(place.end);
        words.push(
            match (place.command, place.control1, place.control2, place.arc) {
                (Command::Move, ..) => format!("M{end}"),
                (Command::Close, ..) => "Z".to_owned(),
                (Command::Arc, _, _, Some(shape)) => arc(&place, shape, affine, precision),
                (_, Some(c1), Some(c2), _) => format!("C{} {} {end}", moved(c1), moved(c2)),
                (_, Some(control), ..) => format!("Q{} {end}", moved(control)),
                _ => format!("L{end}"),
            },
        );
    }
    Ok(words.join(" "))
}

fn arc(place: &Place, shape: ArcShape, affine: Affine, precision: Precision) -> String {
    let end = pair(affine * place.end, precision);
    if let Some(grows) = even(affine) {
        let [a, b, ..] = affine.as_coeffs();
        let (turned, mirrored) = (b.atan2(a).to_degrees(), affine.determinant() < 0.0);
        let rotation = if mirrored {
            turned - shape.rotation
        } else {
            turned + shape.rotation
        };
        let radii = shape.radii * grows;
        let flag = |on: bool| u8::from(on);
        return format!(
            "A{} {} {} {} {end}",
            pair(radii.to_point(), precision),
            Precision::EXACT.spell(rotation),
            flag(shape.large),
            flag(shape.sweep != mirrored),
        );
    }
    let Some(arc) = place.ellipse(shape) else {
        return format!("L{end}");
    };
    let mut curves = Vec::new();
    let longest = Vec2::new(arc.radii.x, arc.radii.y).hypot();
    arc.to_cubic_beziers(longest * ARC_ERROR, |c1, c2, to| {
        let points = [c1, c2, to].map(|point| pair(affine * point, precision));
        curves.push(format!("C{}", points.join(" ")));
    });
    curves.join(" ")
}

fn pair(point: Point, precision: Precision) -> String {
    format!("{},{}", precision.spell(point.x), precision.spell(point.y))
}
