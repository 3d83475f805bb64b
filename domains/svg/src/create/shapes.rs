//! Shapes calculated from numbers: stars, regular polygons, slices of pies and rings, grids.
//!
//! All numbers are in local units, y down, and spelled to a precision. Points on a circle have one
//! decimal more, so that their box, a difference of two of them, is exact to the precision.

use kurbo::{Point, Vec2};

use crate::syntax::number::Precision;

/// The maximum number of points of a star, sides of a polygon, and lines of a grid in each
/// direction.
pub const MOST: u32 = 10_000;

/// The reason why a shape cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeError {
    /// A length is not above 0 or is beyond 10⁹.
    Length,
    /// Fewer corners than a shape has, or more than [`MOST`].
    Count,
    /// The inside of a ring is not smaller than its outside.
    Inner,
    /// A slice whose start and end are equal.
    Empty,
}

impl std::fmt::Display for ShapeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Length => "a length must be above 0 and at most 1000000000",
            Self::Count => "the number of corners or lines is not 3 to 10000",
            Self::Inner => "inner: must be below r:",
            Self::Empty => "start: and end: are the same",
        })
    }
}

impl std::error::Error for ShapeError {}

fn length(value: f64) -> Result<f64, ShapeError> {
    if value > 0.0 && value <= 1e9 {
        Ok(value)
    } else {
        Err(ShapeError::Length)
    }
}

/// The point at `radius` from the centre, `degrees` clockwise from 12 o'clock.
fn around(center: Point, radius: f64, degrees: f64) -> Point {
    let (sin, cos) = degrees.to_radians().sin_cos();
    center + Vec2::new(sin, -cos) * radius
}

fn list(points: impl Iterator<Item = Point>, precision: Precision) -> String {
    let pairs: Vec<String> = points.map(|point| pair(point, precision)).collect();
    pairs.join(" ")
}

fn pair(point: Point, precision: Precision) -> String {
    format!("{},{}", precision.spell(point.x), precision.spell(point.y))
}

/// The points of a star: `tips` on a circle of radius `r`, alternating with points at `inner` times
/// that radius, 0 to 1. The first tip is at 12 o'clock, or `angle` degrees clockwise from there.
///
/// # Errors
/// A radius that is not above 0, an `inner` that is not above 0 and at most 1, fewer than 3 tips.
pub fn star(
    center: Point,
    r: f64,
    tips: u32,
    inner: f64,
    angle: f64,
    precision: Precision,
) -> Result<String, ShapeError> {
    let r = length(r)?;
    if !(inner > 0.0 && inner <= 1.0) {
        return Err(ShapeError::Inner);
    }
    if !(3..=MOST).contains(&tips) {
        return Err(ShapeError::Count);
    }
    let step = 180.0 / f64::from(tips);
    let points = (0..tips * 2).map(|corner| {
        let radius = if corner % 2 == 0 { r } else { r * inner };
        around(center, radius, angle + step * f64::from(corner))
    });
    Ok(list(points, precision.finer()))
}

/// The points of a regular polygon with `sides` sides. The first corner is at 12 o'clock, or
/// `angle` degrees clockwise from there.
///
/// # Errors
/// A radius that is not above 0, fewer than 3 sides.
pub fn ngon(
    center: Point,
    r: f64,
    sides: u32,
    angle: f64,
    precision: Precision,
) -> Result<String, ShapeError> {
    let r = length(r)?;
    if !(3..=MOST).contains(&sides) {
        return Err(ShapeError::Count);
    }
    let step = 360.0 / f64::from(sides);
    let corners = (0..sides).map(|corner| around(center, r, angle + step * f64::from(corner)));
    Ok(list(corners, precision.finer()))
}

/// The closed path of a slice from `start` to `end` degrees clockwise from 12 o'clock: of a ring if
/// `inner` is its inner radius, else of a pie. A full turn is a whole circle or ring.
///
/// # Errors
/// A radius that is not above 0, an inner one that is not below the outer, a slice with no angle.
pub fn slice(
    center: Point,
    r: f64,
    start: f64,
    end: f64,
    inner: Option<f64>,
    precision: Precision,
) -> Result<String, ShapeError> {
    let r = length(r)?;
    let inner = match inner {
        Some(inner) if inner != 0.0 => Some(length(inner)?),
        _ => None,
    };
    if inner.is_some_and(|inner| inner >= r) {
        return Err(ShapeError::Inner);
    }
    if !(start.is_finite() && end.is_finite()) || start == end {
        return Err(ShapeError::Empty);
    }
    let turn = end - start;
    let precision = precision.finer();
    let point = |radius: f64, degrees: f64| pair(around(center, radius, degrees), precision);
    let arc = |radius: f64, large: bool, back: bool, to: f64| {
        let (radius_text, to) = (precision.spell(radius), point(radius, to));
        let flags = (u8::from(large), u8::from((turn > 0.0) != back));
        format!(
            "A{radius_text} {radius_text} 0 {} {} {to}",
            flags.0, flags.1
        )
    };
    if turn.abs() >= 360.0 {
        // An arc cannot end at its start, so a whole circle takes two.
        let circle = |radius: f64, back: bool| {
            let half = arc(radius, false, back, start + 180.0);
            let rest = arc(radius, false, back, start);
            format!("M{}{half}{rest}Z", point(radius, start))
        };
        let hole = inner.map(|inner| circle(inner, true)).unwrap_or_default();
        return Ok(circle(r, false) + &hole);
    }
    let large = turn.abs() > 180.0;
    let outer = arc(r, large, false, end);
    Ok(match inner {
        None => format!("M{}L{}{outer}Z", pair(center, precision), point(r, start)),
        Some(inner) => {
            let back = arc(inner, large, true, start);
            format!("M{}{outer}L{}{back}Z", point(r, start), point(inner, end))
        }
    })
}

/// The path of a grid's lines, including borders, from its corner over `size`; the last cells may
/// be cut.
///
/// # Errors
/// A size or step that is not above 0, or more than [`MOST`] lines in one direction.
pub fn grid(
    corner: Point,
    size: Vec2,
    step: Vec2,
    precision: Precision,
) -> Result<String, ShapeError> {
    let (width, height) = (length(size.x)?, length(size.y)?);
    let columns = lines(width, length(step.x)?)?;
    let rows = lines(height, length(step.y)?)?;
    let mut path = String::new();
    for along in columns {
        let from = pair(corner + Vec2::new(along, 0.0), precision);
        path.push_str(&format!("M{from}V{}", precision.spell(corner.y + height)));
    }
    for down in rows {
        let from = pair(corner + Vec2::new(0.0, down), precision);
        path.push_str(&format!("M{from}H{}", precision.spell(corner.x + width)));
    }
    Ok(path)
}

/// The distance of each line from the first border; the last one is at the opposite border.
fn lines(whole: f64, step: f64) -> Result<Vec<f64>, ShapeError> {
    // A tiny last cell is the rounding noise of the division.
    let cells = (whole / step - 1e-9).ceil().max(1.0);
    if cells > f64::from(MOST) {
        return Err(ShapeError::Count);
    }
    let mut lines = Vec::new();
    for line in 0..=MOST {
        let at = f64::from(line);
        if at >= cells {
            break;
        }
        lines.push(at * step);
    }
    lines.push(whole);
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use kurbo::Rect;

    use super::*;
    use crate::path::Path;
    use crate::syntax::points::Points;

    const THREE: Precision = Precision::decimals(3);

    fn bounds(points: &str) -> Rect {
        let points = Points::checked(points).unwrap();
        let mut corners = points.vertices().iter().map(|vertex| vertex.point);
        let first = corners.next().unwrap();
        corners.fold(Rect::from_points(first, first), |all, corner| {
            all.union_pt(corner)
        })
    }

    #[test]
    fn stars_and_polygons_have_their_box() {
        let spark = star(Point::new(480.0, 140.0), 24.0, 5, 0.382, 0.0, THREE).unwrap();
        assert!(spark.starts_with("480,116 "), "{spark}");
        let spark = bounds(&spark);
        let shown = [spark.x0, spark.y0, spark.width(), spark.height()].map(|n| THREE.spell(n));
        assert_eq!(shown, ["457.175", "116", "45.651", "43.416"]);
        assert_eq!(
            ngon(Point::new(10.0, 10.0), 5.0, 4, 45.0, THREE).unwrap(),
            "13.5355,6.4645 13.5355,13.5355 6.4645,13.5355 6.4645,6.4645"
        );
        let none = Point::ZERO;
        assert_eq!(star(none, 0.0, 5, 0.5, 0.0, THREE), Err(ShapeError::Length));
        assert_eq!(star(none, 1.0, 2, 0.5, 0.0, THREE), Err(ShapeError::Count));
        assert_eq!(star(none, 1.0, 5, 1.5, 0.0, THREE), Err(ShapeError::Inner));
        assert_eq!(ngon(none, f64::NAN, 5, 0.0, THREE), Err(ShapeError::Length));
        assert_eq!(
            ngon(none, 1.0, u32::MAX, 0.0, THREE),
            Err(ShapeError::Count)
        );
    }

    #[test]
    fn slices_are_closed_paths() {
        let at = Point::new(10.0, 10.0);
        assert_eq!(
            slice(at, 5.0, 0.0, 90.0, None, THREE).unwrap(),
            "M10,10L10,5A5 5 0 0 1 15,10Z"
        );
        assert_eq!(
            slice(at, 5.0, 0.0, 270.0, Some(2.0), THREE).unwrap(),
            "M10,5A5 5 0 1 1 5,10L8,10A2 2 0 1 0 10,8Z"
        );
        assert_eq!(
            slice(at, 5.0, 90.0, 0.0, None, THREE).unwrap(),
            "M10,10L15,10A5 5 0 0 0 10,5Z"
        );
        for (inner, area) in [(None, 25.0), (Some(3.0), 16.0)] {
            let ring = Path::checked(slice(at, 5.0, 0.0, 360.0, inner, THREE).unwrap()).unwrap();
            let have = kurbo::Shape::area(&ring.to_bez()).abs();
            assert!((have - area * std::f64::consts::PI).abs() < 1e-2, "{have}");
            assert!(ring.is_closed());
        }
        assert_eq!(
            slice(at, 5.0, 0.0, 0.0, None, THREE),
            Err(ShapeError::Empty)
        );
        assert_eq!(
            slice(at, 5.0, 0.0, 9.0, Some(5.0), THREE),
            Err(ShapeError::Inner)
        );
    }

    #[test]
    fn a_grid_has_its_borders() {
        assert_eq!(
            grid(
                Point::new(1.0, 2.0),
                Vec2::new(4.0, 3.0),
                Vec2::new(2.0, 2.0),
                THREE
            )
            .unwrap(),
            "M1,2V5M3,2V5M5,2V5M1,2H5M1,4H5M1,5H5"
        );
        let tenths = lines(1.0, 0.1).unwrap();
        assert_eq!(tenths.len(), 11);
        let tiny = Vec2::new(1e-9, 1.0);
        assert_eq!(
            grid(Point::ZERO, Vec2::new(1.0, 1.0), tiny, THREE),
            Err(ShapeError::Count)
        );
    }
}
