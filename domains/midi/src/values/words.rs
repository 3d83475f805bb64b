//! Lyrics and other texts.

use std::fmt;

use fcp::prelude::*;

/// A lyric or other text: any text but an empty one. Karaoke files use characters other than
/// letters for line breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(Text);

impl Words {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for Words {
    const SPEC: ValueSpec = Text::SPEC;

    fn parse(text: &str) -> Result<Self, ValueError> {
        if text.is_empty() {
            return Err(ValueError::sentence("there is no text in \"\""));
        }
        Text::parse(text).map(Self)
    }
}
