//! Measurements of paths: curves, lengths, boxes, and lists of their points.

use std::fmt;

use kurbo::{BezPath, ParamCurveArclen, PathSeg, Point, Rect, Shape};

use super::{Command, Path, Place};
use crate::syntax::number::Precision;

/// The maximum error of arcs drawn as curves, as a share of their radius.
const ARC_ERROR: f64 = 1e-6;

impl Path {
    /// The path as lines and curves. The error of arcs is at most a millionth of their radius.
    #[must_use]
    pub fn to_bez(&self) -> BezPath {
        let mut bez = BezPath::new();
        let mut closed = false;
        for place in self.places() {
            if closed && place.command != Command::Move {
                bez.move_to(place.start);
            }
            closed = place.command == Command::Close;
            append(&mut bez, &place);
        }
        bez
    }

    /// Its length in its units, without the moves between subpaths.
    #[must_use]
    pub fn length(&self) -> f64 {
        let bez = self.to_bez();
        let size = bez.control_box().size();
        let accuracy = 1e-6 * size.max_side().max(f64::MIN_POSITIVE);
        let lengths = bez.segments().map(|segment| match segment {
            // If the control of a quadratic is its end, kurbo's length is NaN.
            PathSeg::Quad(curve) => curve.raise().arclen(accuracy),
            other => other.arclen(accuracy),
        });
        // An empty sum is -0.
        lengths.sum::<f64>() + 0.0
    }

    /// Whether every subpath ends with a close. Subpaths that draw nothing do not count.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let (mut any, mut open) = (false, false);
        for segment in &self.segments {
            match segment.command {
                Command::Close => (any, open) = (true, false),
                Command::Move if open => return false,
                Command::Move => {}
                _ => open = true,
            }
        }
        any && !open
    }

    /// The tight box of the drawn path; `None` if nothing is drawn.
    #[must_use]
    pub fn bounds(&self) -> Option<Rect> {
        let bez = self.to_bez();
        bez.segments().next().map(|_| bez.bounding_box())
    }
}

fn append(bez: &mut BezPath, place: &Place) {
    match (place.command, place.control1, place.control2, place.arc) {
        (Command::Move, ..) => bez.move_to(place.end),
        (Command::Close, ..) => bez.close_path(),
        (Command::Arc, _, _, Some(shape)) => {
            // An arc without a radius is a line, and one to its own start draws nothing.
            let Some(arc) = place.ellipse(shape) else {
                return bez.line_to(place.end);
            };
            let error = ARC_ERROR * arc.radii.x.max(arc.radii.y);
            arc.to_cubic_beziers(error, |c1, c2, to| bez.curve_to(c1, c2, to));
        }
        (_, Some(c1), Some(c2), _) => bez.curve_to(c1, c2, place.end),
        (_, Some(control), ..) => bez.quad_to(control, place.end),
        _ => bez.line_to(place.end),
    }
}

impl Place {
    /// A segment in a list: `C 90,20 c1:30,40 c2:50,60`.
    #[must_use]
    pub fn shown(&self, precision: Precision) -> impl fmt::Display + use<> {
        Shown {
            place: *self,
            precision,
        }
    }
}

struct Shown {
    place: Place,
    precision: Precision,
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, precision } = self;
        let pair = |x, y| format!("{},{}", precision.spell(x), precision.spell(y));
        let point = |point: Point| pair(point.x, point.y);
        write!(f, "{}", place.command.letter())?;
        if place.command != Command::Close {
            write!(f, " {}", point(place.end))?;
        }
        if let Some(arc) = place.arc {
            write!(f, " r:{}", pair(arc.radii.x, arc.radii.y))?;
            if arc.rotation != 0.0 {
                write!(f, " rotation:{}", precision.spell(arc.rotation))?;
            }
            let word = |on: bool| if on { "on" } else { "off" };
            write!(f, " large:{} sweep:{}", word(arc.large), word(arc.sweep))?;
        }
        if let Some(control) = place.control1 {
            write!(f, " c1:{}", point(control))?;
        }
        if let Some(control) = place.control2 {
            write!(f, " c2:{}", point(control))?;
        }
        Ok(())
    }
}
