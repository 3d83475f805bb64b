//! Pictures of whole drawings, or of some objects.

mod draw;
mod files;
mod marks;
mod only;

pub use draw::{Framing, smaller};
