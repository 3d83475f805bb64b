//! Canonical JSON: sorted keys, no whitespace, minimal escapes.
//!
//! The two hashed objects are written by hand in [`fingerprint`] and [`manifest`], so that no
//! feature of a JSON library can change a snapshot id.

use serde_json::Value;

use crate::git::Fingerprint;
use crate::hash::Blob;

/// Writes a string in quotes.
pub fn string(text: &str, out: &mut String) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            0x08 => "\\b",
            0x0c => "\\f",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..0x20 => "",
            _ => continue,
        };
        out.push_str(&text[plain..at]);
        if escape.is_empty() {
            out.push_str(&format!("\\u{byte:04x}"));
        } else {
            out.push_str(escape);
        }
        plain = at + 1;
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

/// Writes any value, with keys in byte order.
pub fn value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::String(text) => string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                self::value(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| key.as_bytes());
            out.push('{');
            for (at, (key, member)) in members.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                string(key, out);
                out.push(':');
                self::value(member, out);
            }
            out.push('}');
        }
    }
}

/// The hashed form of a fingerprint.
pub fn fingerprint(of: &Fingerprint) -> String {
    let mut out = String::with_capacity(192);
    for (key, text) in [
        ("{\"head_oid\":", &of.head_oid),
        (",\"index_oid\":", &of.index_oid),
        (",\"status_hash\":", &of.status_hash),
    ] {
        out.push_str(key);
        string(text, &mut out);
    }
    out.push('}');
    out
}

/// The hashed form of a manifest. The entries must be in byte order of their paths.
pub fn manifest<'e>(entries: impl Iterator<Item = (&'e str, &'e Blob)>) -> String {
    let mut out = String::from("{\"entries\":[");
    for (at, (path, blob)) in entries.enumerate() {
        if at > 0 {
            out.push(',');
        }
        out.push_str("{\"blob\":\"");
        out.push_str(&blob.to_string());
        out.push_str("\",\"path\":");
        string(path, &mut out);
        out.push('}');
    }
    out.push_str("]}");
    out
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_are_sorted_and_only_the_needed_escapes_are_written() {
        let mut out = String::new();
        let text = "\"\\/\u{8}\u{c}\n\r\t\u{1}\u{7f}\u{2028}é";
        value(
            &json!({ "b": [1, true, null], "a": text, "B": {} }),
            &mut out,
        );
        assert_eq!(
            out,
            "{\"B\":{},\"a\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u{7f}\u{2028}é\",\"b\":[1,true,null]}"
        );
    }
}
