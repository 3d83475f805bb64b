//! A word of a line of music.

use std::fmt;

use fcp::value::{FcpValue, Text, ValueError, ValueSpec};

use super::pitch::PitchWord;

/// A word of a phrase or a grid, which may begin with a pitch and its prefix: `midi:60/q`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MusicWord(Text);

impl MusicWord {
    /// The word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl fmt::Display for MusicWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FcpValue for MusicWord {
    const SPEC: ValueSpec = ValueSpec {
        prefixes: PitchWord::SPEC.prefixes,
        ..Text::SPEC
    };

    fn parse(text: &str) -> Result<Self, ValueError> {
        Text::parse(text).map(Self)
    }
}
