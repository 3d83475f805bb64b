//! The two directions of a canvas.

use fcp::prelude::*;

/// Across or down.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
#[fcp(name = "H|V")]
pub enum Axis {
    /// Across.
    #[fcp(alias = "horizontal", alias = "x")]
    H,
    /// Down.
    #[fcp(alias = "vertical", alias = "y")]
    V,
}
