//! Heads of links.

use fcp::prelude::*;

/// The head of a link's arrow.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// A filled triangle.
    #[fcp(alias = "arrow")]
    Triangle,
    /// Two strokes.
    Open,
    /// A filled circle.
    Dot,
    /// A filled square on its corner.
    Diamond,
    /// A line across.
    Bar,
}
