//! Playback of a song: its SoundFont and its sound.

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

/// The sounds to play a song with.
#[derive(Clone, Debug, Default)]
pub struct Sound {
    /// The SoundFont loaded last.
    pub font: Option<Arc<Font>>,
}

impl Song {
    /// The presets of the loaded SoundFont; empty if there is none.
    #[must_use]
    pub fn presets(&self) -> &[Preset] {
        self.sound.font.as_ref().map_or(&[], |font| &font.presets)
    }
}
