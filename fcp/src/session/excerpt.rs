//! Places and bytes of a file, as errors and answers show them.

use std::ops::Range;

/// `line 12` in a text, `byte 345` in any other file.
pub(super) fn place(content: &[u8], at: usize) -> String {
    let head = content.get(..at.min(content.len())).unwrap_or_default();
    match std::str::from_utf8(head) {
        Ok(_) if !content.contains(&0) => {
            let lines = head.iter().filter(|byte| **byte == b'\n').count();
            format!("line {}", lines + 1)
        }
        _ => format!("byte {at}"),
    }
}

/// Some bytes of a file: as text in quotes, or in hex, as always if the file is not a text.
pub(super) fn excerpt(content: &[u8], range: &Range<usize>) -> String {
    let bytes = content.get(range.clone()).unwrap_or_default();
    excerpt_of(content, bytes)
}

/// [`excerpt`], of bytes that are apart from the file.
pub(super) fn excerpt_of(content: &[u8], bytes: &[u8]) -> String {
    const MOST: usize = 40;
    if bytes.is_empty() {
        return "nothing".to_owned();
    }
    let more = if bytes.len() > MOST { "…" } else { "" };
    let shown = bytes.get(..MOST.min(bytes.len())).unwrap_or_default();
    match std::str::from_utf8(shown) {
        _ if is_binary(content) => hex(shown, more),
        Ok(text) if !text.chars().any(char::is_control) => format!("{text:?}{more}"),
        Ok(text) if text.chars().all(|c| !c.is_control() || c.is_whitespace()) => {
            format!("{text:?}{more}")
        }
        _ => hex(shown, more),
    }
}

/// Whether a file is not a text, by its first bytes: looking at all of them for each row would cost too much.
fn is_binary(content: &[u8]) -> bool {
    const FIRST: usize = 8000;
    content.iter().take(FIRST).any(|byte| *byte == 0)
}

fn hex(bytes: &[u8], more: &str) -> String {
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}{more}", hex.join(" "))
}
