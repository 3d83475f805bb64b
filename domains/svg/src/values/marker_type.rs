//! Kinds of markers.

use fcp::prelude::*;

/// The picture at the ends or corners of lines.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
#[fcp(name = "MARKER")]
pub enum MarkerType {
    /// A full arrowhead.
    #[fcp(alias = "arrow")]
    Triangle,
    /// An arrowhead of two lines.
    #[fcp(alias = "open-arrow", alias = "chevron")]
    Open,
    /// A circle.
    #[fcp(alias = "circle")]
    Dot,
    /// A square.
    Square,
    /// A square on its corner.
    Diamond,
    /// A line across.
    #[fcp(alias = "tick")]
    Bar,
}
