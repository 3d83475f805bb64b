//! Schemas, examples, validation and patches of JSON assets.

pub mod diff;
pub mod json;
pub mod library;
pub mod patch;
pub mod verdict;
