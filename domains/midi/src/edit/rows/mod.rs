//! Changes of rows of any kind: set, modify, copy, ramp, remove, and meters that move.
//! Changes that only notes have are in [`notes`](super::notes).

pub mod clamped;
pub mod copy;
pub mod meter_move;
pub mod modify;
pub mod ramp;
pub mod remove;
pub mod set;
