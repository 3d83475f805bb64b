//! Keys of a song: the first one, the one in force, and flats or sharps.

use fcp::prelude::*;

use super::{Accidentals, Chunk, KeyChange, Song};
use crate::values::KeySig;

impl Song {
    /// The first key signature; of several at its tick, the one in effect.
    #[must_use]
    pub fn first_key(&self) -> Option<&KeyChange> {
        let keys = self.keys.index();
        let (tick, chunk) = keys.first()?;
        let (_, id) = keys.up_to(self.of_its_own(chunk), tick)?;
        self.keys.get(id)
    }

    /// The key in effect at a tick; `None` if there is none, or no signature names it.
    #[must_use]
    pub fn key_at(&self, chunk: Id<Chunk>, tick: u64) -> Option<KeySig> {
        let (_, id) = self.keys.index().up_to(self.of_its_own(chunk), tick)?;
        let row = self.keys.get(id)?;
        KeySig::new(i8::try_from(row.sharps).ok()?, row.mode == 1)
    }

    /// Whether pitches are shown with flats: by a setting, or because the song begins in a key with
    /// flats.
    #[must_use]
    pub fn in_flats(&self) -> bool {
        match self.manner.spelling {
            Accidentals::Auto => self.begins_in_flats(),
            Accidentals::Sharps => false,
            Accidentals::Flats => true,
        }
    }

    /// Whether the song begins in a key with flats.
    #[must_use]
    pub fn begins_in_flats(&self) -> bool {
        self.first_key().is_some_and(|key| key.sharps < 0)
    }
}
