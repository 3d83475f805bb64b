//! Shapes in definitions.

use fcp::prelude::*;

/// A shape that its box defines.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
#[fcp(name = "SHAPE")]
pub enum ShapeType {
    /// A rectangle.
    #[fcp(alias = "rectangle")]
    Rect,
    /// A circle.
    Circle,
    /// An ellipse.
    Ellipse,
}
