//! Points in the coordinate system of a container.

use kurbo::Point;

/// A point in the coordinate system of a container, as attributes spell it.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalPoint {
    /// Its x coordinate.
    pub x: String,
    /// Its y coordinate.
    pub y: String,
    /// The point.
    pub point: Point,
}
