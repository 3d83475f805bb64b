//! JSON with one spelling: sorted keys, no white space, minimal escapes.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;

/// A value as JSON whose bytes depend on the value alone: the keys of an object are in byte order,
/// and only `"`, `\` and controls are escaped. A toolset that promises exact bytes returns it from
/// [`Toolset::text`](super::Toolset::text).
///
/// ```
/// let reply = serde_json::json!({ "path": "é", "at": [1, true], "Id": "\u{1}\n" });
/// assert_eq!(fcp::tool::canonical(&reply)?, r#"{"Id":"\u0001\n","at":[1,true],"path":"é"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
/// The value cannot be written as JSON.
pub fn canonical(of: &impl Serialize) -> serde_json::Result<String> {
    let mut out = String::new();
    value(&serde_json::to_value(of)?, &mut out);
    Ok(out)
}

fn value(of: &Value, out: &mut String) {
    match of {
        Value::String(text) => canonical_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                value(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(key, _)| key.as_bytes());
            out.push('{');
            for (at, (key, member)) in members.into_iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                canonical_string(key, out);
                out.push(':');
                value(member, out);
            }
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => out.push_str(&of.to_string()),
    }
}

/// Writes a text as [`canonical`] JSON, for a hashed object that no feature of a JSON library may
/// change.
pub fn canonical_string(text: &str, out: &mut String) {
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
        out.push_str(escape);
        if escape.is_empty() {
            // Writing to a string does not fail.
            let _ = write!(out, "\\u{byte:04x}");
        }
        plain = at + 1;
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::canonical;

    #[test]
    fn keys_are_sorted_and_only_the_needed_escapes_are_written() {
        let text = "\"\\/\u{8}\u{c}\n\r\t\u{1}\u{7f}\u{2028}é";
        assert_eq!(
            canonical(&json!({ "b": [1, true, null], "a": text, "B": {} })).unwrap(),
            "{\"B\":{},\"a\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u{7f}\u{2028}é\",\"b\":[1,true,null]}"
        );
    }
}
