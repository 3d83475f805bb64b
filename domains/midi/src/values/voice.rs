//! Voices, the value of `@voice`.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};

use super::number::within;

/// A voice: one of the notes that start together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Voice {
    /// The highest.
    Top,
    /// The lowest.
    Bottom,
    /// The note at a number from the top, from 1.
    Number(u8),
}

impl fmt::Display for Voice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Top => f.write_str("top"),
            Self::Bottom => f.write_str("bottom"),
            Self::Number(n) => n.fmt(f),
        }
    }
}

impl FcpValue for Voice {
    const SPEC: ValueSpec =
        ValueSpec::new("VOICE", "top, bottom, or 2 for the second from the top");

    fn parse(text: &str) -> Result<Self, ValueError> {
        match &*text.to_ascii_lowercase() {
            "top" | "highest" => return Ok(Self::Top),
            "bottom" | "lowest" => return Ok(Self::Bottom),
            _ => {}
        }
        match within(text, 1, 127) {
            Some(number) => number.map(Self::Number),
            None => {
                let near = nearest_word(text, ["top", "bottom"]);
                Err(ValueError::new("is not top, bottom or a number from 1").maybe_fix(near))
            }
        }
    }
}
