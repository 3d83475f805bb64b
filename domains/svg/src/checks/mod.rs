//! Shared parts of lints: what lies over what, and the rows whose warnings a change affects.
//! A lint itself is in [`lints`](crate::lints).

pub mod affected;
pub mod stacking;
