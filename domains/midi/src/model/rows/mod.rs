//! The kinds of rows, and notes before they are rows.
//! Indices are in [`index`](super::index), changes in [`edit`](super::edit).

pub mod kinds;
pub mod note;
pub mod row_ref;
pub mod voice;
pub mod words;
