//! Pictures of drawings: all of one, or some of its objects.

mod draw;
mod files;
mod marks;
mod only;

pub use draw::{Framing, smaller};
