//! The files of a domain: their formats, their content in memory, and their folders.

use std::sync::Arc;

use crate::diag::Result;
use crate::value::ValueError;

/// A file format a domain reads and writes.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its name in `format:`: `smf`.
    pub name: &'static str,
    /// Its file extensions, without the dot; the first is the usual one.
    pub extensions: &'static [&'static str],
    /// Its description, in one line.
    pub doc: &'static str,
}

/// Bytes that have several owners.
pub type Content = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A file that is large in one respect, for `cargo xtask bench growth`.
#[derive(Clone, Copy, Debug)]
pub struct Large {
    /// The respect: `nested`.
    pub name: &'static str,
    /// Makes the file, of about the given number of rows.
    pub make: fn(usize) -> Vec<u8>,
}

/// Checks that a path leads to a folder below the root.
pub type IsFolder<'f> = &'f dyn Fn(&str) -> Result<(), ValueError>;

/// The form of a piece, by the bytes before it that depend on the piece before: `status byte written`.
pub type PieceForm = fn(&[u8]) -> Option<&'static str>;
