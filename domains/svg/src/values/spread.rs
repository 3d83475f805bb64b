//! Continuation of gradients beyond their ends.

use fcp::prelude::*;

/// The colours beyond the ends of a gradient (SVG 2, section 14.2.2).
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// The colours of the ends.
    Pad,
    /// The gradient backwards, then forwards again.
    Reflect,
    /// The gradient again.
    Repeat,
}
