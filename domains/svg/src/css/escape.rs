//! Escapes: decodes them, and writes identifiers with them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text of a name, a string or a URL, with escapes decoded: `\31 23` is `123`.
#[must_use]
pub fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let digits = after.bytes().take(6);
        let digits = digits.take_while(u8::is_ascii_hexdigit).count();
        let (number, behind) = after.split_at_checked(digits).unwrap_or_default();
        if let Ok(code) = u32::from_str_radix(number, 16) {
            let known = char::from_u32(code).filter(|c| *c != '\0');
            plain.push(known.unwrap_or(char::REPLACEMENT_CHARACTER));
            let space = if behind.starts_with("\r\n") {
                2
            } else {
                usize::from(behind.starts_with([' ', '\t', '\n', '\r', '\u{c}']))
            };
            rest = behind.get(space..).unwrap_or_default();
            continue;
        }
        // An escaped line break within a string.
        let line = ["\r\n", "\n", "\r", "\u{c}"];
        if let Some(next) = line.iter().find_map(|end| after.strip_prefix(*end)) {
            rest = next;
            continue;
        }
        let mut chars = after.chars();
        plain.extend(chars.next());
        rest = chars.as_str();
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The number of bytes of the first character of a name, a string or a URL, which may be an escape.
#[must_use]
pub fn escaped_len(text: &str) -> usize {
    let Some(after) = text.strip_prefix('\\') else {
        return text.chars().next().map_or(0, char::len_utf8);
    };
    let digits = after.bytes().take(6);
    let digits = digits.take_while(u8::is_ascii_hexdigit).count();
    let behind = after.get(digits..).unwrap_or_default();
    let space = match digits {
        0 => behind.chars().next().map_or(0, char::len_utf8),
        _ if behind.starts_with("\r\n") => 2,
        _ => usize::from(behind.starts_with([' ', '\t', '\n', '\r', '\u{c}'])),
    };
    1 + digits + space
}

/// Writes a text as an identifier (CSSOM, "serialize an identifier").
#[must_use]
pub fn identifier(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    let dash = text.starts_with('-');
    for (at, c) in text.chars().enumerate() {
        let digit = c.is_ascii_digit() && (at == 0 || at == 1 && dash);
        if digit || c.is_ascii_control() {
            // Writing to a string cannot fail.
            let _ = write!(spelled, "\\{:x} ", u32::from(c));
        } else if c == '-' && text.len() == 1
            || !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii())
        {
            spelled.push('\\');
            spelled.push(c);
        } else {
            spelled.push(c);
        }
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_and_written() {
        for (written, plain) in [
            (r"\31 23", "123"),
            (r"a\:b", "a:b"),
            (r"\000041b", "Ab"),
            (r"a\.b", "a.b"),
            ("a\\\nb", "ab"),
            ("plain", "plain"),
            ("\\", ""),
            (r"\0 x", "\u{fffd}x"),
            (r"\e9t\e9", "été"),
        ] {
            assert_eq!(unescaped(written), plain, "{written}");
        }
        for (text, len) in [
            ("#a", 1),
            (r"\#a", 2),
            (r"\23 a", 4),
            (r"\000023a", 7),
            ("\\", 1),
        ] {
            assert_eq!(escaped_len(text), len, "{text}");
        }
        for (text, spelled) in [
            ("123", r"\31 23"),
            ("-1", r"-\31 "),
            ("-", r"\-"),
            ("a:b.c", r"a\:b\.c"),
            ("größe_1-x", "größe_1-x"),
        ] {
            assert_eq!(identifier(text), spelled);
            assert_eq!(unescaped(spelled), text);
        }
    }
}
