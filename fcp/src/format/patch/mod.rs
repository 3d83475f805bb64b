//! Unified diffs: read, applied and written, byte for byte.
//!
//! [`parse()`] reads plain and git's form, [`apply()`] holds hunks against a content at their own lines, [`compare()`] writes what
//! `apply` takes. Nothing is searched for and nothing is guessed.

mod apply;
mod diff;
mod edit;
mod parse;

pub use apply::{Offset, Reason, Reject, apply};
pub use diff::{FileDiff, Side, compare};
pub use edit::replace;
pub use parse::{Action, Fault, Hunk, Section, parse};

/// Bytes at the start of a content in which a NUL makes it binary.
const SNIFFED: usize = 8000;

/// Whether a content is binary.
#[must_use]
pub fn is_binary(content: &[u8]) -> bool {
    memchr::memchr(0, &content[..content.len().min(SNIFFED)]).is_some()
}

/// Lines with their LF, which only the last may lack.
#[must_use]
pub fn split(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|byte| *byte == b'\n').collect()
}
