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

/// Some bytes as text in quotes, or in hex.
pub(super) fn excerpt(content: &[u8], range: &Range<usize>) -> String {
    const MOST: usize = 40;
    let bytes = content.get(range.clone()).unwrap_or_default();
    if bytes.is_empty() {
        return "nothing".to_owned();
    }
    let more = if bytes.len() > MOST { "…" } else { "" };
    let shown = bytes.get(..MOST.min(bytes.len())).unwrap_or_default();
    match std::str::from_utf8(shown) {
        Ok(text) if !text.chars().any(char::is_control) => format!("{text:?}{more}"),
        Ok(text) if text.chars().all(|c| !c.is_control() || c.is_whitespace()) => {
            format!("{text:?}{more}")
        }
        _ => {
            let hex: Vec<String> = shown.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{}{more}", hex.join(" "))
        }
    }
}
