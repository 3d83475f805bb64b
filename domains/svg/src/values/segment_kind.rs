//! Kinds of segments in ops.

use fcp::prelude::*;

/// The kind of line of a segment.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
#[fcp(name = "KIND")]
pub enum SegmentKind {
    /// Nothing: it begins a subpath.
    Move,
    /// A line.
    Line,
    /// A curve with one control or two.
    Curve,
    /// A curve that goes on smoothly.
    Smooth,
    /// Part of an ellipse.
    Arc,
    /// A line back to where the subpath began.
    Close,
}
