//! Path data: segments with their byte ranges, and edits that keep all other bytes.
//! Outlines of elements are in `geometry`.
//!
//! An edit sets the geometry of each segment. A segment keeps its text if that still gives this
//! geometry. If not, because it is relative, smooth, or shares the letter of the previous one, it
//! gets a letter or new numbers and nothing more. So an edit affects at most the next segment. The
//! end of a close is the point of its move; if the move changes, the segment after the close is
//! affected too.

mod draw;
mod edit;
mod geometry;
mod parse;
mod place;
mod respell;
mod reverse;
mod split;
mod write;

use std::fmt;
use std::ops::Range;

use kurbo::Point;

pub use draw::{Draw, Target};
pub use edit::{Handles, PathPoint};
pub use place::{ArcShape, Place};

/// The kind of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `M`: begins a subpath.
    Move,
    /// `L`
    Line,
    /// `H`
    Horizontal,
    /// `V`
    Vertical,
    /// `C`: two controls.
    Cubic,
    /// `S`: the first control mirrors the previous one.
    SmoothCubic,
    /// `Q`: one control.
    Quadratic,
    /// `T`: the control mirrors the previous one.
    SmoothQuadratic,
    /// `A`
    Arc,
    /// `Z`: back to the start of the subpath.
    Close,
}

impl Command {
    const fn of_letter(letter: u8) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            b'M' => Self::Move,
            b'L' => Self::Line,
            b'H' => Self::Horizontal,
            b'V' => Self::Vertical,
            b'C' => Self::Cubic,
            b'S' => Self::SmoothCubic,
            b'Q' => Self::Quadratic,
            b'T' => Self::SmoothQuadratic,
            b'A' => Self::Arc,
            b'Z' => Self::Close,
            _ => return None,
        })
    }

    /// The letter, in uppercase.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Move => 'M',
            Self::Line => 'L',
            Self::Horizontal => 'H',
            Self::Vertical => 'V',
            Self::Cubic => 'C',
            Self::SmoothCubic => 'S',
            Self::Quadratic => 'Q',
            Self::SmoothQuadratic => 'T',
            Self::Arc => 'A',
            Self::Close => 'Z',
        }
    }

    /// The number of its numbers.
    #[must_use]
    pub const fn arity(self) -> usize {
        match self {
            Self::Close => 0,
            Self::Horizontal | Self::Vertical => 1,
            Self::Move | Self::Line | Self::SmoothQuadratic => 2,
            Self::SmoothCubic | Self::Quadratic => 4,
            Self::Cubic => 6,
            Self::Arc => 7,
        }
    }

    /// The command of a segment without a letter after this one.
    const fn repeated(self) -> Option<Self> {
        match self {
            Self::Move => Some(Self::Line),
            Self::Close => None,
            other => Some(other),
        }
    }
}

/// The most numbers in a segment.
const MOST: usize = 7;

/// A segment as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// Its command.
    pub command: Command,
    /// Whether its points are relative to the end of the previous segment.
    pub relative: bool,
    /// Whether it has its own letter.
    pub lettered: bool,
    /// Its bytes, from the letter to the last number.
    pub span: Range<usize>,
    numbers: [f64; MOST],
}

impl Segment {
    /// Its numbers as written; the flags of an arc are 0 and 1.
    #[must_use]
    pub fn numbers(&self) -> &[f64] {
        self.numbers.get(..self.command.arity()).unwrap_or_default()
    }

    /// Its letter, lowercase if it is relative.
    #[must_use]
    pub const fn letter(&self) -> char {
        let letter = self.command.letter();
        if self.relative {
            letter.to_ascii_lowercase()
        } else {
            letter
        }
    }
}

/// The position of the first fault in path data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The segment that could not be read, counted from 1.
    pub segment: usize,
    /// The column of the wrong character, counted from 1; one past the last if something is
    /// missing.
    pub column: usize,
    /// The byte offset of that character.
    pub at: usize,
    /// The problem there.
    pub problem: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            segment,
            column,
            problem,
            ..
        } = self;
        write!(f, "segment {segment}, column {column}: {problem}")
    }
}

/// Path data, read up to its first fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    text: String,
    segments: Vec<Segment>,
    fault: Option<Fault>,
}

impl Path {
    /// Reads path data up to its first fault. The part before the fault can be drawn and edited.
    pub fn parse(text: impl Into<String>) -> Self {
        let text = text.into();
        let (segments, fault) = parse::parse(&text);
        Self {
            text,
            segments,
            fault,
        }
    }

    /// Reads path data with at least one segment and no fault.
    ///
    /// # Errors
    /// The first fault.
    pub fn checked(text: impl Into<String>) -> Result<Self, Fault> {
        let path = Self::parse(text);
        match path.fault {
            Some(fault) => Err(fault),
            None if path.segments.is_empty() => Err(Fault {
                segment: 1,
                column: 1,
                at: 0,
                problem: "path data begins with M",
            }),
            None => Ok(path),
        }
    }

    /// The source text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The segments before the fault.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The first fault, if there is one.
    #[must_use]
    pub const fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// The index of segment `n`, counted from 1.
    fn index(&self, n: usize) -> Result<usize, PathError> {
        let count = self.segments.len();
        match n.checked_sub(1) {
            Some(index) if index < count => Ok(index),
            _ => Err(PathError::NoSegment { count }),
        }
    }

    /// The bytes between the segment at `index` and the previous one.
    fn gap(&self, index: usize) -> &str {
        let from = index
            .checked_sub(1)
            .and_then(|before| self.segments.get(before))
            .map_or(0, |before| before.span.end);
        let to = self
            .segments
            .get(index)
            .map_or(from, |segment| segment.span.start);
        self.text.get(from..to).unwrap_or_default()
    }

    /// The bytes of the segment at `index`.
    fn spelling(&self, index: usize) -> &str {
        let span = self.segments.get(index).map(|segment| segment.span.clone());
        span.and_then(|span| self.text.get(span))
            .unwrap_or_default()
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

/// The reason why an edit of a path fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathError {
    /// There is no such segment.
    NoSegment {
        /// The number of segments.
        count: usize,
    },
    /// The segment has no such point: a line has no control, and a close has no end of its own.
    NoPoint {
        /// The letter of the segment.
        letter: char,
        /// The requested point.
        point: PathPoint,
    },
    /// The first segment would not be a move.
    NoMove,
    /// No segment would be left.
    Nothing,
    /// A segment that cannot be split: a move, or one without a curve or a length.
    Unsplit {
        /// The letter of the segment.
        letter: char,
    },
    /// The split is not inside the segment, above 0 and below 1.
    Outside,
    /// A number is not finite or is beyond 10⁹.
    Range,
    /// An arc's radius is not above 0.
    Radius,
    /// Text after the fault would be read as something else.
    Fault(Fault),
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSegment { count: 1 } => f.write_str("has 1 segment"),
            Self::NoSegment { count } => write!(f, "has {count} segments"),
            Self::NoPoint { letter, point } => write!(f, "segment {letter} has no {point}"),
            Self::NoMove => f.write_str("path data begins with a move"),
            Self::Nothing => f.write_str("no segment would be left"),
            Self::Unsplit { letter } => write!(f, "segment {letter} cannot be split"),
            Self::Outside => f.write_str("t must be above 0 and below 1"),
            Self::Range => f.write_str("a number is out of range"),
            Self::Radius => f.write_str("a radius must be above 0"),
            Self::Fault(fault) => write!(f, "path data is broken at {fault}"),
        }
    }
}

impl std::error::Error for PathError {}

/// Checks that an op may write a point: finite, and at most 10⁹ from the origin along each axis.
fn check_point(point: Point) -> Result<Point, PathError> {
    let fits = |n: f64| n.abs() <= 1e9;
    if fits(point.x) && fits(point.y) {
        Ok(point)
    } else {
        Err(PathError::Range)
    }
}
