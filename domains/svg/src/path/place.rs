//! Positions of segments: absolute points, however they are written.

use kurbo::{Arc, Point, SvgArc, Vec2};

use super::{Command, MOST, Path};

/// The ellipse of an arc, and the part of it that is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArcShape {
    /// The radii, as written; radii that are too small are enlarged for drawing.
    pub radii: Vec2,
    /// The rotation of the ellipse in degrees.
    pub rotation: f64,
    /// Whether it takes the longer way.
    pub large: bool,
    /// Whether it runs clockwise on screen, with y down.
    pub sweep: bool,
}

/// A segment's points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Its command.
    pub command: Command,
    /// The end of the previous segment.
    pub start: Point,
    /// The first or only control, including that of a smooth segment.
    pub control1: Option<Point>,
    /// The second control of a cubic.
    pub control2: Option<Point>,
    /// The ellipse of an arc.
    pub arc: Option<ArcShape>,
    /// Its end; for a close, the start of the subpath.
    pub end: Point,
}

impl Place {
    /// The part of an ellipse that an arc draws; `None` if it is a line or nothing.
    #[must_use]
    pub fn ellipse(&self, shape: ArcShape) -> Option<Arc> {
        Arc::from_svg_arc(&SvgArc {
            from: self.start,
            to: self.end,
            radii: shape.radii,
            x_rotation: shape.rotation.to_radians(),
            large_arc: shape.large,
            sweep: shape.sweep,
        })
    }
}

/// The state that a segment takes over from previous ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    /// The end of the previous segment.
    pub at: Point,
    /// The start of the subpath.
    pub begun: Point,
    /// The last control of a preceding cubic.
    cubic: Option<Point>,
    /// The control of a preceding quadratic.
    quadratic: Option<Point>,
}

impl Pen {
    /// The state before the first segment.
    pub const START: Self = Self {
        at: Point::ZERO,
        begun: Point::ZERO,
        cubic: None,
        quadratic: None,
    };

    /// The first control of a following smooth cubic.
    pub fn mirrored_cubic(&self) -> Point {
        mirrored(self.cubic, self.at)
    }

    /// The control of a following smooth quadratic.
    pub fn mirrored_quadratic(&self) -> Point {
        mirrored(self.quadratic, self.at)
    }

    /// The position of a segment with these numbers.
    pub fn place(&self, command: Command, relative: bool, numbers: &[f64; MOST]) -> Place {
        let origin = if relative {
            self.at.to_vec2()
        } else {
            Vec2::ZERO
        };
        let point = |x: f64, y: f64| Point::new(x, y) + origin;
        let &[a, b, c, d, e, x, y] = numbers;
        let mut place = Place {
            command,
            start: self.at,
            control1: None,
            control2: None,
            arc: None,
            end: self.at,
        };
        match command {
            Command::Move | Command::Line => place.end = point(a, b),
            Command::Horizontal => place.end.x = a + origin.x,
            Command::Vertical => place.end.y = a + origin.y,
            Command::Cubic => {
                place.control1 = Some(point(a, b));
                place.control2 = Some(point(c, d));
                place.end = point(e, x);
            }
            Command::SmoothCubic => {
                place.control1 = Some(self.mirrored_cubic());
                place.control2 = Some(point(a, b));
                place.end = point(c, d);
            }
            Command::Quadratic => {
                place.control1 = Some(point(a, b));
                place.end = point(c, d);
            }
            Command::SmoothQuadratic => {
                place.control1 = Some(self.mirrored_quadratic());
                place.end = point(a, b);
            }
            Command::Arc => {
                place.arc = Some(ArcShape {
                    radii: Vec2::new(a, b),
                    rotation: c,
                    large: d != 0.0,
                    sweep: e != 0.0,
                });
                place.end = point(x, y);
            }
            Command::Close => place.end = self.begun,
        }
        place
    }

    /// Advances past a segment.
    pub fn pass(&mut self, place: &Place) {
        self.at = place.end;
        if place.command == Command::Move {
            self.begun = place.end;
        }
        self.cubic = place.control2;
        self.quadratic = match place.command {
            Command::Quadratic | Command::SmoothQuadratic => place.control1,
            _ => None,
        };
    }
}

fn mirrored(control: Option<Point>, about: Point) -> Point {
    control.map_or(about, |control| about + (about - control))
}

impl Place {
    /// The points that belong to the segment itself; its start does not, and neither does the end
    /// of a close.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        let end = (self.command != Command::Close).then_some(self.end);
        [self.control1, self.control2, end].into_iter().flatten()
    }
}

impl Path {
    /// The positions of all segments before the fault.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        self.segments.iter().scan(Pen::START, |pen, segment| {
            let place = pen.place(segment.command, segment.relative, &segment.numbers);
            pen.pass(&place);
            Some(place)
        })
    }
}
