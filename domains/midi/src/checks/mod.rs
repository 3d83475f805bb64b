//! Shared parts of lints: texts about flaws, silences, and the rows whose warnings a change affects.
//! A lint itself is in [`lints`](crate::lints).

pub mod affected;
pub mod flaw_text;
pub mod silence;
