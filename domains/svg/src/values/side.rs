//! Sides of boxes.

use fcp::prelude::*;
use kurbo::Rect;

/// A side of a box, or its middle along one axis.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The left side.
    Left,
    /// The right side.
    Right,
    /// The upper side.
    Top,
    /// The lower side.
    Bottom,
    /// Halfway across.
    Center,
    /// Halfway down.
    Middle,
}

impl Side {
    /// Its coordinate on a box, along its axis.
    #[must_use]
    pub fn of(self, frame: Rect) -> f64 {
        match self {
            Self::Left => frame.x0,
            Self::Right => frame.x1,
            Self::Top => frame.y0,
            Self::Bottom => frame.y1,
            Self::Center => frame.center().x,
            Self::Middle => frame.center().y,
        }
    }

    /// Whether it is an x coordinate.
    #[must_use]
    pub const fn is_across(self) -> bool {
        matches!(self, Self::Left | Self::Right | Self::Center)
    }
}
