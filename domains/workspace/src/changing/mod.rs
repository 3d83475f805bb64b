//! Steps of the changing tools.

pub mod edit;
pub mod fit;
pub mod removal;
pub mod target;
