//! Finds the id of a request that cannot be parsed: one that is too long, or not JSON.

use std::mem;

use rmcp::model::ErrorCode;
use serde_json::Value;

use super::message::Fault;
use crate::lines;

/// The outline of a message that was not kept.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    /// Its `id`, if it has a readable one.
    pub(super) id: Option<Value>,
    /// Whether it has a `method`.
    pub(super) method: bool,
    /// Whether that is a method of the protocol: `tools/call`, `ping`.
    pub(super) is_protocol: bool,
}

/// The id of a message that may not be JSON, or null.
pub(super) fn id(line: &[u8]) -> Value {
    outline(line).id.unwrap_or(Value::Null)
}

/// The outline of a message that may not be JSON.
pub(super) fn outline(line: &[u8]) -> Outline {
    let mut skim = Skim::default();
    lines::Skim::feed(&mut skim, line);
    skim.outline
}

/// The number of commas and opening brackets outside of strings: about the number of values in a text, which may not be
/// JSON.
pub(super) fn values(line: &[u8]) -> usize {
    let separates = |byte: &u8| matches!(byte, b',' | b'[' | b'{');
    // Strings need no look where there are few of these bytes at all.
    let most = line.iter().filter(|byte| separates(byte)).count();
    if most < 10_000 {
        return most;
    }
    let (mut count, mut rest) = (0, line);
    while let Some(start) = rest.iter().position(|byte| *byte == b'"') {
        let (outside, inside) = rest.split_at(start);
        count += outside.iter().filter(|byte| separates(byte)).count();
        let mut at = 1;
        while let Some(byte) = inside.get(at) {
            match byte {
                b'"' => break,
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        rest = inside.get(at + 1..).unwrap_or_default();
    }
    count + rest.iter().filter(|byte| separates(byte)).count()
}

/// Follows the outermost object of a streamed JSON text, in constant memory.
#[derive(Debug, Default)]
pub struct Skim {
    pub(super) outline: Outline,
    depth: usize,
    quoted: bool,
    escaped: bool,
    key: Vec<u8>,
    word: Vec<u8>,
}

impl lines::Skim for Skim {
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
    }
}

/// Errors in reply to a line under the id that it shows, or `None` if it is not a request of the protocol: for fronts
/// that also read another dialect.
impl Skim {
    /// The reply to a line that is not JSON.
    #[must_use]
    pub fn unreadable(&self) -> Option<String> {
        self.refused(ErrorCode::PARSE_ERROR, "Parse error".to_owned())
    }

    /// The reply to a line that is longer than a limit in bytes.
    #[must_use]
    pub fn too_long(&self, limit: usize) -> Option<String> {
        let message = format!("the request is longer than {limit} bytes, the limit of this server");
        self.refused(ErrorCode::INVALID_REQUEST, message)
    }

    fn refused(&self, code: ErrorCode, message: String) -> Option<String> {
        let id = self
            .outline
            .id
            .clone()
            .filter(|_| self.outline.is_protocol)?;
        Some(Fault::new(id, code, message).reply().to_string())
    }
}

impl Skim {
    /// The longest key or value that matters.
    const WORD: usize = 1024;

    fn step(&mut self, byte: u8) {
        if self.quoted {
            match (self.escaped, byte) {
                (true, _) => self.escaped = false,
                (false, b'\\') => self.escaped = true,
                (false, b'"') => self.quoted = false,
                _ => {}
            }
            self.keep(byte);
            return;
        }
        match byte {
            b'"' => {
                self.quoted = true;
                self.keep(byte);
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                if self.depth == 1 {
                    self.entry();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => self.key = mem::take(&mut self.word),
            b',' if self.depth == 1 => self.entry(),
            other if !other.is_ascii_whitespace() => self.keep(other),
            _ => {}
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.word.len() < Self::WORD {
            self.word.push(byte);
        }
    }

    fn entry(&mut self) {
        let value = mem::take(&mut self.word);
        match mem::take(&mut self.key).as_slice() {
            b"\"id\"" => {
                let id = serde_json::from_slice(&value).ok();
                self.outline.id = id.filter(|id: &Value| id.is_string() || id.is_number());
            }
            b"\"method\"" => {
                self.outline.method = true;
                let method = value.trim_ascii();
                self.outline.is_protocol =
                    method.contains(&b'/') || matches!(method, b"\"initialize\"" | b"\"ping\"");
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::lines::{Line, read};

    fn outlines(text: &str, limit: usize) -> Vec<Outline> {
        let mut found = Vec::new();
        read(text.as_bytes(), limit, |line| {
            found.extend(match line {
                Line::TooLong(Skim { outline, .. }) => Some(outline),
                Line::Whole(_) => None,
            });
            true
        });
        found
    }

    #[test]
    fn a_long_line_is_described_by_its_outline() {
        let long =
            r#"{"params":{"id":7,"x":["a,:}\"",{"id":8}]},"method":"tools/call","id":"n\"1"}"#;
        let text = format!("{{\"id\":1}}\n{long}\n{{\"id\":2}}");
        let outline = Outline {
            id: Some(json!("n\"1")),
            method: true,
            is_protocol: true,
        };
        assert_eq!(outlines(&text, 20), [outline]);
    }

    #[test]
    fn an_outline_of_nonsense_is_empty() {
        for text in [
            "]]]]]]}}}}",
            "[[[[[[[[[[",
            "{\"id\":{\"id\":1}}",
            "{\"id\":null,,,}",
            "\"\\\"\\\"\\\"\\\"\\\"",
        ] {
            assert_eq!(outlines(text, 3), [Outline::default()], "{text}");
        }
    }
}
