//! Grids: their lines, and notes as rows of steps.
//! The grid of a score is in [`notation`](crate::notation).

pub mod draw;
pub mod lines;
pub mod note_grid;
pub mod parse;
pub mod swing;
