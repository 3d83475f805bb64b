//! Time without a song: the division of a file, maps of meters and of tempos.
//! No row belongs here. The maps of a song are in [`model`](crate::model).
//!
//! A position is found by a search in the list of meter or tempo changes, never by walking over
//! bars.

mod division;
mod meter_map;
mod tempo_map;
mod voices;

pub use division::Division;
pub use meter_map::{MeterMap, MeterSpan, Place};
pub use tempo_map::{DEFAULT_MICROS, TempoMap};
pub use voices::Voices;
