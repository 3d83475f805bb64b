//! Routes of links.

use fcp::prelude::*;

/// The way that a link takes.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// One line from side to side.
    Straight,
    /// Lines across and down.
    Elbow,
    /// A curve that leaves and meets its ends at a right angle.
    Curve,
}
