//! Fitting of pictures to their frames.

use fcp::prelude::*;

/// The fit of a picture in its frame.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// All of it is seen.
    Meet,
    /// The frame is filled; the rest is cut off.
    Slice,
    /// It is stretched.
    None,
}

impl Fit {
    /// Its `preserveAspectRatio`.
    #[must_use]
    pub const fn ratio(self) -> &'static str {
        match self {
            Self::Meet => "xMidYMid meet",
            Self::Slice => "xMidYMid slice",
            Self::None => "none",
        }
    }
}
