//! Lines, and the difference between text and other bytes.

use schemars::JsonSchema;
use serde::Serialize;

/// Bytes at the start of a content in which a NUL makes it binary.
const SNIFFED: usize = 8000;

/// Whether a content is binary.
pub fn is_binary(content: &[u8]) -> bool {
    memchr::memchr(0, &content[..content.len().min(SNIFFED)]).is_some()
}

/// Whether a content is text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Text {
    /// It has lines.
    Text,
    /// It has a NUL near its start.
    Binary,
}

impl Text {
    /// Of a content.
    pub fn of(content: &[u8]) -> Self {
        if is_binary(content) {
            Self::Binary
        } else {
            Self::Text
        }
    }
}

/// Line ends of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Eol {
    /// LF alone.
    Lf,
    /// CR and LF.
    Crlf,
    /// Both.
    Mixed,
    /// There is no line end.
    None,
}

/// Lines with their LF, which only the last may lack.
pub fn split(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|byte| *byte == b'\n').collect()
}
