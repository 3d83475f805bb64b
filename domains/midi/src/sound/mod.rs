//! What a song is played with, and how it sounds.

mod font;
#[cfg(feature = "audio")]
mod score;
#[cfg(feature = "audio")]
mod wave;

use std::sync::Arc;

pub use font::{Font, Preset};
#[cfg(feature = "audio")]
pub use wave::{LONGEST, Wave};

use crate::model::Song;

/// What a song was given to be played with.
#[derive(Clone, Debug, Default)]
pub struct Sound {
    /// The SoundFont that was loaded last.
    pub font: Option<Arc<Font>>,
}

impl Song {
    /// The presets of the SoundFont that is loaded; none if none is.
    #[must_use]
    pub fn presets(&self) -> &[Preset] {
        self.sound.font.as_ref().map_or(&[], |font| &font.presets)
    }
}
