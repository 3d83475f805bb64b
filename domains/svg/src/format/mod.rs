//! File formats: SVG, and SVG compressed by gzip.
//! Nothing here knows what the elements mean.

pub(crate) mod large;
mod read;
mod write;

pub use read::{read, unpacked};
pub use write::{source, write};

use fcp::domain::Format;

/// The largest file, and the largest content of a compressed file, in bytes.
pub const MOST_BYTES: usize = 128 * 1024 * 1024;

/// The formats for opening and saving.
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
