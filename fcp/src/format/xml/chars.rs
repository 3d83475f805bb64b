//! The characters and names of XML 1.0 (fifth edition).

/// Whitespace: space, tab, line feed, carriage return.
pub const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

pub const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether a document may contain a character at all.
pub const fn is_char(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        c => c >= ' ',
    }
}

pub const fn is_name_start(c: char) -> bool {
    matches!(c,
        ':' | '_' | 'A'..='Z' | 'a'..='z'
        | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}' | '\u{370}'..='\u{37d}'
        | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}' | '\u{2070}'..='\u{218f}'
        | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}'
        | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

pub const fn is_name_char(c: char) -> bool {
    is_name_start(c)
        || matches!(c,
            '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

/// The length of the name at the beginning of a text, in bytes; 0 if there is none.
pub fn name_len(text: &str) -> usize {
    if !text.starts_with(is_name_start) {
        return 0;
    }
    let plain =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'-' | b'.');
    let ascii = text.bytes().take_while(plain).count();
    let rest = &text[ascii..];
    ascii + rest.find(|c| !is_name_char(c)).unwrap_or(rest.len())
}

/// Whether a text is a name: `a`, `a:b`, `a:b:c`.
#[must_use]
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && name_len(text) == text.len()
}

/// Whether a text is a name with at most one prefix: `a`, `a:b`.
#[must_use]
pub fn is_qualified(text: &str) -> bool {
    let local = |part: &str| is_name(part) && !part.contains(':');
    match text.split_once(':') {
        Some((prefix, name)) => local(prefix) && local(name),
        None => is_name(text),
    }
}
