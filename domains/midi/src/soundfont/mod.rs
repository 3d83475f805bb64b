//! SoundFonts: the names in one, and the one that a song was given.
//! No row of a song belongs here, and no synthesizer.

mod font;

use std::sync::Arc;

pub use font::{Font, Preset};

/// The sounds to play a song with.
#[derive(Clone, Debug, Default)]
pub struct LoadedSoundFont {
    /// The SoundFont loaded last.
    pub font: Option<Arc<Font>>,
}

impl LoadedSoundFont {
    /// The presets of the loaded SoundFont; empty if there is none.
    #[must_use]
    pub fn presets(&self) -> &[Preset] {
        self.font.as_ref().map_or(&[], |font| &font.presets)
    }
}
