//! SoundFonts: the names in one, and the one that a song was given.
//! No row of a song belongs here, and no synthesizer.

mod font;

use std::sync::Arc;

pub use font::{Font, Preset};

/// What a song was given to be played with.
#[derive(Clone, Debug, Default)]
pub struct LoadedSoundFont {
    /// The SoundFont that was loaded last.
    pub font: Option<Arc<Font>>,
}

impl LoadedSoundFont {
    /// The presets of the SoundFont that is loaded; none if none is.
    #[must_use]
    pub fn presets(&self) -> &[Preset] {
        self.font.as_ref().map_or(&[], |font| &font.presets)
    }
}
