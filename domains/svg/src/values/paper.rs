//! Sizes of paper.

use fcp::prelude::*;

/// Sizes of paper: ISO 216, and those of ANSI/ASME Y14.1 that are called by name.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// 297x420 mm.
    A3,
    /// 210x297 mm.
    A4,
    /// 148x210 mm.
    A5,
    /// 8.5x11 in.
    Letter,
    /// 8.5x14 in.
    Legal,
}

impl Paper {
    /// Width and height in portrait orientation, in millimetres.
    #[must_use]
    pub const fn millimetres(self) -> (f64, f64) {
        match self {
            Self::A3 => (297.0, 420.0),
            Self::A4 => (210.0, 297.0),
            Self::A5 => (148.0, 210.0),
            Self::Letter => (215.9, 279.4),
            Self::Legal => (215.9, 355.6),
        }
    }
}
