//! Easing of animations.

use fcp::prelude::*;

/// The easing of an animation (CSS Easing 1, section 2).
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ease {
    /// Evenly.
    Linear,
    /// Gathers speed soon, loses it slowly.
    #[fcp(word = "ease")]
    Smooth,
    /// Gathers speed.
    #[fcp(alias = "ease-in")]
    In,
    /// Loses speed.
    #[fcp(alias = "ease-out")]
    Out,
    /// Gathers speed and loses it.
    #[fcp(alias = "ease-in-out")]
    InOut,
    /// Leaps from value to value.
    Discrete,
}

impl Ease {
    /// The control points of its curve from 0,0 to 1,1; `None` if that is straight, or it jumps.
    #[must_use]
    pub const fn spline(self) -> Option<&'static str> {
        match self {
            Self::Linear | Self::Discrete => None,
            Self::Smooth => Some("0.25 0.1 0.25 1"),
            Self::In => Some("0.42 0 1 1"),
            Self::Out => Some("0 0 0.58 1"),
            Self::InOut => Some("0.42 0 0.58 1"),
        }
    }
}
