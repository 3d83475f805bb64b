//! The channel of a message.

use std::fmt;

use fcp::value::{FcpValue, SqlType, ValueError, ValueSpec};
use serde::{Deserialize, Serialize};

use super::number::{held, rounded, within};

/// A channel: 0 to 15 in a message, shown from 1 to 16. The first by default.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(try_from = "u8", into = "u8")]
pub struct Channel(u8);

held!(Channel, 0..=15);

impl Channel {
    /// The General MIDI drum channel, shown as 10.
    pub const DRUMS: Self = Self(9);

    /// The channel of rows without one of their own.
    pub const FIRST: Self = Self(0);

    /// All sixteen, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..16).map(Self)
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0 + 1).fmt(f)
    }
}

impl FcpValue for Channel {
    const SPEC: ValueSpec = ValueSpec::new("CH", "1-16, drums on 10").typed(SqlType::Integer);

    fn parse(text: &str) -> Result<Self, ValueError> {
        match within(text, 1, 16) {
            Some(value) => value.map(|value| Self(value - 1)),
            None => Err(ValueError::new("is not a channel, 1-16")
                .maybe_fix(rounded(text).filter(|near| Self::parse(near).is_ok()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_shown_from_one() {
        for channel in Channel::all() {
            assert_eq!(Channel::parse(&channel.to_string()), Ok(channel));
        }
        assert_eq!(Channel::parse("10"), Ok(Channel::DRUMS));
        let fix = |text: &str| Channel::parse(text).unwrap_err().fix;
        assert_eq!(fix("0").as_deref(), Some("1"));
        assert_eq!(fix("17").as_deref(), Some("16"));
        assert_eq!(fix("ten"), None);
    }

    #[test]
    fn stored_numbers_are_checked() {
        let json = serde_json::to_string(&Channel::DRUMS).unwrap();
        assert_eq!(json, "9");
        assert!(serde_json::from_str::<Channel>("16").is_err());
    }
}
