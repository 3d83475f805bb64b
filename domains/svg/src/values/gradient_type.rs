//! Kinds of gradients.

use fcp::prelude::*;

/// The direction of a gradient's colours.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
#[fcp(name = "GRADIENT")]
pub enum GradientType {
    /// Along a line.
    Linear,
    /// From a point outwards.
    Radial,
}
