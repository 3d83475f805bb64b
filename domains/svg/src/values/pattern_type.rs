//! Kinds of patterns.

use fcp::prelude::*;

/// The motif of a pattern.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
#[fcp(name = "PATTERN")]
pub enum PatternType {
    /// A dot.
    Dots,
    /// A line across.
    #[fcp(alias = "lines")]
    Stripes,
    /// Two lines, across and down.
    Grid,
    /// Two squares, as on a chessboard.
    #[fcp(alias = "checkerboard")]
    Checks,
    /// A slanted line.
    #[fcp(alias = "diagonal")]
    Hatch,
    /// Two slanted lines that cross.
    Crosshatch,
}
