//! Files: SVG, and SVG packed by gzip.

mod read;
mod write;

pub use read::read;
pub use write::write;

use fcp::domain::Format;

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
