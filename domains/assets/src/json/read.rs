//! Parses JSON.

use std::borrow::Cow;
use std::fmt;

use super::{Json, Members};

/// The maximum depth of nested lists and objects.
pub const DEPTH: usize = 128;

/// Reason and place of a parse error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The reason.
    pub what: &'static str,
    /// The byte offset.
    pub at: usize,
}

impl Fault {
    /// The line and the column of the fault, both from 1, the column in characters.
    #[must_use]
    pub fn place(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }
}

impl std::error::Error for Fault {}

/// Parses a whole text as one value (RFC 8259), nested at most 128 deep.
///
/// # Errors
/// The text is not JSON, has trailing text, is too deep, or has a number beyond a double's range.
pub fn read(text: &str) -> Result<Json<'_>, Fault> {
    whole(text, Reader::value)
}

/// Parses a text that is one value and nothing more.
pub(super) fn whole<'s, T>(
    text: &'s str,
    value: impl FnOnce(&mut Reader<'s>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let mut reader = Reader {
        text,
        at: 0,
        depth: 0,
        deepest: 0,
    };
    reader.blank();
    let value = value(&mut reader)?;
    reader.blank();
    if reader.at < text.len() {
        return reader.fault("there is more after the value");
    }
    Ok(value)
}

pub(super) struct Reader<'s> {
    pub(super) text: &'s str,
    pub(super) at: usize,
    pub(super) depth: usize,
    /// The greatest depth so far.
    pub(super) deepest: usize,
}

impl<'s> Reader<'s> {
    pub(super) fn fault<T>(&self, what: &'static str) -> Result<T, Fault> {
        Err(Fault { what, at: self.at })
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    pub(super) fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn value(&mut self) -> Result<Json<'s>, Fault> {
        match self.peek() {
            Some(b'{') => self.inside(Self::object),
            Some(b'[') => self.inside(Self::array),
            Some(b'"') => self.string().map(Json::String),
            _ => self.scalar(),
        }
    }

    /// A value that is neither a list, an object nor a string.
    pub(super) fn scalar(&mut self) -> Result<Json<'s>, Fault> {
        match self.peek() {
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            Some(_) => self.fault("a value is expected"),
            None => self.fault("the text ends where a value is expected"),
        }
    }

    /// Recursion is bounded by [`DEPTH`].
    pub(super) fn inside<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if self.depth == DEPTH {
            return self.fault("values are nested more than 128 deep");
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        self.at += 1;
        self.blank();
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn array(&mut self) -> Result<Json<'s>, Fault> {
        let mut items = Vec::new();
        if self.take(b']') {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value()?);
            self.blank();
            if self.take(b']') {
                items.shrink_to_fit();
                return Ok(Json::Array(items));
            }
            if !self.take(b',') {
                return self.fault("a comma or ] is expected");
            }
            self.blank();
        }
    }

    fn object(&mut self) -> Result<Json<'s>, Fault> {
        let mut members = Members::default();
        if self.take(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            if self.peek() != Some(b'"') {
                return self.fault("a key in quotes is expected");
            }
            let key = self.string()?;
            self.blank();
            if !self.take(b':') {
                return self.fault("a colon is expected");
            }
            self.blank();
            let value = self.value()?;
            members.insert(key, value);
            self.blank();
            if self.take(b'}') {
                // Room for four is made at first, and most objects have fewer members.
                members.shrink_to_fit();
                return Ok(Json::Object(members));
            }
            if !self.take(b',') {
                return self.fault("a comma or } is expected");
            }
            self.blank();
        }
    }

    fn word(&mut self, word: &str, value: Json<'s>) -> Result<Json<'s>, Fault> {
        match self.text.get(self.at..) {
            Some(rest) if rest.starts_with(word) => {
                self.at += word.len();
                Ok(value)
            }
            _ => self.fault("a value is expected"),
        }
    }

    fn digits(&mut self) -> Result<(), Fault> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return self.fault("a digit is expected");
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Json<'s>, Fault> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        let scaled = self.take(b'e') || self.take(b'E');
        if scaled {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        // A double holds any number of 300 digits.
        let small = !scaled && text.len() <= 300;
        if small || text.parse::<f64>().is_ok_and(f64::is_finite) {
            return Ok(Json::Number(Cow::Borrowed(text)));
        }
        self.at = start;
        self.fault("a number is beyond the range of doubles")
    }

    pub(super) fn string(&mut self) -> Result<Cow<'s, str>, Fault> {
        self.at += 1;
        let start = self.at;
        let mut decoded: Option<String> = None;
        let mut from = start;
        loop {
            let ahead = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let plain = |byte: &&u8| !matches!(byte, b'"' | b'\\' | 0..=0x1f);
            self.at += ahead.iter().take_while(plain).count();
            let part = |reader: &Self| reader.text.get(from..reader.at).unwrap_or_default();
            match self.peek() {
                Some(b'"') => {
                    let rest = part(self);
                    self.at += 1;
                    return Ok(match decoded {
                        None => Cow::Borrowed(rest),
                        Some(text) => Cow::Owned(text + rest),
                    });
                }
                Some(b'\\') => {
                    let before = part(self);
                    let mut text = decoded.take().unwrap_or_default();
                    text.push_str(before);
                    text.push(self.escape()?);
                    decoded = Some(text);
                    from = self.at;
                }
                Some(_) => return self.fault("a text has a control character in it"),
                None => return self.fault("a text does not end"),
            }
        }
    }

    pub(super) fn escape(&mut self) -> Result<char, Fault> {
        self.at += 1;
        let plain = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.code(),
            _ => return self.fault("no such escape"),
        };
        self.at += 1;
        Ok(plain)
    }

    /// The character of `u` and four digits, or of a pair of such escapes.
    fn code(&mut self) -> Result<char, Fault> {
        let start = self.at;
        let first = self.hex()?;
        let code = if (0xd800..0xdc00).contains(&first) {
            let paired = self.take(b'\\') && self.peek() == Some(b'u');
            let second = if paired { self.hex()? } else { 0 };
            if !(0xdc00..0xe000).contains(&second) {
                self.at = start;
                return self.fault("half of a surrogate pair");
            }
            0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
        } else {
            first
        };
        match char::from_u32(code) {
            Some(found) => Ok(found),
            None => {
                self.at = start;
                self.fault("half of a surrogate pair")
            }
        }
    }

    fn hex(&mut self) -> Result<u32, Fault> {
        self.at += 1;
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let code = digits.and_then(|digits| str::from_utf8(digits).ok());
        let code = code.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let Some(code) = code else {
            return self.fault("four digits are expected");
        };
        self.at += 4;
        Ok(code)
    }
}
