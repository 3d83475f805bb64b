//! The words of an op as ticks, tracks and rows of a song.
//! Nothing here changes a song. Words that need no song are in [`values`](crate::values).

pub mod any_rows;
pub mod drum_word;
pub mod export_span;
pub mod note_end;
pub mod owner;
pub mod position;
pub mod query_scope;
pub mod section;
pub mod target_tracks;
pub mod tempo_column;
