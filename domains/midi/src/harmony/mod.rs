//! Chords: written progressions, their voices, recognition of chords and keys.
//! The word for one chord is in [`values`](crate::values); verbs add its notes.

pub mod key_estimate;
pub mod progression;
pub mod recognize;
