//! Reads, applies and writes unified diffs, byte for byte.
//!
//! [`parse()`] reads plain diffs and git's, [`apply()`] compares hunks with a content at their own
//! lines, [`compare()`] writes diffs that `apply` accepts. They neither search nor guess.

mod apply;
mod diff;
mod edit;
mod parse;

pub use apply::{Offset, Reason, Reject, apply};
pub use diff::{FileDiff, Side, compare};
pub use edit::{Unreplaced, replace};
pub use parse::{Action, Fault, Hunk, Section, parse};

/// The number of bytes at the start of a content in which a NUL makes it binary.
const SNIFFED: usize = 8000;

/// Whether a content is binary.
#[must_use]
pub fn is_binary(content: &[u8]) -> bool {
    memchr::memchr(0, &content[..content.len().min(SNIFFED)]).is_some()
}

/// The lines with their LF, which only the last may lack.
#[must_use]
pub fn split(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|byte| *byte == b'\n').collect()
}
