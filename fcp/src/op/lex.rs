//! Splits a text into words.

use std::borrow::Cow;

use super::error::{Fault, ParseError, shown};
use crate::diag::Span;

/// The limits of an op's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The number of bytes in the trimmed op.
    pub bytes: usize,
    /// The number of words, including the verb.
    pub words: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 1024 * 1024,
            words: 4096,
        }
    }
}

/// The quoted part of a word or value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quoted {
    /// None of it.
    #[default]
    No,
    /// All of it: `"Grand Piano"`.
    Whole,
    /// From after a `:` in it to its end: `track:"Grand Piano"`.
    Value,
}

/// A word of an op, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The text without its quotes, its escapes decoded.
    pub text: Cow<'a, str>,
    /// The place of the word in `raw`, quotes included.
    pub span: Span,
    /// The quoted part.
    pub quoted: Quoted,
}

/// Splits a text into words, whatever they are.
///
/// ```
/// let words = fcp::op::words(r#"  add svc "Auth\tService" text:don't "" "#)?;
/// let texts: Vec<_> = words.iter().map(|word| &*word.text).collect();
/// assert_eq!(texts, ["add", "svc", "Auth\tService", "text:don't", ""]);
/// # Ok::<(), fcp::op::ParseError>(())
/// ```
pub fn words(text: &str) -> Result<Vec<Word<'_>>, ParseError> {
    let raw = trim(text);
    let words: Vec<_> = Lexer::new(raw, Limits::default())
        .map(|token| token.map(Token::into_word))
        .collect::<Result<_, _>>()?;
    if words.is_empty() {
        return Err(empty());
    }
    Ok(words)
}

pub(super) fn empty() -> ParseError {
    ParseError::new(
        Fault::Empty,
        "empty op: an op starts with a verb",
        "",
        Span::default(),
    )
}

/// The four characters that separate words. Any other whitespace, such as a no-break space, is part
/// of a word.
pub(super) const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(SPACES)
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The initial capacity of the list of words: enough for an ordinary op, and small and quickly found
/// however long a hostile one is.
pub(super) fn capacity(raw: &str) -> usize {
    const AT_ONCE: usize = 64;
    const LOOKED_AT: usize = 1 << 12;
    raw.bytes()
        .take(LOOKED_AT)
        .filter(|&byte| is_space(byte))
        .take(AT_ONCE)
        .count()
}

/// A word in two parts, so that either can be borrowed: the part before the quote, and the part
/// inside it.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    /// The unquoted part: all of it, or up to and including the `:` before the quote, or empty.
    pub head: &'a str,
    /// The quoted part, decoded; empty if nothing is quoted.
    pub body: Cow<'a, str>,
    pub span: Span,
    pub quoted: Quoted,
}

impl<'a> Token<'a> {
    pub fn into_word(self) -> Word<'a> {
        let (span, quoted) = (self.span, self.quoted);
        let text = match quoted {
            Quoted::No => Cow::Borrowed(self.head),
            Quoted::Whole => self.body,
            Quoted::Value => Cow::Owned([self.head, &self.body].concat()),
        };
        Word { text, span, quoted }
    }

    /// The word after the first `from` bytes of the head.
    pub fn split_off(self, from: usize) -> Word<'a> {
        let head = self.head.get(from..).unwrap_or("");
        let quoted = match self.quoted {
            Quoted::Value if head.is_empty() => Quoted::Whole,
            quoted => quoted,
        };
        Self {
            head,
            span: Span::new(self.span.start + from, self.span.end),
            quoted,
            ..self
        }
        .into_word()
    }
}

/// Yields the words of a trimmed text up to the first faulty one.
pub(super) struct Lexer<'a> {
    raw: &'a str,
    at: usize,
    count: usize,
    limits: Limits,
}

impl<'a> Lexer<'a> {
    pub fn new(raw: &'a str, limits: Limits) -> Self {
        Self {
            raw,
            at: 0,
            count: 0,
            limits,
        }
    }

    /// The end of the last word.
    pub fn at(&self) -> usize {
        self.at
    }

    fn word(&mut self, start: usize) -> Result<Token<'a>, ParseError> {
        let scan = Scan::word(self.raw.as_bytes(), start);
        let span = Span::new(start, scan.end);
        self.at = scan.end;
        self.count += 1;

        let source = span.of(self.raw);
        let err = |fault, error| Err(ParseError::new(fault, error, self.raw, span));
        if self.count > self.limits.words {
            return err(
                Fault::TooManyWords,
                format!("the op has more than {} words", self.limits.words),
            );
        }
        check(self.raw, span, self.limits.bytes)?;
        let Some(quote) = scan.quote else {
            return Ok(Token {
                head: source,
                body: Cow::Borrowed(""),
                span,
                quoted: Quoted::No,
            });
        };
        let Some(close) = quote.close else {
            return err(
                Fault::UnterminatedQuote,
                format!("unterminated quote: {}", shown(source)),
            );
        };
        if close + 1 != scan.end {
            return err(
                Fault::TextAfterQuote,
                format!("text after a closing quote: {}", shown(source)),
            );
        }
        let body = Span::new(quote.open + 1, close).of(self.raw);
        let body = if quote.escapes {
            match unescape(body) {
                Ok(text) => Cow::Owned(text),
                Err(escape) => {
                    return err(
                        Fault::BadEscape,
                        format!("{} names no character", shown(escape)),
                    );
                }
            }
        } else {
            Cow::Borrowed(body)
        };
        Ok(Token {
            head: Span::new(start, quote.open).of(self.raw),
            body,
            span,
            quoted: if quote.open == start {
                Quoted::Whole
            } else {
                Quoted::Value
            },
        })
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Result<Token<'a>, ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.raw.as_bytes().get(self.at..)?;
        let start = self.at + rest.iter().position(|&byte| !is_space(byte))?;
        let word = self.word(start);
        if word.is_err() {
            self.at = self.raw.len();
        }
        Some(word)
    }
}

/// Checks a word's limit and bytes, whether it is quoted or not.
pub(super) fn check(raw: &str, word: Span, limit: usize) -> Result<(), ParseError> {
    let source = word.of(raw);
    if word.end > limit {
        let error = format!("the op has {} bytes, the limit is {limit}", raw.len());
        return Err(ParseError::new(Fault::TooLong, error, raw, word));
    }
    if source.contains('\0') {
        let error = format!("NUL byte in {}", shown(source));
        return Err(ParseError::new(Fault::Nul, error, raw, word));
    }
    Ok(())
}

/// The bounds of one word, valid or not.
pub(super) struct Scan {
    pub end: usize,
    pub quote: Option<Quote>,
}

pub(super) struct Quote {
    pub open: usize,
    pub close: Option<usize>,
    /// Whether it contains an escape.
    escapes: bool,
}

impl Scan {
    /// Finds the word that starts at `start`, which is not a space. Checks only ASCII bytes, which
    /// are never part of another character, so every bound is between characters.
    pub fn word(bytes: &[u8], start: usize) -> Self {
        let mut at = start;
        // A quote may open at the start of a word, or after `:` or `:=`.
        let mut before = b':';
        while let Some(&byte) = bytes.get(at) {
            match byte {
                byte if is_space(byte) => break,
                b'"' | b'\'' if before == b':' => return Self::quote(bytes, at, byte),
                // After `:`, the sign `=` may also precede a quote; a selector has no `:=`.
                b'=' if before == b':' && at > start && bytes.get(start) != Some(&b'@') => {
                    at += 1;
                    continue;
                }
                _ => at += 1,
            }
            before = byte;
        }
        Self {
            end: at,
            quote: None,
        }
    }

    /// Whether a text would contain an escape if it were quoted.
    pub fn escapes(text: &str) -> bool {
        text.as_bytes()
            .windows(2)
            .any(|pair| matches!(pair, [b'\\', byte] if is_escape(*byte)))
    }

    fn quote(bytes: &[u8], open: usize, mark: u8) -> Self {
        let mut escapes = false;
        let mut at = open + 1;
        let close = loop {
            match bytes.get(at) {
                None => break None,
                Some(&byte) if byte == mark => break Some(at),
                Some(b'\\') => {
                    escapes |= bytes.get(at + 1).is_some_and(|&byte| is_escape(byte));
                    at += 2;
                }
                Some(_) => at += 1,
            }
        };
        let end = close.map_or(bytes.len(), |close| {
            let rest = bytes.get(close + 1..).unwrap_or_default();
            close
                + 1
                + rest
                    .iter()
                    .position(|&byte| is_space(byte))
                    .unwrap_or(rest.len())
        });
        let quote = Quote {
            open,
            close,
            escapes,
        };
        Self {
            end,
            quote: Some(quote),
        }
    }
}

/// Whether a backslash before this byte is an escape, inside quotes.
const fn is_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'\\' | b'n' | b't' | b'r' | b'u')
}

/// Decodes the escapes of a quoted text, or returns the invalid one.
fn unescape(text: &str) -> Result<String, &str> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        out.push_str(plain);
        let (c, used) = match escape.bytes().next() {
            Some(mark @ (b'"' | b'\'' | b'\\')) => (char::from(mark), 1),
            Some(b'n') => ('\n', 1),
            Some(b't') => ('\t', 1),
            Some(b'r') => ('\r', 1),
            Some(b'u') => unicode(escape).ok_or_else(|| shortest(&rest[plain.len()..]))?,
            _ => ('\\', 0),
        };
        out.push(c);
        rest = &escape[used..];
    }
    out.push_str(rest);
    Ok(out)
}

/// The character of `u{HEX}`, `uXXXX` or `uXXXX\uXXXX`, and the number of bytes it takes.
fn unicode(escape: &str) -> Option<(char, usize)> {
    if let Some(braced) = escape.strip_prefix("u{") {
        // U+10FFFF has six digits; more would allow an unbounded run of zeros.
        let digits = braced.bytes().take(7).position(|byte| byte == b'}')?;
        let c = char::from_u32(hex(braced.get(..digits)?)?)?;
        return Some((c, digits + "u{}".len()));
    }
    let first = hex(escape.get(1..5)?)?;
    if let Some(c) = char::from_u32(first) {
        return Some((c, 5));
    }
    let second = hex(escape.get(5..)?.strip_prefix("\\u")?.get(..4)?)?;
    let pair = [u16::try_from(first).ok()?, u16::try_from(second).ok()?];
    match char::decode_utf16(pair).next() {
        Some(Ok(c)) => Some((c, 11)),
        _ => None,
    }
}

fn hex(digits: &str) -> Option<u32> {
    // `from_str_radix` alone would accept a sign.
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}

/// The start of an invalid escape, short enough for a message.
fn shortest(escape: &str) -> &str {
    let end = escape
        .char_indices()
        .nth(12)
        .map_or(escape.len(), |(at, _)| at);
    let end = escape.find('}').map_or(end, |close| end.min(close + 1));
    &escape[..end]
}
