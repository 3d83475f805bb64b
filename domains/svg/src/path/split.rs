//! Splits a segment into two that draw the same line.

use kurbo::{Arc, Point, SvgArc, Vec2};

use super::write::{Digits, Step};
use super::{ArcShape, Command, Path, PathError, Place};
use crate::syntax::number::Precision;

impl Path {
    /// Splits segment `n` at `t`, from 0 at its start to 1 at its end; for an arc, by angle.
    ///
    /// New points are rounded to the precision; the segment's ends stay.
    ///
    /// # Errors
    /// No such segment, a move, a `t` that is not above 0 and below 1, or text after a fault that
    /// would be read as segments.
    pub fn split_segment(
        &self,
        n: usize,
        t: f64,
        precision: Precision,
    ) -> Result<String, PathError> {
        let index = self.index(n)?;
        if !(t > 0.0 && t < 1.0) {
            return Err(PathError::Outside);
        }
        let mut steps = self.steps();
        let Some(step) = steps.get_mut(index) else {
            return Err(PathError::NoSegment {
                count: self.segments.len(),
            });
        };
        let (first, second) = halves(&step.want, t, precision).ok_or(PathError::Unsplit {
            letter: step.want.command.letter(),
        })?;
        step.changed = second != step.want;
        step.want = second;
        let relative = step.relative;
        let first = Step {
            from: None,
            changed: true,
            relative,
            digits: Digits::Computed,
            want: first,
        };
        steps.insert(index, first);
        self.write(&steps)
    }
}

/// Both parts. The second is the whole segment if that has only its end.
fn halves(place: &Place, t: f64, precision: Precision) -> Option<(Place, Place)> {
    let round = |p: Point| Point::new(precision.round(p.x), precision.round(p.y));
    let (start, end) = (place.start, place.end);
    let (mut first, mut second) = (*place, *place);
    match (place.command, place.control1, place.control2, place.arc) {
        (Command::Move, ..) => return None,
        (Command::Arc, _, _, Some(arc)) => {
            let (middle, one, two) = arc_halves(start, end, arc, t, precision);
            first.end = round(middle);
            (first.arc, second.arc) = (Some(one), Some(two));
        }
        (_, Some(c1), Some(c2), _) => {
            let (ab, bc, cd) = (start.lerp(c1, t), c1.lerp(c2, t), c2.lerp(end, t));
            let (abc, bcd) = (ab.lerp(bc, t), bc.lerp(cd, t));
            first.control1 = Some(round(ab));
            first.control2 = Some(round(abc));
            first.end = round(abc.lerp(bcd, t));
            second.control1 = Some(round(bcd));
            second.control2 = Some(round(cd));
        }
        (_, Some(control), ..) => {
            let (ab, bc) = (start.lerp(control, t), control.lerp(end, t));
            first.control1 = Some(round(ab));
            first.end = round(ab.lerp(bc, t));
            second.control1 = Some(round(bc));
        }
        (command, ..) => {
            if command == Command::Close {
                first.command = Command::Line;
            }
            first.end = round(start.lerp(end, t));
            // The rounded middle of a horizontal or vertical line stays on it.
            match command {
                Command::Horizontal => first.end.y = start.y,
                Command::Vertical => first.end.x = start.x,
                _ => {}
            }
        }
    }
    Some((first, second))
}

/// The point where an arc is split, and the shapes of both parts.
fn arc_halves(
    from: Point,
    to: Point,
    shape: ArcShape,
    t: f64,
    precision: Precision,
) -> (Point, ArcShape, ArcShape) {
    let ArcShape {
        radii,
        rotation,
        large,
        sweep,
    } = shape;
    let x_rotation = rotation.to_radians();
    let whole = SvgArc {
        from,
        to,
        radii,
        x_rotation,
        large_arc: large,
        sweep,
    };
    let Some(arc) = Arc::from_svg_arc(&whole) else {
        return (from.lerp(to, t), shape, shape);
    };
    // Radii that are too small for the whole arc are enlarged, but might be large enough for its
    // parts.
    let grown = arc.radii.x > radii.x.abs() * (1.0 + 1e-9);
    let radii = if grown {
        Vec2::new(precision.round(arc.radii.x), precision.round(arc.radii.y))
    } else {
        radii
    };
    let part = |share: f64| {
        let large = (arc.sweep_angle * share).abs() > std::f64::consts::PI;
        ArcShape {
            radii,
            large,
            ..shape
        }
    };
    let angle = arc.start_angle + arc.sweep_angle * t;
    let (sin, cos) = angle.sin_cos();
    let spoke = Vec2::new(arc.radii.x * cos, arc.radii.y * sin);
    let (sin, cos) = arc.x_rotation.sin_cos();
    let turned = Vec2::new(spoke.x * cos - spoke.y * sin, spoke.x * sin + spoke.y * cos);
    (arc.center + turned, part(t), part(1.0 - t))
}
