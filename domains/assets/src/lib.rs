//! Schemas, examples, validation and patches of JSON assets.

pub mod diff;
pub mod front;
pub mod json;
pub mod library;
pub mod patch;
pub mod process;
pub mod verdict;
