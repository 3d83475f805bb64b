//! Display and editing of a song, from the settings of the session.

use fcp::prelude::*;

/// Handling of notes of one pitch that an op would make overlap.
#[derive(FcpValue, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlapping {
    /// The earlier one ends where the later one starts, and two that start together become one.
    #[default]
    Cut,
    /// The op is refused.
    Refuse,
}

/// Names of the black keys.
#[derive(FcpValue, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accidentals {
    /// Flats if the song begins in a key with flats, else sharps.
    #[default]
    Auto,
    /// Sharps.
    Sharps,
    /// Flats.
    Flats,
}

/// The session's settings for songs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// Handling of overlapping notes.
    pub overlap: Overlapping,
    /// Names of the black keys.
    pub spelling: Accidentals,
}

impl Manner {
    /// Checks a value of a setting; `None` if the setting is of something else.
    ///
    /// # Errors
    /// The value is invalid.
    pub fn check(key: &str, value: &str) -> Option<Result<(), ValueError>> {
        match key {
            "overlap" => Some(Overlapping::parse(value).map(drop)),
            "spelling" => Some(Accidentals::parse(value).map(drop)),
            _ => None,
        }
    }

    /// Applies a setting, or restores its default. Returns whether it is one of these settings.
    pub fn adjust(&mut self, key: &str, value: Option<&str>) -> bool {
        fn read<T: FcpValue + Default>(value: Option<&str>) -> T {
            let value = value.and_then(|value| T::parse(value).ok());
            value.unwrap_or_default()
        }
        match key {
            "overlap" => self.overlap = read(value),
            "spelling" => self.spelling = read(value),
            _ => return false,
        }
        true
    }
}
