//! The tools, one per file.

mod count;
mod reset;
mod total;
