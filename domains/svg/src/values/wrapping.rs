//! Wrapping of texts.

use std::fmt;

use fcp::prelude::*;
use fcp::value::{Decimal, Unsigned};

/// The width for wrapping a text's lines, or the end of wrapping.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrapping {
    /// Only at explicit line breaks.
    None,
    /// At a width, as spelled.
    At(Unsigned<Decimal>),
}

impl Wrapping {
    /// The width, if there is one.
    #[must_use]
    pub const fn width(&self) -> Option<&Unsigned<Decimal>> {
        match self {
            Self::None => None,
            Self::At(width) => Some(width),
        }
    }
}

impl fmt::Display for Wrapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::At(width) => width.fmt(f),
        }
    }
}

impl FcpValue for Wrapping {
    const SPEC: ValueSpec = ValueSpec::new("WIDTH", "a number above 0, or none");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text == "none" {
            return Ok(Self::None);
        }
        let width = Unsigned::<Decimal>::parse(text)?;
        if width.get().get() == 0.0 {
            return Err(ValueError::new("leaves no room").fix("200"));
        }
        Ok(Self::At(width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_positive_or_none() {
        assert_eq!(Wrapping::parse("none"), Ok(Wrapping::None));
        let width = Wrapping::parse("90.0").unwrap();
        assert_eq!(width.width().unwrap().to_string(), "90.0");
        assert_eq!(
            Wrapping::parse("0").unwrap_err().fix.as_deref(),
            Some("200")
        );
        assert!(Wrapping::parse("wide").is_err());
    }
}
