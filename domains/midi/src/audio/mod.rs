//! Songs as sound: messages for a synthesizer, and its waves; only with the feature `audio`.
//! The names in a SoundFont belong to [`soundfont`](crate::soundfont).

mod messages;
mod part;
mod wave;

pub use wave::{LONGEST, Wave};
