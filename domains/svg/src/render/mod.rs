//! Pictures of whole drawings, or of some objects.
//! Nothing here changes the drawing; boxes and outlines are in `geometry`.

mod draw;
mod files;
mod marks;
mod only;
mod transforms;

pub use draw::{Framing, smaller};
