//! The tokens of CSS (CSS Syntax Module Level 3, section 4), with their byte ranges.

use std::ops::Range;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: Kind,
    /// All its bytes.
    pub span: Range<usize>,
    /// The bytes of its name; for a string those between the quotes, for a URL those between the
    /// parentheses.
    pub inner: Range<usize>,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whitespace.
    White,
    /// A comment.
    Comment,
    /// A name.
    Ident,
    /// A name and `(`.
    Function,
    /// `@` and a name.
    At,
    /// `#` and a name, which may be an id if it is a valid identifier.
    Hash {
        /// Whether it is a valid identifier.
        id: bool,
    },
    /// A string in quotes.
    Text,
    /// A string cut off by the end of the line.
    BadText,
    /// `url(…)` without quotes.
    Url,
    /// `url(…)` with characters that are not allowed unquoted.
    BadUrl,
    /// A number, with a unit or without.
    Number,
    /// `<!--` or `-->`.
    Fence,
    /// Any other sign, including brackets.
    Sign(u8),
}

/// The tokens of a text, in order and without gaps.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    let mut scan = Scan { text, at: 0 };
    let mut all = Vec::new();
    while scan.at < text.len() {
        let start = scan.at;
        let (kind, inner) = scan.token();
        // Each token has at least one byte.
        scan.at = scan.at.max(start + 1).min(text.len());
        all.push(Token {
            kind,
            span: start..scan.at,
            inner,
        });
    }
    all
}

/// Whether a text leaves no string, comment, bracket or escape open that would include text after
/// it.
#[must_use]
pub fn is_closed(text: &str) -> bool {
    let behind = format!("{text};");
    let mut open = Vec::new();
    let mut last = 0;
    for token in tokens(&behind) {
        match token.kind {
            Kind::Function | Kind::Sign(b'(') => open.push(b')'),
            Kind::Sign(b'[') => open.push(b']'),
            Kind::Sign(b'{') => open.push(b'}'),
            Kind::Sign(sign @ (b')' | b']' | b'}')) if open.pop() != Some(sign) => return false,
            Kind::BadText | Kind::BadUrl => return false,
            _ => {}
        }
        last = token.span.start;
    }
    open.is_empty() && last == text.len()
}

struct Scan<'t> {
    text: &'t str,
    at: usize,
}

impl Scan<'_> {
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn sees(&self, text: &str) -> bool {
        let rest = self.text.as_bytes().get(self.at..);
        rest.is_some_and(|rest| rest.starts_with(text.as_bytes()))
    }

    /// Whether a valid escape of a name begins here.
    fn escape(&self, ahead: usize) -> bool {
        self.byte(ahead) == Some(b'\\')
            && !matches!(self.byte(ahead + 1), None | Some(b'\n' | b'\r' | b'\x0c'))
    }

    fn begins_name(&self, ahead: usize) -> bool {
        match self.byte(ahead) {
            Some(b'-') => {
                self.byte(ahead + 1)
                    .is_some_and(|b| b == b'-' || is_first(b))
                    || self.escape(ahead + 1)
            }
            Some(b'\\') => self.escape(ahead),
            Some(byte) => is_first(byte),
            None => false,
        }
    }

    fn begins_number(&self) -> bool {
        let digit = |ahead| self.byte(ahead).is_some_and(|b| b.is_ascii_digit());
        match self.byte(0) {
            Some(b'+' | b'-') => digit(1) || self.byte(1) == Some(b'.') && digit(2),
            Some(b'.') => digit(1),
            _ => digit(0),
        }
    }

    fn name(&mut self) {
        loop {
            match self.byte(0) {
                Some(byte) if is_inside(byte) => self.at += 1,
                Some(b'\\') if self.escape(0) => self.pass_escape(),
                _ => return,
            }
        }
    }

    /// Skips a backslash and the characters it escapes.
    fn pass_escape(&mut self) {
        self.at += 1;
        let hex = (0..6).take_while(|n| self.byte(*n).is_some_and(|b| b.is_ascii_hexdigit()));
        let hex = hex.count();
        if hex == 0 {
            let next = self
                .text
                .get(self.at..)
                .and_then(|rest| rest.chars().next());
            self.at += next.map_or(0, char::len_utf8);
            return;
        }
        self.at += hex;
        if self.sees("\r\n") {
            self.at += 2;
        } else if self.byte(0).is_some_and(is_white) {
            self.at += 1;
        }
    }

    fn token(&mut self) -> (Kind, Range<usize>) {
        let start = self.at;
        let Some(byte) = self.byte(0) else {
            return (Kind::White, start..start);
        };
        if is_white(byte) {
            while self.byte(0).is_some_and(is_white) {
                self.at += 1;
            }
            return (Kind::White, start..start);
        }
        if self.sees("/*") {
            let rest = self.text.get(start + 2..).unwrap_or_default();
            self.at = rest
                .find("*/")
                .map_or(self.text.len(), |len| start + len + 4);
            return (Kind::Comment, start..start);
        }
        if matches!(byte, b'"' | b'\'') {
            return self.string(byte);
        }
        if byte == b'#' && (self.byte(1).is_some_and(is_inside) || self.escape(1)) {
            let id = self.begins_name(1);
            self.at += 1;
            self.name();
            return (Kind::Hash { id }, start + 1..self.at);
        }
        if self.begins_number() {
            return self.number();
        }
        for fence in ["-->", "<!--"] {
            if self.sees(fence) {
                self.at += fence.len();
                return (Kind::Fence, start..start);
            }
        }
        if byte == b'@' && self.begins_name(1) {
            self.at += 1;
            self.name();
            return (Kind::At, start + 1..self.at);
        }
        if self.begins_name(0) {
            return self.word();
        }
        self.at += 1;
        (Kind::Sign(byte), start..self.at)
    }

    fn word(&mut self) -> (Kind, Range<usize>) {
        let start = self.at;
        self.name();
        let name = start..self.at;
        if self.byte(0) != Some(b'(') {
            return (Kind::Ident, name);
        }
        self.at += 1;
        let url = self.text.get(name.clone()).unwrap_or_default();
        if !super::unescaped(url).eq_ignore_ascii_case("url") {
            return (Kind::Function, name);
        }
        let mut ahead = 0;
        while self.byte(ahead).is_some_and(is_white) {
            ahead += 1;
        }
        if matches!(self.byte(ahead), Some(b'"' | b'\'')) {
            return (Kind::Function, name);
        }
        self.at += ahead;
        self.url()
    }

    /// The rest of `url(` without quotes.
    fn url(&mut self) -> (Kind, Range<usize>) {
        let start = self.at;
        let mut end = None;
        loop {
            match self.byte(0) {
                None => return (Kind::Url, start..end.unwrap_or(self.at)),
                Some(b')') => {
                    let end = end.unwrap_or(self.at);
                    self.at += 1;
                    return (Kind::Url, start..end);
                }
                Some(byte) if is_white(byte) => {
                    end.get_or_insert(self.at);
                    self.at += 1;
                }
                Some(b'\\') if self.escape(0) && end.is_none() => self.pass_escape(),
                Some(byte)
                    if end.is_none()
                        && !matches!(byte, b'"' | b'\'' | b'(' | b'\\')
                        && (byte >= b' ' && byte != 0x7f) =>
                {
                    self.at += 1;
                }
                Some(_) => break,
            }
        }
        // A bad URL still ends at its parenthesis.
        loop {
            match self.byte(0) {
                None => break,
                Some(b')') => {
                    self.at += 1;
                    break;
                }
                Some(b'\\') if self.escape(0) => self.pass_escape(),
                Some(_) => self.at += 1,
            }
        }
        (Kind::BadUrl, start..start)
    }

    fn string(&mut self, quote: u8) -> (Kind, Range<usize>) {
        self.at += 1;
        let start = self.at;
        loop {
            match self.byte(0) {
                None => return (Kind::Text, start..self.at),
                Some(byte) if byte == quote => {
                    self.at += 1;
                    return (Kind::Text, start..self.at - 1);
                }
                Some(b'\n' | b'\r' | b'\x0c') => return (Kind::BadText, start..start),
                Some(b'\\') => {
                    self.at += 1;
                    let next = self
                        .text
                        .get(self.at..)
                        .and_then(|rest| rest.chars().next());
                    self.at += next.map_or(0, char::len_utf8);
                }
                Some(_) => self.at += 1,
            }
        }
    }

    fn number(&mut self) -> (Kind, Range<usize>) {
        let start = self.at;
        let digit = |scan: &Self, ahead| scan.byte(ahead).is_some_and(|b| b.is_ascii_digit());
        self.at += usize::from(matches!(self.byte(0), Some(b'+' | b'-')));
        while digit(self, 0) {
            self.at += 1;
        }
        if self.byte(0) == Some(b'.') && digit(self, 1) {
            self.at += 1;
            while digit(self, 0) {
                self.at += 1;
            }
        }
        if matches!(self.byte(0), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.byte(1), Some(b'+' | b'-')));
            if digit(self, 1 + sign) {
                self.at += 1 + sign;
                while digit(self, 0) {
                    self.at += 1;
                }
            }
        }
        if self.begins_name(0) {
            self.name();
        } else if self.byte(0) == Some(b'%') {
            self.at += 1;
        }
        (Kind::Number, start..self.at)
    }
}

const fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c')
}

const fn is_first(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || !byte.is_ascii()
}

const fn is_inside(byte: u8) -> bool {
    is_first(byte) || byte.is_ascii_digit() || byte == b'-'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_cover_their_text() {
        for text in [
            "#a\\:b { fill: url( #c ) } /* #d */ 'e",
            "url(a b) url( 'x' ) @media -->\u{fc}",
            "1e3 -.5px #123 .5 --x \\",
            "'a\nb' url(\\",
            "url(",
            "#",
            "-",
        ] {
            let all = tokens(text);
            let mut at = 0;
            for token in &all {
                assert_eq!(token.span.start, at, "{text}");
                assert!(text.get(token.span.clone()).is_some(), "{text}");
                assert!(text.get(token.inner.clone()).is_some(), "{text}");
                at = token.span.end;
            }
            assert_eq!(at, text.len(), "{text}");
        }
    }

    #[test]
    fn kinds_are_those_of_the_standard() {
        let kinds = |text: &str| -> Vec<Kind> {
            let all = tokens(text).into_iter().map(|token| token.kind);
            all.filter(|kind| *kind != Kind::White).collect()
        };
        for (text, wanted) in [
            ("#fab", vec![Kind::Hash { id: true }]),
            ("#123", vec![Kind::Hash { id: false }]),
            ("#\\31 23", vec![Kind::Hash { id: true }]),
            ("url(#a)", vec![Kind::Url]),
            ("URL( #a )", vec![Kind::Url]),
            (
                "url('#a')",
                vec![Kind::Function, Kind::Text, Kind::Sign(b')')],
            ),
            ("url(a'b)c", vec![Kind::BadUrl, Kind::Ident]),
            ("'a\nb", vec![Kind::BadText, Kind::Ident]),
            ("-1.5e+3px", vec![Kind::Number]),
            ("<!-- -->", vec![Kind::Fence, Kind::Fence]),
            ("--x", vec![Kind::Ident]),
            ("@media", vec![Kind::At]),
            ("a:b", vec![Kind::Ident, Kind::Sign(b':'), Kind::Ident]),
        ] {
            assert_eq!(kinds(text), wanted, "{text}");
        }
    }
}
