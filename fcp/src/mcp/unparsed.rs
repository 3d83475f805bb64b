//! Finds the ids of requests that cannot be parsed: in a line that is too long, or not JSON.

use std::mem;

use rmcp::model::ErrorCode;
use serde_json::Value;

use super::message::Fault;
use crate::lines;

/// The outline of a line that was not kept.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    /// The readable `id` of each of its objects, as JSON text. There may be several objects, in a batch or by mistake;
    /// those after the first [`Skim::IDS`] are left out.
    pub(super) ids: Vec<String>,
    /// Whether it has a `method`.
    pub(super) method: bool,
    /// Whether that is a method of the protocol: `tools/call`, `ping`.
    pub(super) is_protocol: bool,
}

impl Outline {
    /// Errors under each id, or under null if there is none.
    pub(super) fn faults(self, code: ErrorCode, message: &str) -> Vec<Fault> {
        let ids = match self.ids {
            ids if ids.is_empty() => vec!["null".to_owned()],
            ids => ids,
        };
        let faults = ids.into_iter();
        faults.map(|id| Fault::new(id, code, message)).collect()
    }

    /// Errors for a request that is larger than a limit in bytes.
    pub(super) fn too_large(self, limit: usize) -> Vec<Fault> {
        let size = match limit >> 20 {
            0 => format!("{limit} bytes"),
            megabytes => format!("{megabytes} MiB"),
        };
        let message = format!(
            "the request is larger than {size}, the limit of this server (--max-request moves it); \
             send fewer ops a call"
        );
        self.faults(ErrorCode::INVALID_REQUEST, &message)
    }
}

/// The outline of a line that may not be JSON.
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

/// Follows the outermost objects of a streamed JSON text, or those in an outermost array, in constant memory.
#[derive(Debug, Default)]
pub struct Skim {
    pub(super) outline: Outline,
    depth: usize,
    /// The depth of the objects: 2 in an array.
    level: usize,
    /// Whether the last id is that of the current object.
    named: bool,
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

/// Errors in reply to a line under each id that it shows, one in a line, or `None` if it is not a request of the protocol:
/// for fronts that also read another dialect.
impl Skim {
    /// The reply to a line that is not JSON.
    #[must_use]
    pub fn unreadable(&self) -> Option<String> {
        self.refused(ErrorCode::PARSE_ERROR, "Parse error")
    }

    /// The reply to a line that is longer than a limit in bytes.
    #[must_use]
    pub fn too_long(&self, limit: usize) -> Option<String> {
        let message = format!("the request is longer than {limit} bytes, the limit of this server");
        self.refused(ErrorCode::INVALID_REQUEST, &message)
    }

    fn refused(&self, code: ErrorCode, message: &str) -> Option<String> {
        let ids = self.outline.ids.iter();
        let replies: Vec<String> = ids
            .filter_map(|id| serde_json::to_string(&Fault::new(id, code, message)).ok())
            .collect();
        (self.outline.is_protocol && !replies.is_empty()).then(|| replies.join("\n"))
    }
}

impl Skim {
    /// The longest key or value that matters.
    const WORD: usize = 1024;
    /// The most ids.
    const IDS: usize = 1000;

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
            b'{' | b'[' => {
                if self.depth == 0 {
                    self.level = if byte == b'[' { 2 } else { 1 };
                }
                self.depth += 1;
            }
            b'}' | b']' => {
                if self.depth == self.level {
                    self.entry();
                    self.named = false;
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == self.level => self.key = mem::take(&mut self.word),
            b',' if self.depth == self.level => self.entry(),
            other if !other.is_ascii_whitespace() => self.keep(other),
            _ => {}
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == self.level && self.word.len() < Self::WORD {
            self.word.push(byte);
        }
    }

    fn entry(&mut self) {
        let value = mem::take(&mut self.word);
        // A key may be spelled with escapes.
        let key: Option<String> = serde_json::from_slice(&mem::take(&mut self.key)).ok();
        match key.as_deref() {
            Some("id") => self.id(value),
            Some("method") => {
                self.outline.method = true;
                let method = value.trim_ascii();
                self.outline.is_protocol =
                    method.contains(&b'/') || matches!(method, b"\"initialize\"" | b"\"ping\"");
            }
            _ => {}
        }
    }

    /// Keeps the id of the current object. Of two, the last one counts.
    fn id(&mut self, value: Vec<u8>) {
        if mem::take(&mut self.named) {
            self.outline.ids.pop();
        }
        let parsed = serde_json::from_slice(&value).ok();
        let is_id = parsed.is_some_and(|id: Value| id.is_string() || id.is_number());
        if let Some(id) = String::from_utf8(value).ok().filter(|_| is_id)
            && self.outline.ids.len() < Self::IDS
        {
            self.outline.ids.push(id);
            self.named = true;
        }
    }
}

#[cfg(test)]
mod tests {
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
            ids: vec![r#""n\"1""#.to_owned()],
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

    #[test]
    fn every_object_of_a_line_has_its_id() {
        for (text, ids) in [
            (
                r#"[{"id":1,"x":{"id":9}},{"id":"a","id":2},[{"id":9}]]"#,
                &["1", "2"][..],
            ),
            (r#" [ {"id":1,"x":"\ud83d"}, {"x":1e999 , "id" : 2"#, &["1"]),
            (r#"{"id":1}{"id":2},{"id":3}"#, &["1", "2", "3"]),
            (
                r#"{"i\u0064":18446744073709551617,"#,
                &["18446744073709551617"],
            ),
            (r#"{"id":1,"id":null}"#, &[]),
        ] {
            assert_eq!(outline(text.as_bytes()).ids, ids, "{text}");
        }
        let many = r#"{"id":1},"#.repeat(5000);
        assert_eq!(outline(many.as_bytes()).ids.len(), Skim::IDS);
    }
}
