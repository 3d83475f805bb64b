//! Files: SVG, and SVG packed by gzip.

mod read;
mod write;

pub use read::{read, unpacked};
pub use write::{source, write};

use fcp::domain::Format;

/// The most bytes of a file that is opened, and of what a packed one holds.
pub const MOST_BYTES: usize = 128 * 1024 * 1024;

/// What can be opened and saved.
pub const FORMATS: &[Format] = &[
    Format {
        name: "svg",
        extensions: &["svg"],
        doc: "Scalable Vector Graphics",
    },
    Format {
        name: "svgz",
        extensions: &["svgz"],
        doc: "SVG packed by gzip",
    },
];
