//! How a song is shown and edited, as settings of the session say.

use fcp::prelude::*;

/// What becomes of notes of one pitch that an op would make overlap.
#[derive(FcpValue, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overlapping {
    /// The earlier one ends where the later one starts, and two that start together become one.
    #[default]
    Cut,
    /// The op is refused.
    Refuse,
}

/// How the black keys are called.
#[derive(FcpValue, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accidentals {
    /// By flats if the song begins in a key that has some, else by sharps.
    #[default]
    Auto,
    /// By sharps.
    Sharps,
    /// By flats.
    Flats,
}

/// What the session's settings say of songs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manner {
    /// What becomes of overlapping notes.
    pub overlap: Overlapping,
    /// How the black keys are called.
    pub spelling: Accidentals,
}

impl Manner {
    /// That a value is one for a setting; nothing for settings of other things.
    ///
    /// # Errors
    /// It is none.
    pub fn check(key: &str, value: &str) -> Option<Result<(), ValueError>> {
        match key {
            "overlap" => Some(Overlapping::parse(value).map(drop)),
            "spelling" => Some(Accidentals::parse(value).map(drop)),
            _ => None,
        }
    }

    /// Takes a setting in, or goes back to what is usual. Says whether it is one of these.
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
