//! Kinds of gradients.

use fcp::prelude::*;

/// How the colours of a gradient follow each other.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
#[fcp(name = "GRADIENT")]
pub enum GradientType {
    /// Along a line.
    Linear,
    /// From a point outwards.
    Radial,
}
