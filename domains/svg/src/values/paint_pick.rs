//! Paints in selectors.

use std::fmt;

use fcp::value::{Color, FcpValue, ValueError, ValueSpec};

use crate::syntax::href::url_id;
use crate::syntax::id::is_legal;
use crate::syntax::paint::Paint;

/// The paints that a selector matches.
#[derive(Clone, Debug, PartialEq)]
pub enum PaintPick {
    /// This colour, in any spelling.
    Color(Color),
    /// `none`, `context-fill`, `context-stroke`.
    Word(&'static str),
    /// Any gradient, or the one with an id.
    Gradient(Option<String>),
    /// Any pattern, or the one with an id.
    Pattern(Option<String>),
    /// A reference to this id, of any kind.
    Url(String),
}

impl fmt::Display for PaintPick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Color(color) => color.fmt(f),
            Self::Word(word) => f.write_str(word),
            Self::Gradient(None) => f.write_str("gradient"),
            Self::Gradient(Some(id)) => write!(f, "gradient:{id}"),
            Self::Pattern(None) => f.write_str("pattern"),
            Self::Pattern(Some(id)) => write!(f, "pattern:{id}"),
            Self::Url(id) => write!(f, "url(#{id})"),
        }
    }
}

impl FcpValue for PaintPick {
    const SPEC: ValueSpec = ValueSpec::new("PAINT", "a colour, none, gradient[:ID], pattern[:ID]");

    fn parse(text: &str) -> Result<Self, ValueError> {
        match text {
            "gradient" => return Ok(Self::Gradient(None)),
            "pattern" => return Ok(Self::Pattern(None)),
            _ => {}
        }
        if let Some(id) = url_id(text).filter(|id| is_legal(id)) {
            return Ok(Self::Url(id.to_owned()));
        }
        Ok(match Paint::parse(text)? {
            Paint::None => Self::Word("none"),
            Paint::ContextFill => Self::Word("context-fill"),
            Paint::ContextStroke => Self::Word("context-stroke"),
            Paint::Color(color) => Self::Color(color),
            Paint::Gradient(id) => Self::Gradient(Some(id)),
            Paint::Pattern(id) => Self::Pattern(Some(id)),
            Paint::Url { id, .. } => Self::Url(id),
        })
    }
}
