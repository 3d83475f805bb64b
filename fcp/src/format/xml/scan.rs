//! A cursor in a text.

use super::chars::{is_char, is_space, name_len};
use super::error::{Fault, Reason};

/// A cursor in a text.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'t> {
    pub text: &'t str,
    pub at: usize,
}

type Step<T> = Result<T, Fault>;

impl<'t> Scan<'t> {
    pub const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The text after the cursor.
    pub fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub fn sees(&self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    pub fn fault<T>(&self, reason: Reason) -> Step<T> {
        Err(Fault::new(self.at, reason))
    }

    /// Skips a text, if it is next.
    pub fn take(&mut self, text: &str) -> bool {
        let seen = self.sees(text);
        if seen {
            self.at += text.len();
        }
        seen
    }

    /// Skips a text that must be next.
    pub fn expect(&mut self, text: &'static str) -> Step<()> {
        if self.take(text) {
            return Ok(());
        }
        self.fault(Reason::Expected(text))
    }

    /// Skips whitespace. Returns whether there was any.
    pub fn spaces(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
        self.at > start
    }

    /// Skips whitespace that must be next.
    pub fn need_spaces(&mut self) -> Step<()> {
        if self.spaces() {
            return Ok(());
        }
        self.fault(Reason::Expected("white space"))
    }

    /// Reads a name.
    pub fn name(&mut self) -> Step<&'t str> {
        let rest = self.rest();
        let name = &rest[..name_len(rest)];
        if name.is_empty() {
            return self.fault(Reason::Expected("a name"));
        }
        self.at += name.len();
        Ok(name)
    }

    /// Reads a name with at most one prefix.
    pub fn qualified(&mut self) -> Step<&'t str> {
        let start = self.at;
        let name = self.name()?;
        if name.contains(':') && !super::chars::is_qualified(name) {
            return Err(Fault::new(
                start,
                Reason::Expected("a name with one prefix"),
            ));
        }
        Ok(name)
    }

    /// Skips to after a text that must occur, and returns the text before it.
    pub fn until(&mut self, end: &str, within: &'static str) -> Step<&'t str> {
        let rest = self.rest();
        let Some(len) = rest.find(end) else {
            return self.fault(Reason::Ends(within));
        };
        self.at += len + end.len();
        Ok(&rest[..len])
    }

    /// Reads a text in quotes. Returns it without them, with its place.
    pub fn quoted(&mut self, within: &'static str) -> Step<(usize, &'t str)> {
        let quote = match self.peek() {
            Some(b'"') => "\"",
            Some(b'\'') => "'",
            _ => return self.fault(Reason::Expected("a quote")),
        };
        self.at += 1;
        let start = self.at;
        Ok((start, self.until(quote, within)?))
    }

    /// Skips a comment.
    pub fn comment(&mut self) -> Step<()> {
        self.expect("<!--")?;
        let start = self.at;
        let text = self.until("--", "a comment")?;
        if !self.take(">") {
            return Err(Fault::new(start + text.len(), Reason::DoubleHyphen));
        }
        Ok(())
    }

    /// Skips a processing instruction.
    pub fn instruction(&mut self) -> Step<()> {
        let start = self.at;
        self.expect("<?")?;
        let target = self.name()?;
        if target == "xml" {
            return Err(Fault::new(start, Reason::LateDeclaration));
        }
        if target.eq_ignore_ascii_case("xml") || target.contains(':') {
            return Err(Fault::new(start, Reason::PiTarget(target.to_owned())));
        }
        if !self.sees("?>") {
            self.need_spaces()?;
        }
        self.until("?>", "a processing instruction").map(drop)
    }

    /// Skips an XML declaration.
    pub fn declaration(&mut self) -> Step<()> {
        self.expect("<?xml")?;
        self.need_spaces()?;
        self.expect("version")?;
        let version = self.setting()?;
        let digits = version.strip_prefix("1.").unwrap_or("");
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.fault(Reason::Expected("version 1.0"));
        }
        let mut spaces = self.spaces();
        if spaces && self.take("encoding") {
            let name = self.setting()?;
            let rest = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
            if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.bytes().all(rest) {
                return self.fault(Reason::Expected("the name of an encoding"));
            }
            spaces = self.spaces();
        }
        if spaces && self.take("standalone") {
            if !matches!(self.setting()?, "yes" | "no") {
                return self.fault(Reason::Expected("standalone yes or no"));
            }
            self.spaces();
        }
        self.expect("?>")
    }

    /// Reads an equals sign and a text in quotes.
    fn setting(&mut self) -> Step<&'t str> {
        self.spaces();
        self.expect("=")?;
        self.spaces();
        Ok(self.quoted("the XML declaration")?.1)
    }
}

/// The first character that is forbidden in a document.
pub fn forbidden(text: &str) -> Option<Fault> {
    // Control characters are forbidden, and two that begin with the byte EF: rare enough to search
    // for these bytes first.
    let suspect = |byte: &u8| (*byte < b' ' && !is_space(*byte)) || *byte == 0xef;
    if !text.as_bytes().iter().any(suspect) {
        return None;
    }
    let (at, c) = text.char_indices().find(|(_, c)| !is_char(*c))?;
    Some(Fault::new(at, Reason::ForbiddenChar(c)))
}
