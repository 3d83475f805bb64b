//! The steps of tools that change files.

pub mod edit;
pub mod fit;
pub mod removal;
pub mod target;
