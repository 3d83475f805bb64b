//! Errors of parsing an op.

use std::fmt;

use serde::Serialize;

use super::repair;
use crate::diag::{Diagnostic, Span, breaks};

/// A text that is not an op: the fault, and the word at fault.
///
/// ```
/// use fcp::{diag::Diagnostic, op::parse};
///
/// let error = parse("add svc \"Auth Service theme:blue").unwrap_err();
/// assert_eq!(error.span.of(&error.raw), "\"Auth Service theme:blue");
/// assert_eq!(
///     Diagnostic::from(error).to_string(),
///     "! unterminated quote: \"Auth Service theme:blue\n  try: add svc \"Auth Service\" theme:blue",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParseError {
    /// The fault, as a sentence fragment.
    pub error: String,
    /// The text that was sent, trimmed.
    pub raw: String,
    /// The offending word, in `raw`.
    pub span: Span,
    /// The fault, for code that distinguishes faults.
    #[serde(skip)]
    pub fault: Fault,
}

/// The faults that keep a text from being an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// It has no words.
    Empty,
    /// It has more bytes than [`Limits::bytes`](super::Limits::bytes).
    TooLong,
    /// It has more words than [`Limits::words`](super::Limits::words).
    TooManyWords,
    /// It holds a NUL byte.
    Nul,
    /// A quote is opened but not closed.
    UnterminatedQuote,
    /// A closing quote is not followed by whitespace or the end.
    TextAfterQuote,
    /// A `\u` escape is not a character.
    BadEscape,
    /// The first word is not a verb.
    NotAVerb,
    /// A word starts with `@` but is not a selector.
    BadSelector,
}

impl ParseError {
    pub(super) fn new(fault: Fault, error: impl Into<String>, raw: &str, span: Span) -> Self {
        Self {
            error: error.into(),
            raw: raw.to_owned(),
            span,
            fault,
        }
    }

    /// The whole text as it was probably meant, if that is clear. It parses.
    ///
    /// ```
    /// let error = fcp::op::parse(r#"mute on:"Grand Piano","Bass Drum""#).unwrap_err();
    /// assert_eq!(error.repair().as_deref(), Some(r#"mute on:"Grand Piano,Bass Drum""#));
    /// ```
    #[must_use]
    pub fn repair(&self) -> Option<String> {
        repair::of(self)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error)
    }
}

impl std::error::Error for ParseError {}

impl From<ParseError> for Diagnostic {
    fn from(error: ParseError) -> Self {
        let repair = error.repair();
        let diagnostic = Self::new(error.error).at(error.span);
        match repair {
            Some(op) => diagnostic.or_try(op),
            None => diagnostic,
        }
    }
}

/// A word shortened for a message, on one line.
pub(super) fn shown(word: &str) -> String {
    const MOST: usize = 40;
    let mut out = String::new();
    for (count, c) in word.chars().enumerate() {
        if count == MOST {
            out.push('…');
            break;
        }
        if breaks(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}
