//! The world of a drawing: what the program lends it, and how much it may hold.
//! Nothing of this is content of a file.

pub mod host;
pub mod limits;
