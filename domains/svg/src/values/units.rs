//! Units of a drawing's size.

use fcp::prelude::*;

/// The unit of a drawing's width and height (CSS Values 4, section 6.2).
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Units {
    /// Pixels, 96 to an inch.
    Px,
    /// Millimetres.
    Mm,
    /// Inches.
    In,
}

impl Units {
    /// The suffix of a number.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Px => "",
            Self::Mm => "mm",
            Self::In => "in",
        }
    }
}
