//! Sides of a neighbour.

use fcp::prelude::*;

/// The side of another object that something goes to.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// To its right.
    Right,
    /// To its left.
    Left,
    /// Above it.
    Above,
    /// Below it.
    Below,
}
