//! Music as text: `A1/q A1/e E2/h | F1/q r _/h`.

mod item;
mod lay;
mod line;
mod misfit;
mod tell;
mod timed;

pub use lay::{clear, lay, sing, warped};
pub use line::{Line, Wrong};
pub use tell::{Precision, automatic, phrase_ops};
pub use timed::timed;
