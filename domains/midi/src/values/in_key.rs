//! The scale that something moves in.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec};

use super::scale::Scale;

/// A scale, or `key`: that of the key in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InKey {
    /// The key in force where the note stands.
    Here,
    /// This one.
    Scale(Scale),
}

impl fmt::Display for InKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Here => f.write_str("key"),
            Self::Scale(scale) => scale.fmt(f),
        }
    }
}

impl FcpValue for InKey {
    const SPEC: ValueSpec =
        ValueSpec::new("SCALE", "key, for the one in force, or A-minor, D-dorian");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.eq_ignore_ascii_case("key") {
            return Ok(Self::Here);
        }
        Scale::parse(text).map(Self::Scale)
    }
}
