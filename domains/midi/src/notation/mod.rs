//! A song as a score: notes in voices and measures, with further marks for musicians.
//!
//! [`Scoring`] makes a score of a song; [`musicxml()`] and [`abc()`] write it.

mod abc;
mod directions;
mod lengths;
mod musicxml;
pub mod piano_roll;
mod score;
mod score_grid;
mod scoring;
mod spelling;
mod voices;

pub use abc::abc;
pub use musicxml::musicxml;
pub use scoring::Scoring;
