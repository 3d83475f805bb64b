//! Segments requested by an op.

use kurbo::{Point, Vec2};

use super::place::Pen;
use super::write::{Digits, Step};
use super::{ArcShape, Command, PathError, Place, check_point};

/// The end of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// At a point. The segment is written absolute.
    To(Point),
    /// A step from the end of the previous segment. The segment is written relative.
    By(Vec2),
}

/// A segment to draw. Controls are points, not steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draw {
    /// Begins a subpath.
    Move(Target),
    /// A line.
    Line(Target),
    /// A curve: quadratic with one control, cubic with two.
    Curve {
        /// Its end.
        to: Target,
        /// The first control, or the only one.
        control1: Point,
        /// The second.
        control2: Option<Point>,
    },
    /// A smooth curve: quadratic without a control, cubic with its second control.
    Smooth {
        /// Its end.
        to: Target,
        /// The second control.
        control2: Option<Point>,
    },
    /// Part of an ellipse.
    Arc {
        /// Its end.
        to: Target,
        /// Its ellipse and the part of it.
        shape: ArcShape,
    },
    /// Back to the start of the subpath.
    Close,
}

impl Draw {
    /// The step that writes it after `pen`. `small` is whether a close is lowercase.
    ///
    /// # Errors
    /// A number out of range, a radius that is not above 0.
    pub(super) fn step(&self, pen: &Pen, small: bool) -> Result<Step, PathError> {
        let end = |target: Target| match target {
            Target::To(point) => check_point(point).map(|point| (point, false)),
            Target::By(step) => check_point(pen.at + step).map(|point| (point, true)),
        };
        let (command, (end, relative)) = match *self {
            Self::Move(to) => (Command::Move, end(to)?),
            Self::Line(to) => (Command::Line, end(to)?),
            Self::Curve {
                to, control2: None, ..
            } => (Command::Quadratic, end(to)?),
            Self::Curve { to, .. } => (Command::Cubic, end(to)?),
            Self::Smooth { to, control2: None } => (Command::SmoothQuadratic, end(to)?),
            Self::Smooth { to, .. } => (Command::SmoothCubic, end(to)?),
            Self::Arc { to, .. } => (Command::Arc, end(to)?),
            Self::Close => (Command::Close, (pen.begun, small)),
        };
        let mut want = Place {
            command,
            start: pen.at,
            control1: None,
            control2: None,
            arc: None,
            end,
        };
        match *self {
            Self::Curve {
                control1, control2, ..
            } => {
                want.control1 = Some(check_point(control1)?);
                want.control2 = control2.map(check_point).transpose()?;
            }
            Self::Smooth { control2: None, .. } => want.control1 = Some(pen.mirrored_quadratic()),
            Self::Smooth { control2, .. } => {
                want.control1 = Some(pen.mirrored_cubic());
                want.control2 = control2.map(check_point).transpose()?;
            }
            Self::Arc { shape, .. } => want.arc = Some(check_arc(shape)?),
            Self::Move(_) | Self::Line(_) | Self::Close => {}
        }
        Ok(Step {
            from: None,
            changed: true,
            relative,
            digits: Digits::Given,
            want,
        })
    }
}

fn check_arc(shape: ArcShape) -> Result<ArcShape, PathError> {
    check_point(shape.radii.to_point())?;
    check_point(Point::new(shape.rotation, 0.0))?;
    if shape.radii.x > 0.0 && shape.radii.y > 0.0 {
        Ok(shape)
    } else {
        Err(PathError::Radius)
    }
}
