//! Music as text: `A1/q A1/e E2/h | F1/q r _/h`.
//! Rows of steps are in `grid`, chords in `harmony`, scores in `notation`.

mod abc;
mod bar_errors;
mod item;
mod line;
mod reader;
mod schedule;
mod timed;
mod write;

pub use abc::{abc_key, read_abc};
pub use line::{Line, Wrong};
pub use schedule::{clear, lay, sing};
pub use timed::timed;
pub use write::{Precision, automatic, phrase_ops};
