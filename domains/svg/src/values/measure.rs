//! Units of the numbers in a definition.

use fcp::prelude::*;

/// The frame that a definition's numbers refer to (SVG 2, section 8.11).
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Parts of the box of what uses it.
    #[fcp(alias = "objectBoundingBox", alias = "box")]
    Object,
    /// Units of what uses it.
    #[fcp(alias = "userSpaceOnUse", alias = "canvas")]
    User,
}

impl Measure {
    /// Its name in a file.
    #[must_use]
    pub const fn written(self) -> &'static str {
        match self {
            Self::Object => "objectBoundingBox",
            Self::User => "userSpaceOnUse",
        }
    }
}
