//! From files to songs and back.

mod read;
mod write;

pub use read::read;
pub use write::write;
