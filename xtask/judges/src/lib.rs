//! Judges: libraries that read files of domains and share no code with them, for
//! `fcp::testing::fidelity`.
//!
//! [`Midly`] reads Standard MIDI Files and [`Roxmltree`] reads XML, both with the bytes of
//! everything read. [`Python`] is a process whose Python libraries confirm these readings: `mido`,
//! and `lxml` with `tinycss2`. [`samples`] are small files with encodings and forms that are rare
//! in other files.

mod decoded;
mod midly;
pub mod python;
mod renaming;
mod roxmltree;
pub mod samples;

pub use crate::midly::Midly;
pub use crate::python::Python;
pub use crate::roxmltree::Roxmltree;
