//! Keys of a song: the first one, the one in force, and flats or sharps.

use std::cmp::Reverse;

use fcp::prelude::*;

use super::{Accidentals, Chunk, KeyChange, Song};
use crate::values::KeySig;

impl Song {
    /// The first key signature; of several at its tick, the one in effect.
    #[must_use]
    pub fn first_key(&self) -> Option<&KeyChange> {
        let keys = || self.keys.index().iter().map(|(key, spot)| (key, spot.id));
        let tick = keys().map(|(key, _)| key.tick).min()?;
        let first = keys().filter(|(key, _)| key.tick == tick);
        let (_, id) = match self.is_patterns() {
            true => first.min_by_key(|(key, _)| (key.chunk, Reverse((key.pos, key.seq)))),
            false => first.max_by_key(|(key, _)| (key.chunk, key.pos, key.seq)),
        }?;
        self.keys.get(Id::new(id))
    }

    /// The key in effect at a tick; `None` if there is none, or no signature names it.
    #[must_use]
    pub fn key_at(&self, chunk: Id<Chunk>, tick: u64) -> Option<KeySig> {
        let here = |own: u32| !self.is_patterns() || own == chunk.number();
        let spots = self.keys.index().iter();
        let last = spots
            .filter(|(key, _)| key.tick <= tick && here(key.chunk))
            .max_by_key(|(key, _)| (key.tick, key.chunk, key.pos, key.seq))?;
        let row = self.keys.get(Id::new(last.1.id))?;
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
