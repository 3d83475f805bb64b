//! Changes of many notes at once: pitches, lengths, dynamics, repairs.
//! Changes of other kinds are in [`rows`](super::rows).

pub mod crescendo;
pub mod length;
pub mod random;
pub mod repair;
pub mod selection;
pub mod transpose;
