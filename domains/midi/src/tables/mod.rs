//! The tables that SQL reads and writes, one a file: what the rows of a song are, with where they are in it.

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
