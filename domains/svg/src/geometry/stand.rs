//! A point in the system of a container.

use kurbo::Point;

/// A point in the system of a container, as attributes spell it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stand {
    /// How far to the right.
    pub x: String,
    /// How far down.
    pub y: String,
    /// The point.
    pub point: Point,
}
