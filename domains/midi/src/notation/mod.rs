//! A song as a score: notes in voices and measures, with what musicians read besides.

mod lengths;
mod measures;
mod score;
mod voices;

pub use score::score;
