//! Vertical alignment of texts at their points.

use fcp::prelude::*;

/// Which part of a text lies at its point.
#[derive(FcpValue, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Valign {
    /// Its upper edge.
    Top,
    /// Its middle.
    Middle,
    /// Its lower edge.
    Bottom,
}

impl Valign {
    /// Its `dominant-baseline`.
    #[must_use]
    pub const fn baseline(self) -> &'static str {
        match self {
            Self::Top => "text-before-edge",
            Self::Middle => "central",
            Self::Bottom => "text-after-edge",
        }
    }

    /// The alignment of a single line with a `dominant-baseline`, unless that is a baseline for
    /// letters.
    #[must_use]
    pub fn of_baseline(text: &str) -> Option<Self> {
        match text.trim() {
            "text-before-edge" | "before-edge" | "text-top" | "hanging" => Some(Self::Top),
            "central" | "middle" => Some(Self::Middle),
            "text-after-edge" | "after-edge" | "text-bottom" | "ideographic" => Some(Self::Bottom),
            _ => None,
        }
    }

    /// The share of further lines that is above the point.
    #[must_use]
    pub const fn above(self) -> f64 {
        match self {
            Self::Top => 0.0,
            Self::Middle => 0.5,
            Self::Bottom => 1.0,
        }
    }
}
