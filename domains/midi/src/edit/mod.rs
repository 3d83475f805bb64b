//! Edits that verbs share: of rows, of notes, of bars, of tracks and whole files.
//! Edits that keep the file sound are in [`model`](crate::model); a verb itself is in [`verbs`](crate::verbs).

pub mod bars;
pub mod notes;
pub mod rows;
pub mod tracks;
