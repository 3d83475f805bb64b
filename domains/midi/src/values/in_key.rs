//! The scale in which notes move.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};

use super::scale::Scale;

/// A scale, or `key`: that of the key in effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InKey {
    /// The key in effect at the note.
    Here,
    /// A given scale.
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
        Scale::parse(text).map(Self::Scale).map_err(|error| {
            if error.fix.is_some() {
                return error;
            }
            // A tonic with an unknown kind of scale is repaired to major, like one without a kind.
            let parts = text.split_once(['-', '_', ' ']);
            let tonic = parts.and_then(|(tonic, _)| Scale::parse(tonic).ok());
            let near = tonic.map(|scale| scale.to_string());
            error.maybe_fix(near.or_else(|| nearest_word(text, ["key"]).map(Into::into)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_read_and_repaired() {
        for text in ["key", "D-dorian", "Bb-major"] {
            assert_eq!(InKey::parse(text).unwrap().to_string(), text);
        }
        let fix = |text: &str| InKey::parse(text).unwrap_err().fix;
        assert_eq!(fix("kee").as_deref(), Some("key"));
        assert_eq!(fix("D-dorain").as_deref(), Some("D-dorian"));
        assert_eq!(fix("D-xyz").as_deref(), Some("D-major"));
        assert_eq!(fix("banana"), None);
    }
}
