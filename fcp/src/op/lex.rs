//! From text to words.

use std::borrow::Cow;

use super::error::{Fault, ParseError, shown};
use crate::diag::Span;

/// How much text is taken for one op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the trimmed op.
    pub bytes: usize,
    /// Words, the verb among them.
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

/// Where a word, or a value, had quotes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quoted {
    /// Nowhere.
    #[default]
    No,
    /// All of it: `"Grand Piano"`.
    Whole,
    /// From behind a `:` in it to its end: `track:"Grand Piano"`.
    Value,
}

/// A word of an op, as it is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// The text without its quotes, its escapes decoded.
    pub text: Cow<'a, str>,
    /// The place of the word in `raw`, quotes included.
    pub span: Span,
    /// Where it had quotes.
    pub quoted: Quoted,
}

/// Cuts a text into words, without asking what they are.
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

/// The four characters that separate words. Any other blank, such as a no-break space, is part of one.
pub(super) const SPACES: [char; 4] = [' ', '\t', '\r', '\n'];

pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(SPACES)
}

const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// No more list than an op of ordinary size needs at once, however many blanks a hostile one holds.
pub(super) fn capacity(raw: &str) -> usize {
    const AT_ONCE: usize = 64;
    raw.bytes()
        .filter(|&byte| is_space(byte))
        .take(AT_ONCE)
        .count()
}

/// A word in its two parts, so that either can be borrowed: what stands before the quote, and what stands in it.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    /// The unquoted part: all of it, or up to and including the `:` before the quote, or nothing.
    pub head: &'a str,
    /// The quoted part, decoded. Empty where nothing is quoted.
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

    /// What follows the first `from` bytes of the head, as a word of its own.
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

/// Yields the words of a trimmed text up to the first that is wrong.
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

    /// The byte behind the last word.
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
                format!("text behind a closing quote: {}", shown(source)),
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

/// What holds for every word, in quotes or not.
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

/// The bounds of one word, right or wrong.
pub(super) struct Scan {
    pub end: usize,
    pub quote: Option<Quote>,
}

pub(super) struct Quote {
    pub open: usize,
    pub close: Option<usize>,
    /// Whether anything in it must be decoded.
    escapes: bool,
}

impl Scan {
    /// The word that starts at `start`, which is no space. Looks at ASCII bytes only, which are never part of another
    /// character, so every bound lies between characters.
    pub fn word(bytes: &[u8], start: usize) -> Self {
        let mut at = start;
        // A quote opens at the start of a word as it does after `:` and `:=`.
        let mut before = b':';
        while let Some(&byte) = bytes.get(at) {
            match byte {
                byte if is_space(byte) => break,
                b'"' | b'\'' if before == b':' => return Self::quote(bytes, at, byte),
                // Both signs together open as one does; a selector has no `:=`.
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

    /// Whether anything in a text would be decoded if it stood in quotes.
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

/// Whether a backslash in quotes means something before this byte.
const fn is_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'\\' | b'n' | b't' | b'r' | b'u')
}

/// Decodes the escapes of a quoted text, or gives back the one that names no character.
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

/// The character that `u{HEX}`, `uXXXX` or `uXXXX\uXXXX` names, and the bytes that takes.
fn unicode(escape: &str) -> Option<(char, usize)> {
    if let Some(braced) = escape.strip_prefix("u{") {
        // U+10FFFF has six digits; more of them would be an unbounded run of zeros.
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
    // `from_str_radix` alone would take a sign.
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}

/// As much of a wrong escape as a message needs.
fn shortest(escape: &str) -> &str {
    let end = escape
        .char_indices()
        .nth(12)
        .map_or(escape.len(), |(at, _)| at);
    let end = escape.find('}').map_or(end, |close| end.min(close + 1));
    &escape[..end]
}
