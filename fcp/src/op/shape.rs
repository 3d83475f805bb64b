//! The kind of a word, by its shape alone.

use super::lex::{Quoted, Token};

/// An arrow between two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrowKind {
    /// `->`
    Forward,
    /// `<->`
    Both,
    /// `--`
    Line,
}

impl ArrowKind {
    /// The arrow as it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Forward => "->",
            Self::Both => "<->",
            Self::Line => "--",
        }
    }

    fn of(text: &str) -> Option<Self> {
        [Self::Forward, Self::Both, Self::Line]
            .into_iter()
            .find(|kind| kind.as_str() == text)
    }
}

/// The shapes of a word, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Quoted,
    Selector,
    Arrow(ArrowKind),
    Formula,
    Range,
    /// With the index of the colon in the head.
    Param(usize),
    Plain,
}

impl Shape {
    pub fn of(token: &Token<'_>) -> Self {
        let head = token.head;
        let bare = token.quoted == Quoted::No;
        if token.quoted == Quoted::Whole {
            Self::Quoted
        } else if head.len() > 1 && head.starts_with('@') {
            Self::Selector
        } else if let Some(kind) = ArrowKind::of(head) {
            Self::Arrow(kind)
        } else if head.starts_with('=') {
            Self::Formula
        } else if is_range(head) {
            Self::Range
        } else if let Some(colon) = head.find(':')
            && is_key(&head[..colon])
            && !(bare && colon + 1 == head.len())
        {
            Self::Param(colon)
        } else {
            Self::Plain
        }
    }
}

fn is_key(text: &str) -> bool {
    let part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    !text.is_empty() && text.bytes().all(part)
}

/// `A1:F1`, `1:5` or `Sheet2!A1:B10`. Whole columns (`A:E`) look like any `key:value` and count as
/// one. The part before a quoted value ends in its colon, so it is never a range.
fn is_range(text: &str) -> bool {
    let Some((from, to)) = text.rsplit_once(':') else {
        return false;
    };
    match from.rsplit_once('!') {
        Some((sheet, from)) => {
            !sheet.is_empty() && !sheet.contains(':') && is_cell(from) && is_cell(to)
        }
        None => (is_cell(from) && is_cell(to)) || (is_number(from) && is_number(to)),
    }
}

fn is_cell(text: &str) -> bool {
    let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
    (1..=3).contains(&letters) && is_number(&text[letters..])
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word can be a verb: a letter of any script, then letters, their accents and vowel signs, digits, `_`, `-`
/// and `.`.
pub(super) fn is_verb(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_alphabetic)
        && chars.all(|c| {
            c.is_alphabetic() || unicode_ident::is_xid_continue(c) || matches!(c, '-' | '.')
        })
}
