//! Source text without parts that a check must ignore: comments, strings, tests.

/// Rust source with some of it blanked. Lines and columns stay the same.
pub struct Masked {
    /// The code without comments, strings and code compiled only for tests.
    pub code: String,
    /// The code with its strings.
    pub spoken: String,
}

/// Blanks everything that is not code.
pub fn masked(text: &str) -> Masked {
    let (mut code, mut spoken) = (text.as_bytes().to_vec(), text.as_bytes().to_vec());
    for (start, end, kind) in pieces(text) {
        blank(&mut code[start..end]);
        if kind == Kind::Comment {
            blank(&mut spoken[start..end]);
        }
    }
    let mut code = String::from_utf8_lossy(&code).into_owned();
    for (start, end) in tests(&code) {
        let mut bytes = code.into_bytes();
        blank(&mut bytes[start..end]);
        blank(&mut spoken[start..end]);
        code = String::from_utf8_lossy(&bytes).into_owned();
    }
    Masked {
        code,
        spoken: String::from_utf8_lossy(&spoken).into_owned(),
    }
}

/// The ranges of comments and literals.
pub fn pieces(text: &str) -> Vec<(usize, usize, Kind)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let (length, kind) = token(&text[at..], text[..at].chars().next_back());
        if kind != Kind::Code {
            found.push((at, at + length, kind));
        }
        at += length;
    }
    found
}

/// The code with that of tests, and without comments and literals.
pub fn code(text: &str) -> String {
    let mut code = text.as_bytes().to_vec();
    for (start, end, _) in pieces(text) {
        blank(&mut code[start..end]);
    }
    String::from_utf8_lossy(&code).into_owned()
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A character of the code.
    Code,
    /// A comment.
    Comment,
    /// A string or character literal.
    Text,
}

/// The length and kind of the token at the start. `before` is the character before it.
fn token(rest: &str, before: Option<char>) -> (usize, Kind) {
    let bytes = rest.as_bytes();
    let one = rest.chars().next().map_or(1, char::len_utf8);
    match bytes[0] {
        b'/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), Kind::Comment),
        b'/' if rest.starts_with("/*") => (block(bytes), Kind::Comment),
        b'"' => (string(bytes, 1), Kind::Text),
        // A raw string, unless this is the end of a longer name.
        b'r' if !before
            .is_some_and(|c| c.is_alphanumeric() && !matches!(c, 'b' | 'c') || c == '_') =>
        {
            let hashes = bytes[1..].iter().take_while(|b| **b == b'#').count();
            if bytes.get(1 + hashes) != Some(&b'"') {
                return (one, Kind::Code);
            }
            let end = format!("\"{}", "#".repeat(hashes));
            let start = hashes + 2;
            let length = rest[start..].find(&end).map(|at| start + at + end.len());
            (length.unwrap_or(rest.len()), Kind::Text)
        }
        b'\'' => {
            let mut chars = rest[1..].chars();
            match (chars.next(), chars.next()) {
                (Some('\\'), _) => {
                    let escaped = rest.char_indices().nth(3).map_or(rest.len(), |(at, _)| at);
                    let end = rest[escaped..]
                        .find('\'')
                        .map_or(rest.len(), |at| escaped + at + 1);
                    (end, Kind::Text)
                }
                (Some(c), Some('\'')) => (c.len_utf8() + 2, Kind::Text),
                // A lifetime.
                _ => (1, Kind::Code),
            }
        }
        _ => (one, Kind::Code),
    }
}

fn block(bytes: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => (depth, at) = (depth + 1, at + 2),
            Some(b"*/") => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

fn string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The ranges of items compiled only for tests.
fn tests(code: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (start, mark) in code.match_indices("#[cfg(test)]") {
        let from = start + mark.len();
        let Some(first) = code[from..].find(['{', ';']).map(|at| from + at) else {
            continue;
        };
        let mut depth = 0;
        let mut end = first + 1;
        if code.as_bytes()[first] == b'{' {
            for (at, c) in code[first..].char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    end = first + at + 1;
                    break;
                }
            }
        }
        found.push((start, end));
    }
    found
}

/// The names in a text, each with its byte offset.
pub fn names(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(move |c: char| part(c))
        .filter(move |(at, _)| !text[..*at].chars().next_back().is_some_and(part))
        .map(move |(at, _)| {
            let rest = &text[at..];
            let end = rest.find(|c: char| !part(c)).unwrap_or(rest.len());
            (at, &rest[..end])
        })
}

/// The line of a byte, from 1.
pub fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_blanked() {
        let text = "a /* b /* c */ d */ e \"f // \\\" g\" h // i\nj r#\"k \" l\"# 'm' '\\'' '\\u{6e}' 'o: b\"p\" é";
        let masked = masked(text);
        let seen: Vec<&str> = names(&masked.code).map(|(_, name)| name).collect();
        assert_eq!(seen, ["a", "e", "h", "j", "o", "b", "é"]);
        assert!(masked.spoken.contains("\"f // \\\" g\""));
        assert!(!masked.spoken.contains('i'));
        assert_eq!(masked.code.len(), text.len());
        assert_eq!(masked.code.matches('\n').count(), 1);
    }

    #[test]
    fn tests_are_blanked() {
        let text = "a\n#[cfg(test)]\nmod tests { fn b() { \"}\" } }\nc\n#[cfg(test)]\nmod d;\ne";
        let masked = masked(text);
        let seen: Vec<&str> = names(&masked.code).map(|(_, name)| name).collect();
        assert_eq!(seen, ["a", "c", "e"]);
        assert!(!masked.spoken.contains('}'));
    }
}
