//! Line endings, and the distinction between text and binary content.

use fcp::format::patch::is_binary;
use schemars::JsonSchema;
use serde::Serialize;

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
    /// The kind of a content.
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
