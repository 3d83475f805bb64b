//! Tally counters: things are counted by name.

pub mod state;
mod tools;

pub use state::Tally;
