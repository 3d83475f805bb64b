//! What keeps a text from being an op.

use std::fmt;

use serde::Serialize;

use super::repair;
use crate::diag::{Diagnostic, Span, breaks};

/// A text that is no op: what is wrong, and at which word.
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
    /// What is wrong, as a sentence fragment.
    pub error: String,
    /// The text that was sent, trimmed.
    pub raw: String,
    /// The offending word, in `raw`.
    pub span: Span,
    /// What is wrong, for code that wants to tell one fault from another.
    #[serde(skip)]
    pub fault: Fault,
}

/// The ways in which a text fails to be an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// There is no word in it.
    Empty,
    /// It has more bytes than [`Limits::bytes`](super::Limits::bytes).
    TooLong,
    /// It has more words than [`Limits::words`](super::Limits::words).
    TooManyWords,
    /// It holds a NUL byte.
    Nul,
    /// A quote is opened and not closed.
    UnterminatedQuote,
    /// Something other than white space follows a closing quote.
    TextAfterQuote,
    /// A `\u` escape names no character.
    BadEscape,
    /// The first word is no verb.
    NotAVerb,
    /// A word starts with `@` and is no selector.
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

    /// The whole text as it was probably meant, where that can be told. It parses.
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

/// A word short enough for a message, on one line.
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
