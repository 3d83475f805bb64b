//! Writes JSON.

use std::fmt::{self, Write as _};

use super::Json;

/// Writes compact JSON (RFC 8259); characters that need no escape are written as they are.
impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(given) => write!(f, "{given}"),
            Self::Number(text) => f.write_str(text),
            Self::String(text) => quoted(text, f),
            Self::Array(items) => {
                f.write_char('[')?;
                for (at, item) in items.iter().enumerate() {
                    comma(at, f)?;
                    item.fmt(f)?;
                }
                f.write_char(']')
            }
            Self::Object(members) => {
                f.write_char('{')?;
                for (at, (key, value)) in members.iter().enumerate() {
                    comma(at, f)?;
                    quoted(key, f)?;
                    f.write_char(':')?;
                    value.fmt(f)?;
                }
                f.write_char('}')
            }
        }
    }
}

fn comma(at: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if at > 0 { f.write_char(',') } else { Ok(()) }
}

fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !matches!(byte, b'"' | b'\\' | 0..=0x1f) {
            continue;
        }
        f.write_str(text.get(from..at).unwrap_or_default())?;
        from = at + 1;
        match byte {
            b'"' => f.write_str("\\\"")?,
            b'\\' => f.write_str("\\\\")?,
            0x8 => f.write_str("\\b")?,
            0xc => f.write_str("\\f")?,
            b'\n' => f.write_str("\\n")?,
            b'\r' => f.write_str("\\r")?,
            b'\t' => f.write_str("\\t")?,
            _ => write!(f, "\\u{byte:04x}")?,
        }
    }
    f.write_str(text.get(from..).unwrap_or_default())?;
    f.write_char('"')
}
