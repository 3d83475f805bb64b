//! A song as a score: notes in voices and measures, with what musicians read besides.
//!
//! [`Asked`] makes a [`Score`] of a song; [`musicxml`] writes it down.

mod asked;
mod lengths;
mod musicxml;
mod over;
mod placing;
mod score;
mod spelling;
mod voices;

pub use asked::Asked;
pub use musicxml::musicxml;
