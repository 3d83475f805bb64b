//! Shared parts of lints: elements over and under another, and the rows to check again.
//! The lints themselves are in `lints`.

pub(crate) mod affected;
pub(crate) mod stacking;
