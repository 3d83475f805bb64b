//! Target kinds for converting shapes.

use fcp::prelude::*;

/// The element that a shape becomes.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
#[fcp(name = "SHAPE")]
pub enum ShapeKind {
    /// A path.
    Path,
    /// A polygon.
    Polygon,
}

impl ShapeKind {
    /// The plural word.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Path => "paths",
            Self::Polygon => "polygons",
        }
    }
}
