//! The queries, one per file.
//! Lines that replies share are in `display`.

mod at;
#[cfg(feature = "audio")]
mod audio;
mod bars;
mod chords;
mod describe;
mod events;
mod grid;
mod instruments;
mod list;
mod map;
mod phrase;
mod stats;
mod tempo_map;
mod tracks;
