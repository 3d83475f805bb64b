//! What `picture.rs` runs.

pub mod corpus;
pub mod drawing;
pub mod hostile;
pub mod measuring;

use std::path::{Path, PathBuf};

use resvg::tiny_skia::Pixmap;

/// A test by its name.
pub type Test = (&'static str, fn());

/// The pixels of a PNG.
pub fn pixels(png: &[u8]) -> Pixmap {
    Pixmap::decode_png(png).unwrap()
}

/// The folder of test files beside the project, if it is there. Where it is not, says loudly that `what` was not
/// checked.
pub fn data(what: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/svg");
    if folder.is_dir() {
        return Some(folder);
    }
    let shown = folder.display();
    eprintln!("NOTHING WAS CHECKED: {what} needs {shown}");
    None
}
