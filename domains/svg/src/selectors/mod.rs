//! The selectors, a file each.

mod at;
mod empty;
mod range;
mod touch;
