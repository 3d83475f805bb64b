//! Sides where links end.

use fcp::prelude::*;
use kurbo::{Point, Rect, Vec2};

/// The side of an object that a link meets.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The left side.
    Left,
    /// The right side.
    Right,
    /// The upper side.
    Top,
    /// The lower side.
    Bottom,
}

impl Edge {
    /// The middle of this side of a box.
    #[must_use]
    pub fn of(self, frame: Rect) -> Point {
        let center = frame.center();
        match self {
            Self::Left => Point::new(frame.x0, center.y),
            Self::Right => Point::new(frame.x1, center.y),
            Self::Top => Point::new(center.x, frame.y0),
            Self::Bottom => Point::new(center.x, frame.y1),
        }
    }

    /// The direction out of a box through this side, with length 1.
    #[must_use]
    pub const fn outward(self) -> Vec2 {
        match self {
            Self::Left => Vec2::new(-1.0, 0.0),
            Self::Right => Vec2::new(1.0, 0.0),
            Self::Top => Vec2::new(0.0, -1.0),
            Self::Bottom => Vec2::new(0.0, 1.0),
        }
    }

    /// Whether this direction is along x.
    #[must_use]
    pub const fn is_across(self) -> bool {
        matches!(self, Self::Left | Self::Right)
    }
}
