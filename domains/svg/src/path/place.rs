//! Where segments lie: points counted from the origin, whatever the text says.

use kurbo::{Point, Vec2};

use super::{Command, MOST, Path};

/// An arc's ellipse and which part of it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArcShape {
    /// Half the axes, as written; too small ones grow when drawn.
    pub radii: Vec2,
    /// Degrees by which the ellipse is turned.
    pub rotation: f64,
    /// The longer way round.
    pub large: bool,
    /// Clockwise as seen, with y down.
    pub sweep: bool,
}

/// A segment's points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// What it draws.
    pub command: Command,
    /// Where the one before ended.
    pub start: Point,
    /// The first control, or the only one; a smooth segment's too.
    pub control1: Option<Point>,
    /// The second control of a cubic.
    pub control2: Option<Point>,
    /// The ellipse of an arc.
    pub arc: Option<ArcShape>,
    /// Where it ends; for a close, where the subpath began.
    pub end: Point,
}

/// What a segment has from those before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    /// Where the one before ended.
    pub at: Point,
    /// Where the subpath began.
    pub begun: Point,
    /// The last control of a cubic before.
    cubic: Option<Point>,
    /// The control of a quadratic before.
    quadratic: Option<Point>,
}

impl Pen {
    /// Before the first segment.
    pub const START: Self = Self {
        at: Point::ZERO,
        begun: Point::ZERO,
        cubic: None,
        quadratic: None,
    };

    /// Where the next smooth cubic has its first control.
    pub fn mirrored_cubic(&self) -> Point {
        mirrored(self.cubic, self.at)
    }

    /// Where the next smooth quadratic has its control.
    pub fn mirrored_quadratic(&self) -> Point {
        mirrored(self.quadratic, self.at)
    }

    /// Where a segment lies that is written so.
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

    /// Goes on behind a segment.
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
    /// The line, curve or arc moved as a whole would be another; this is each point it has of its own.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        let end = (self.command != Command::Close).then_some(self.end);
        [self.control1, self.control2, end].into_iter().flatten()
    }
}

impl Path {
    /// Where every segment before the fault lies.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        self.segments.iter().scan(Pen::START, |pen, segment| {
            let place = pen.place(segment.command, segment.relative, &segment.numbers);
            pen.pass(&place);
            Some(place)
        })
    }
}
