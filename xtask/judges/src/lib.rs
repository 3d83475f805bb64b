//! Judges: libraries that read files of domains and share no code with them, for `fcp::testing::fidelity`.
//!
//! [`Midly`] reads Standard MIDI Files and [`Roxmltree`] XML, both with the bytes of all that they read. [`Python`] is a
//! process in which Python's libraries confirm that reading: `mido`, and `lxml` with `tinycss2`. [`samples`] are small files
//! with encodings and forms that other people's files seldom have.

mod decoded;
mod midly;
pub mod python;
mod renaming;
mod roxmltree;
pub mod samples;

pub use crate::midly::Midly;
pub use crate::python::Python;
pub use crate::roxmltree::Roxmltree;
