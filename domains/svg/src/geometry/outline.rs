//! Outlines of shapes, in the system of their own attributes.

use std::borrow::Cow;

use fcp::work;
use kurbo::{Affine, Arc, BezPath, Circle, Ellipse, PathEl, Point, Rect, Shape, Size, Vec2};

use super::viewport::{Axis, length};
use crate::model::{NodeId, Nodes};
use crate::path::Path;
use crate::style::Styles;
use crate::syntax::points::Points;

/// The maximum error of curves that replace arcs, as a share of the radius.
const ARC_ERROR: f64 = 1e-6;

/// The bytes of path data or points that are read in the time of a step.
const BYTES_A_STEP: usize = 16;

/// An element's geometry attributes, read as lengths.
pub(super) struct Lengths<'g> {
    pub(super) nodes: &'g Nodes,
    pub(super) styles: &'g Styles<'g>,
    pub(super) id: NodeId,
    pub(super) viewport: Size,
}

impl Lengths<'_> {
    /// An attribute in user units; `None` if it is absent or not a length.
    pub(super) fn get(&self, name: &str, axis: Axis) -> Option<f64> {
        let text = self.nodes.attr(self.id, name)?;
        let font_size = || self.styles.font_size(self.id);
        length(&text, font_size, axis.of(self.viewport))
    }

    fn or_zero(&self, name: &str, axis: Axis) -> f64 {
        self.get(name, axis).unwrap_or(0.0)
    }

    pub(super) fn point(&self, x: &str, y: &str) -> Point {
        Point::new(self.or_zero(x, Axis::X), self.or_zero(y, Axis::Y))
    }

    fn positive(&self, name: &str, axis: Axis) -> Option<f64> {
        self.get(name, axis).filter(|value| *value > 0.0)
    }

    /// Both radii: one that is absent or below 0 is equal to the other.
    fn radii(&self) -> Vec2 {
        let side = |name, axis| self.get(name, axis).filter(|value| *value >= 0.0);
        let (rx, ry) = (side("rx", Axis::X), side("ry", Axis::Y));
        Vec2::new(rx.or(ry).unwrap_or(0.0), ry.or(rx).unwrap_or(0.0))
    }

    /// The rectangle of `x`, `y`, `width` and `height`; `None` without width or height.
    pub(super) fn frame(&self) -> Option<Rect> {
        let size = Size::new(
            self.positive("width", Axis::X)?,
            self.positive("height", Axis::Y)?,
        );
        Some(Rect::from_origin_size(self.point("x", "y"), size))
    }

    /// The rectangle, and the radii of its corners, which are at most half of a side.
    pub(super) fn rounded_frame(&self) -> Option<(Rect, Vec2)> {
        let (frame, radii) = (self.frame()?, self.radii());
        let radii = Vec2::new(
            radii.x.min(frame.width() / 2.0),
            radii.y.min(frame.height() / 2.0),
        );
        Some((frame, radii))
    }

    /// The centre and the radii of a circle or an ellipse; `None` if it draws nothing.
    pub(super) fn ellipse(&self, kind: &str) -> Option<(Point, Vec2)> {
        let radii = if kind == "circle" {
            Vec2::splat(self.positive("r", Axis::Both)?)
        } else {
            self.radii()
        };
        let draws = radii.x > 0.0 && radii.y > 0.0;
        draws.then(|| (self.point("cx", "cy"), radii))
    }

    /// The box of the element's drawing after a transform, if simple arithmetic gives it. The inner
    /// `None` means that it draws nothing.
    pub(super) fn simple_box(&self, kind: &str, to_canvas: Affine) -> Option<Option<Rect>> {
        let [a, b, c, d, ..] = to_canvas.as_coeffs();
        match kind {
            // Without rotation, rounded corners reach as far as sharp ones.
            "rect" | "image" if b == 0.0 && c == 0.0 => {
                let frame = self.frame();
                Some(frame.map(|frame| to_canvas.transform_rect_bbox(frame)))
            }
            "circle" | "ellipse" => {
                let around = |(center, radii): (Point, Vec2)| {
                    let reach = Vec2::new(
                        (a * radii.x).hypot(c * radii.y),
                        (b * radii.x).hypot(d * radii.y),
                    );
                    let center = to_canvas * center;
                    Rect::from_points(center - reach, center + reach)
                };
                Some(self.ellipse(kind).map(around))
            }
            _ => None,
        }
    }

    /// The outline of the element without its stroke; `None` if it draws nothing or is not a shape.
    pub(super) fn outline(&self, kind: &str) -> Option<BezPath> {
        let path = match kind {
            "rect" => {
                let (frame, radii) = self.rounded_frame()?;
                rounded(frame, radii)
            }
            "image" => self.frame()?.to_path(0.1),
            "circle" => {
                let (center, radii) = self.ellipse(kind)?;
                Circle::new(center, radii.x).to_path(radii.x * ARC_ERROR)
            }
            "ellipse" => {
                let (center, radii) = self.ellipse(kind)?;
                let error = radii.x.max(radii.y) * ARC_ERROR;
                Ellipse::new(center, radii, 0.0).to_path(error)
            }
            "line" => polyline([self.point("x1", "y1"), self.point("x2", "y2")]),
            "polyline" | "polygon" => {
                let points = Points::parse(self.long("points")?);
                if points.vertices().len() < 2 {
                    return None;
                }
                let mut path = polyline(points.vertices().iter().map(|vertex| vertex.point));
                if kind == "polygon" {
                    path.close_path();
                }
                path
            }
            "path" => Path::parse(self.long("d")?).to_bez(),
            _ => return None,
        };
        // A closed point is drawn by the caps of its stroke.
        let closed = || path.elements().contains(&PathEl::ClosePath);
        let draws = path.segments().next().is_some() || closed();
        draws.then_some(path)
    }
}

impl<'g> Lengths<'g> {
    /// An attribute that may be long. Counts the steps of reading it; `None` if the call has none
    /// left.
    fn long(&self, name: &str) -> Option<Cow<'g, str>> {
        let text = self.nodes.attr(self.id, name)?;
        work::spend(text.len() / BYTES_A_STEP).ok()?;
        Some(text)
    }
}

/// The box of a path. Without segments it is its first point, and `None` without points.
pub(super) fn bounds(path: &BezPath) -> Option<Rect> {
    match path.elements().first()? {
        PathEl::MoveTo(point) if path.segments().next().is_none() => {
            Some(Rect::from_points(*point, *point))
        }
        _ => Some(path.bounding_box()),
    }
}

fn polyline(points: impl IntoIterator<Item = Point>) -> BezPath {
    let mut path = BezPath::new();
    for point in points {
        if path.elements().is_empty() {
            path.move_to(point);
        } else {
            path.line_to(point);
        }
    }
    path
}

fn rounded(frame: Rect, radii: Vec2) -> BezPath {
    if radii.x <= 0.0 || radii.y <= 0.0 {
        return frame.to_path(0.1);
    }
    let inner = frame.inflate(-radii.x, -radii.y);
    let quarter = std::f64::consts::FRAC_PI_2;
    let mut path = BezPath::new();
    path.move_to(Point::new(inner.x0, frame.y0));
    for (from, center, turns) in [
        (
            Point::new(inner.x1, frame.y0),
            Point::new(inner.x1, inner.y0),
            -1.0,
        ),
        (
            Point::new(frame.x1, inner.y1),
            Point::new(inner.x1, inner.y1),
            0.0,
        ),
        (
            Point::new(inner.x0, frame.y1),
            Point::new(inner.x0, inner.y1),
            1.0,
        ),
        (
            Point::new(frame.x0, inner.y0),
            Point::new(inner.x0, inner.y0),
            2.0,
        ),
    ] {
        path.line_to(from);
        let corner = Arc::new(center, radii, turns * quarter, quarter, 0.0);
        path.extend(corner.append_iter(radii.x.max(radii.y) * ARC_ERROR));
    }
    path.close_path();
    path
}
