//! The tests that `picture.rs` runs.

pub mod corpus;
pub mod drawing;
pub mod hostile;
pub mod measuring;

use resvg::tiny_skia::Pixmap;

/// A test with its name.
pub type Test = (&'static str, fn());

/// The pixels of a PNG.
pub fn pixels(png: &[u8]) -> Pixmap {
    Pixmap::decode_png(png).unwrap()
}
