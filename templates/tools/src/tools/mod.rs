//! The tools, one a file.

mod count;
mod reset;
mod total;
