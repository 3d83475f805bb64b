//! The points of polygons and polylines, with their byte ranges.

use std::fmt;
use std::ops::Range;

use kurbo::{Point, Vec2};

use crate::syntax::number::{
    respell, scan, skip_blanks, skip_separator, spell_given, spell_within,
};

/// A point as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Vertex {
    /// Its position.
    pub point: Point,
    /// The bytes of its first number.
    pub x: Range<usize>,
    /// The bytes of its second number.
    pub y: Range<usize>,
}

/// A list of points, read up to its first fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    text: String,
    vertices: Vec<Vertex>,
    fault: Option<PointsFault>,
}

/// The position of the first fault in a list of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointsFault {
    /// The column of the wrong character, counted from 1; one past the last if a number is missing.
    pub column: usize,
    /// The byte offset of that character.
    pub at: usize,
    /// Whether the count of numbers is odd.
    pub odd: bool,
}

impl fmt::Display for PointsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { column, odd, .. } = self;
        if *odd {
            write!(f, "column {column}: the last point has no y")
        } else {
            write!(f, "column {column}: this is not a number")
        }
    }
}

/// The reason why an edit of points fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PointsError {
    /// There is no such point.
    NoPoint {
        /// The number of points.
        count: usize,
    },
    /// A number is not finite or is beyond 10⁹.
    Range,
    /// Text after the fault would be read as points.
    Fault(PointsFault),
}

impl fmt::Display for PointsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPoint { count: 1 } => f.write_str("has 1 point"),
            Self::NoPoint { count } => write!(f, "has {count} points"),
            Self::Range => f.write_str("a number is out of range"),
            Self::Fault(fault) => write!(f, "points are broken at {fault}"),
        }
    }
}

impl std::error::Error for PointsError {}

impl Points {
    /// Reads points up to the first fault, as they are drawn. An unpaired last number is a fault.
    pub fn parse(text: impl Into<String>) -> Self {
        let text = text.into();
        let mut vertices: Vec<Vertex> = Vec::new();
        let mut at = skip_blanks(&text, 0);
        let mut fault = None;
        while at < text.len() {
            let Some(x) = scan(&text, at) else {
                fault = Some((at, false));
                break;
            };
            let next = skip_separator(&text, x.span.end);
            let Some(y) = scan(&text, next) else {
                fault = Some((next, next >= text.len()));
                break;
            };
            at = skip_separator(&text, y.span.end);
            vertices.push(Vertex {
                point: Point::new(x.value, y.value),
                x: x.span,
                y: y.span,
            });
        }
        let fault = fault.map(|(at, odd)| PointsFault {
            column: text.get(..at).unwrap_or(&text).chars().count() + 1,
            at,
            odd,
        });
        Self {
            text,
            vertices,
            fault,
        }
    }

    /// Reads points without faults.
    ///
    /// # Errors
    /// The first fault.
    pub fn checked(text: impl Into<String>) -> Result<Self, PointsFault> {
        let points = Self::parse(text);
        points.fault.clone().map_or(Ok(points), Err)
    }

    /// The text of the list.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The points before the fault.
    #[must_use]
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// The first fault, if there is one.
    #[must_use]
    pub const fn fault(&self) -> Option<&PointsFault> {
        self.fault.as_ref()
    }

    /// Adds a point before point `before`, counted from 1, or at the end.
    ///
    /// # Errors
    /// If there is no such point, a number is out of range, or text after a fault would be read as
    /// points.
    pub fn add(&self, point: Point, before: Option<usize>) -> Result<String, PointsError> {
        let point = check(point)?;
        let index = before.map_or(Ok(self.vertices.len()), |n| self.index(n))?;
        let pair = format!(
            "{}{}{}",
            spell_given(point.x),
            self.within(),
            spell_given(point.y)
        );
        let between = self.between();
        let written = match (self.vertices.get(index), self.vertices.last()) {
            (Some(next), _) => {
                self.replaced(next.x.start..next.x.start, &format!("{pair}{between}"))
            }
            (None, Some(last)) => {
                self.replaced(last.y.end..last.y.end, &format!("{between}{pair}"))
            }
            (None, None) => {
                let at = skip_blanks(&self.text, 0);
                let blank = if self.fault.is_some() { " " } else { "" };
                self.replaced(at..at, &format!("{pair}{blank}"))
            }
        };
        self.settled(written, self.vertices.len() + 1)
    }

    /// Moves point `n`, counted from 1, to another place. A coordinate that does not change keeps its spelling.
    ///
    /// # Errors
    /// Like [`add`](Self::add).
    pub fn move_to(&self, n: usize, to: Point) -> Result<String, PointsError> {
        let to = check(to)?;
        self.moved(n, to, |value, _| spell_given(value))
    }

    /// Moves point `n`, counted from 1, by a vector.
    ///
    /// # Errors
    /// Like [`add`](Self::add).
    pub fn move_by(&self, n: usize, by: Vec2) -> Result<String, PointsError> {
        let old = self.vertex(n)?.point;
        let to = check(old + by)?;
        // Drops the rounding noise of the sum.
        self.moved(n, to, |value, old| {
            spell_within(value, 4.0 * f64::EPSILON * (value.abs() + old.abs()))
        })
    }

    /// Removes point `n`, counted from 1, with the separator after it, or the one before it if it
    /// is the last.
    ///
    /// # Errors
    /// Like [`add`](Self::add).
    pub fn remove(&self, n: usize) -> Result<String, PointsError> {
        let vertex = self.vertex(n)?;
        let next = self.vertices.get(n);
        let before = n.checked_sub(2).and_then(|index| self.vertices.get(index));
        let span = match (next, before) {
            (Some(next), _) => vertex.x.start..next.x.start,
            (None, Some(before)) => before.y.end..vertex.y.end,
            (None, None) => vertex.x.start..vertex.y.end,
        };
        // Neighbours without a separator need a space.
        let glued = before.is_some_and(|before| before.y.end == span.start)
            && next.is_some_and(|next| {
                let begins = self.text.get(next.x.clone()).unwrap_or_default();
                !begins.starts_with(['+', '-'])
            });
        let written = self.replaced(span, if glued { " " } else { "" });
        self.settled(written, self.vertices.len() - 1)
    }

    fn moved(
        &self,
        n: usize,
        to: Point,
        spell: impl Fn(f64, f64) -> String,
    ) -> Result<String, PointsError> {
        let Vertex { point, x, y } = self.vertex(n)?;
        let mut text = self.text.clone();
        // The later number first, so that the earlier byte range stays valid.
        if point.y != to.y {
            text = respell(&text, y, &spell(to.y, point.y));
        }
        if point.x != to.x {
            text = respell(&text, x, &spell(to.x, point.x));
        }
        self.settled(text, self.vertices.len())
    }

    fn replaced(&self, span: Range<usize>, with: &str) -> String {
        let before = self.text.get(..span.start).unwrap_or_default();
        let after = self.text.get(span.end..).unwrap_or_default();
        [before, with, after].concat()
    }

    /// Returns the text if it has the expected count of points.
    fn settled(&self, text: String, count: usize) -> Result<String, PointsError> {
        match &self.fault {
            Some(fault) if Self::parse(text.as_str()).vertices.len() != count => {
                Err(PointsError::Fault(fault.clone()))
            }
            _ => Ok(text),
        }
    }

    fn index(&self, n: usize) -> Result<usize, PointsError> {
        let count = self.vertices.len();
        match n.checked_sub(1) {
            Some(index) if index < count => Ok(index),
            _ => Err(PointsError::NoPoint { count }),
        }
    }

    fn vertex(&self, n: usize) -> Result<&Vertex, PointsError> {
        let missing = PointsError::NoPoint {
            count: self.vertices.len(),
        };
        self.vertices.get(self.index(n)?).ok_or(missing)
    }

    /// The separator between the two numbers of the first point.
    fn within(&self) -> &str {
        let gap = self
            .vertices
            .first()
            .and_then(|first| self.text.get(first.x.end..first.y.start));
        gap.filter(|gap| !gap.is_empty()).unwrap_or(",")
    }

    /// The separator between the first two points.
    fn between(&self) -> &str {
        let mut pair = self.vertices.iter();
        let gap = match (pair.next(), pair.next()) {
            (Some(one), Some(two)) => self.text.get(one.y.end..two.x.start),
            _ => None,
        };
        gap.filter(|gap| !gap.is_empty()).unwrap_or(" ")
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

fn check(point: Point) -> Result<Point, PointsError> {
    let fits = |n: f64| n.abs() <= 1e9;
    if fits(point.x) && fits(point.y) {
        Ok(point)
    } else {
        Err(PointsError::Range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(result: Result<String, PointsError>) -> String {
        result.unwrap_or_else(|error| format!("! {error}"))
    }

    #[test]
    fn a_point_is_edited_and_the_rest_keeps_its_bytes() {
        let p = Points::parse(" 0,0  +10,5 1e1,.5 ");
        let at = Point::new(7.5, 8.0);
        for (have, wanted) in [
            (p.add(at, None), " 0,0  +10,5 1e1,.5  7.5,8 "),
            (p.add(at, Some(1)), " 7.5,8  0,0  +10,5 1e1,.5 "),
            (p.add(at, Some(3)), " 0,0  +10,5 7.5,8  1e1,.5 "),
            (p.add(at, Some(4)), "! has 3 points"),
            (
                p.add(Point::new(f64::INFINITY, 0.0), None),
                "! a number is out of range",
            ),
            (p.move_to(2, Point::new(10.0, 6.0)), " 0,0  +10,6 1e1,.5 "),
            (p.move_by(3, Vec2::new(0.1, 0.2)), " 0,0  +10,5 10.1,0.7 "),
            (p.move_by(4, Vec2::ZERO), "! has 3 points"),
            (p.remove(1), " +10,5 1e1,.5 "),
            (p.remove(2), " 0,0  1e1,.5 "),
            (p.remove(3), " 0,0  +10,5 "),
            (p.remove(0), "! has 3 points"),
        ] {
            assert_eq!(outcome(have), wanted);
        }
        let glued = Points::parse("1.5.5.25-3-4-5");
        assert_eq!(glued.vertices().len(), 3);
        assert_eq!(outcome(glued.remove(2)), "1.5.5-4-5");
        assert_eq!(
            outcome(glued.move_to(1, Point::new(2.0, 3.0))),
            "2 3 .25-3-4-5"
        );
        let run = Points::parse("1 1.5.5.5 3 3");
        assert_eq!(outcome(run.remove(2)), "1 1.5 3 3");
        assert_eq!(outcome(Points::parse("").add(at, None)), "7.5,8");
        assert_eq!(outcome(Points::parse("1,2").remove(1)), "");
    }

    #[test]
    fn points_are_read_to_the_fault_and_edited_before_it() {
        for (text, count, fault) in [
            ("0,0 10,5 3", 2, "column 11: the last point has no y"),
            ("0,0 10,x", 1, "column 8: this is not a number"),
            ("0 0,,1 1", 1, "column 5: this is not a number"),
            ("x", 0, "column 1: this is not a number"),
        ] {
            let points = Points::parse(text);
            assert_eq!(points.vertices().len(), count, "{text}");
            assert_eq!(points.fault().unwrap().to_string(), fault, "{text}");
            assert!(Points::checked(text).is_err());
        }
        assert!(Points::checked("0,0 10,5,").is_ok());
        let odd = Points::parse("0,0 1,1 2");
        assert_eq!(
            outcome(odd.add(Point::new(5.0, 6.0), None)),
            "0,0 1,1 5,6 2"
        );
        assert_eq!(outcome(odd.move_to(1, Point::new(5.0, 0.0))), "5,0 1,1 2");
    }
}
