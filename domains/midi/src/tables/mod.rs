//! The tables that SQL reads and writes, one per file: the rows of a song, with their positions.

mod adding;
mod bars;
mod events;
mod functions;
mod notes;
mod placed;
mod setting_events;
mod setting_notes;
mod tracks;

pub use functions::functions;
pub use placed::settle;
