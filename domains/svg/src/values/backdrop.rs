//! What is behind a drawing.

use std::fmt;

use fcp::prelude::*;
use fcp::value::Color;

/// A colour behind everything, or none.
#[derive(Clone, Debug, PartialEq)]
pub enum Backdrop {
    /// Nothing.
    None,
    /// A colour.
    Color(Color),
}

impl fmt::Display for Backdrop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Color(color) => color.fmt(f),
        }
    }
}

impl FcpValue for Backdrop {
    const SPEC: ValueSpec = ValueSpec::new("COLOR|none", "a colour, or none");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text == "none" {
            return Ok(Self::None);
        }
        Color::parse(text).map(Self::Color)
    }
}
