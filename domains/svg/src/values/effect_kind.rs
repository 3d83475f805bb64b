//! Effects of filters.

use fcp::prelude::*;

/// The effect of a filter.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
#[fcp(name = "EFFECT")]
pub enum EffectKind {
    /// Blurs: `std-dev`.
    #[fcp(alias = "blur")]
    GaussianBlur,
    /// A shadow behind: `offset`, `std-dev`, `color`, `opacity`.
    #[fcp(alias = "shadow")]
    DropShadow,
    /// A shine around: `std-dev`, `color`, `opacity`.
    Glow,
    /// A shadow that the edge throws inwards: `offset`, `std-dev`, `color`, `opacity`.
    InnerShadow,
    /// A line around: `width`, `color`, `opacity`.
    Outline,
    /// Takes colour away: `amount`, 0 to 1.
    Grayscale,
    /// Browns: `amount`, 0 to 1.
    Sepia,
    /// Makes colours duller below 1, stronger above: `amount`.
    Saturate,
    /// Darker below 1, brighter above: `amount`.
    Brightness,
    /// Less below 1, more above: `amount`.
    Contrast,
    /// Turns colours into their opposites: `amount`, 0 to 1.
    Invert,
    /// Turns colours around the wheel: `angle`.
    HueRotate,
    /// Grain over it: `frequency`, `octaves`, `seed`, `amount`, 0 to 1.
    Noise,
}
