//! Ways to part the notes of a track.

use std::fmt;

use fcp::value::{FcpValue, ValueError, ValueSpec, nearest_word};

use super::pitch::Pitch;

/// The criterion that separates parts of a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitBy {
    /// The channel.
    Channel,
    /// The drum.
    Drum,
    /// The highest of notes that start together, and the rest.
    Voice,
    /// Notes from a pitch up, and those below.
    Pitch(Pitch),
}

const WORDS: [(&str, SplitBy); 3] = [
    ("channel", SplitBy::Channel),
    ("drum", SplitBy::Drum),
    ("voice", SplitBy::Voice),
];

impl fmt::Display for SplitBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Pitch(pitch) = self {
            return write!(f, "pitch:{pitch}");
        }
        let known = WORDS.iter().find(|(_, by)| by == self);
        f.write_str(known.map_or("voice", |(word, _)| word))
    }
}

impl FcpValue for SplitBy {
    const SPEC: ValueSpec = ValueSpec::new("PART", "channel, drum, voice, or pitch:C4");

    fn parse(text: &str) -> Result<Self, ValueError> {
        if let Some((_, by)) = WORDS.iter().find(|(word, _)| *word == text) {
            return Ok(*by);
        }
        if let Some(pitch) = text.strip_prefix("pitch:") {
            return Pitch::parse(pitch).map(Self::Pitch).map_err(|error| {
                let fix = error.fix.as_ref().map(|fix| format!("pitch:{fix}"));
                ValueError::sentence(error.about(pitch)).maybe_fix(fix)
            });
        }
        let near = nearest_word(text, WORDS.iter().map(|(word, _)| *word));
        let near = near.map(str::to_owned).or_else(|| match text {
            "pitch" => Some("pitch:C4".to_owned()),
            _ => Pitch::parse(text)
                .ok()
                .map(|pitch| format!("pitch:{pitch}")),
        });
        Err(
            ValueError::new("is not a way to split: channel, drum, voice, pitch:C4")
                .maybe_fix(near),
        )
    }
}
