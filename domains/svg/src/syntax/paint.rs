//! Paints of fills and strokes.

use std::fmt;

use fcp::value::{Color, FcpValue, ValueError, ValueSpec, nearest_word};

use crate::syntax::href::{url_id, urls};
use crate::syntax::id::{is_legal, mended};

/// A paint as it was spelled. The document determines whether its reference resolves.
#[derive(Clone, Debug, PartialEq)]
pub enum Paint {
    /// `none`
    None,
    /// A colour.
    Color(Color),
    /// `gradient:ID`
    Gradient(String),
    /// `pattern:ID`
    Pattern(String),
    /// `url(#ID)`, with its fallback.
    Url {
        /// The referenced id.
        id: String,
        /// The paint as it was spelled.
        text: String,
    },
    /// `context-fill`: the fill of the element that uses the shape.
    ContextFill,
    /// `context-stroke`: the stroke of the element that uses the shape.
    ContextStroke,
}

impl Paint {
    /// The paint as a file spells it: `url(#sunset)` for `gradient:sunset`.
    #[must_use]
    pub fn written(&self) -> String {
        match self {
            Self::Gradient(id) | Self::Pattern(id) => format!("url(#{id})"),
            other => other.to_string(),
        }
    }

    /// The referenced id.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Gradient(id) | Self::Pattern(id) | Self::Url { id, .. } => Some(id),
            _ => None,
        }
    }
}

impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Color(color) => color.fmt(f),
            Self::Gradient(id) => write!(f, "gradient:{id}"),
            Self::Pattern(id) => write!(f, "pattern:{id}"),
            Self::Url { text, .. } => f.write_str(text),
            Self::ContextFill => f.write_str("context-fill"),
            Self::ContextStroke => f.write_str("context-stroke"),
        }
    }
}

impl FcpValue for Paint {
    const SPEC: ValueSpec = ValueSpec {
        prefixes: &["gradient", "pattern"],
        ..ValueSpec::new("PAINT", "a colour, none, gradient:ID, pattern:ID, url(#ID)")
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        match text {
            "none" => return Ok(Self::None),
            "context-fill" => return Ok(Self::ContextFill),
            "context-stroke" => return Ok(Self::ContextStroke),
            _ => {}
        }
        if let Some((kind, id)) = text.split_once(':') {
            let known = nearest_word(kind, ["gradient", "pattern"]);
            return match (kind, is_legal(id)) {
                ("gradient", true) => Ok(Self::Gradient(id.to_owned())),
                ("pattern", true) => Ok(Self::Pattern(id.to_owned())),
                _ => {
                    let id = if is_legal(id) {
                        Some(id.to_owned())
                    } else {
                        mended(id)
                    };
                    let fix = known.zip(id).map(|(kind, id)| format!("{kind}:{id}"));
                    Err(ValueError::new("is not a paint").maybe_fix(fix))
                }
            };
        }
        let lower = text.trim_start().to_ascii_lowercase();
        if lower.starts_with("url") {
            return url(text);
        }
        Color::parse(text).map(Self::Color).map_err(|error| {
            let words = ["none", "context-fill", "context-stroke"];
            let word = nearest_word(text, words).filter(|_| error.fix.is_none());
            // `gradient-sunset` and `#sunset` could also be misspelt colours.
            match word {
                Some(word) => error.fix(word),
                None => error,
            }
        })
    }
}

/// A reference, followed by nothing but `none` or a colour.
fn url(text: &str) -> Result<Paint, ValueError> {
    let wrong = || ValueError::new("is not a paint");
    let Some(id) = url_id(text).map(str::to_owned) else {
        let inside = text
            .get(text.find('(').map_or(3, |open| open + 1)..)
            .unwrap_or_default();
        let id = mended(inside.trim_end_matches(')'));
        return Err(wrong().maybe_fix(id.map(|id| format!("url(#{id})"))));
    };
    let end = urls(text)
        .first()
        .map_or(text.len(), |first| first.span.end);
    let whole = text.get(..end).unwrap_or_default();
    let fallback = text.get(end..).unwrap_or_default().trim();
    let sound = whole.ends_with(')')
        && (fallback.is_empty() || fallback == "none" || Color::read(fallback).is_some());
    if sound {
        Ok(Paint::Url {
            id,
            text: text.to_owned(),
        })
    } else {
        Err(wrong().fix(format!("url(#{id})")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paints_are_written_as_files_have_them() {
        for (text, written, id) in [
            ("none", "none", None),
            ("#F00", "#F00", None),
            ("gradient:sunset", "url(#sunset)", Some("sunset")),
            ("pattern:dots", "url(#dots)", Some("dots")),
            ("url(#a)", "url(#a)", Some("a")),
            ("url('#a') red", "url('#a') red", Some("a")),
            ("context-stroke", "context-stroke", None),
        ] {
            let paint = Paint::parse(text).unwrap();
            assert_eq!((paint.written().as_str(), paint.id()), (written, id));
            assert_eq!(Paint::parse(&paint.to_string()), Ok(paint));
        }
    }

    #[test]
    fn invalid_paints_are_repaired() {
        for (text, fix) in [
            ("rde", Some("red")),
            ("gradiant:sunset", Some("gradient:sunset")),
            ("gradient:a b", Some("gradient:a-b")),
            ("url(sunset)", Some("url(#sunset)")),
            ("url(#a", Some("url(#a)")),
            ("url(#a) 5", Some("url(#a)")),
            ("nnone", Some("none")),
            ("http://a", None),
            ("", None),
        ] {
            assert_eq!(
                Paint::parse(text).unwrap_err().fix.as_deref(),
                fix,
                "{text}"
            );
        }
    }
}
