//! Errors: what is wrong, where, and how to repair it.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use serde::Serialize;

use crate::work::Spent;

/// A range of bytes in the op (or query, or action) that was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The text this span covers; empty if the span is outside the text.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// `text` with this span's bytes replaced. A span outside the text replaces nothing.
    #[must_use]
    pub fn replace(self, text: &str, with: &str) -> String {
        match (text.get(..self.start), text.get(self.end..)) {
            (Some(before), Some(after)) => format!("{before}{with}{after}"),
            _ => text.to_owned(),
        }
    }
}

/// A suggested repair. An error shows at most one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Repair {
    /// No repair is known here; an outer layer may know one.
    #[default]
    None,
    /// A complete op, action or query that would work. One that belongs to another tool starts with that tool's
    /// sign: `! save smf:1`, `? list @type:db`.
    Try(String),
    /// Like [`Try`](Self::Try), but shown without a test run, which would take too long.
    Untried(String),
    /// Words that make the op work when they are added to it: `at:end`.
    Add(String),
    /// The syntax line of the intended verb.
    Syntax(String),
}

/// An error in the domain's words, with its place in the op and its repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// One sentence fragment, no full stop: `Track "Drums" not found`.
    pub message: String,
    /// The faulty part of the op, if there is one.
    pub span: Option<Span>,
    /// The suggested repair.
    pub repair: Repair,
    /// The name that was not found, if that is the error: perhaps an earlier op that failed was to
    /// make it.
    pub missing: Option<String>,
    /// A query for the names that can be used, if the error is of an unknown one: `? tables notes`.
    /// It is suggested if no repair works.
    pub look: Option<Box<str>>,
}

/// A result whose error can be shown to an agent unchanged.
pub type Result<T, E = Diagnostic> = std::result::Result<T, E>;

impl Diagnostic {
    /// An error without a place or repair yet.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            span: None,
            repair: Repair::None,
            missing: None,
            look: None,
        }
    }

    /// Sets the query for the names that can be used.
    #[must_use]
    pub fn looking(mut self, query: Option<Box<str>>) -> Self {
        self.look = query;
        self
    }

    /// Suggests the query for the names that can be used, unless something else to send is known.
    #[must_use]
    pub fn or_look(mut self) -> Self {
        if let (Repair::None | Repair::Syntax(_), Some(look)) = (&self.repair, &self.look) {
            self.repair = Repair::Try(look.to_string());
        }
        self
    }

    /// Sets the place, unless one is already known.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span.get_or_insert(span);
        self
    }

    /// Suggests an op, unless a repair is already known.
    #[must_use]
    pub fn or_try(mut self, op: impl Into<String>) -> Self {
        if self.repair == Repair::None {
            self.repair = Repair::Try(op.into());
        }
        self
    }

    /// Suggests an op if one is known, unless a repair is already known.
    #[must_use]
    pub fn maybe_try(self, op: Option<impl Into<String>>) -> Self {
        match op {
            Some(op) => self.or_try(op),
            None => self,
        }
    }

    /// Suggests an op whose test run would take too long, unless a repair is already known.
    #[must_use]
    pub fn or_untried(mut self, op: impl Into<String>) -> Self {
        if self.repair == Repair::None {
            self.repair = Repair::Untried(op.into());
        }
        self
    }

    /// Suggests words to add to the op, unless a repair is already known.
    #[must_use]
    pub fn or_add(mut self, words: impl Into<String>) -> Self {
        if self.repair == Repair::None {
            self.repair = Repair::Add(words.into());
        }
        self
    }

    /// Turns words to add to `op` into a complete op.
    #[must_use]
    pub fn in_op(mut self, op: &str) -> Self {
        if let Repair::Add(words) = &self.repair {
            self.repair = Repair::Try(format!("{op} {words}"));
        }
        self
    }

    /// Suggests the verb's syntax line, unless a repair is already known.
    #[must_use]
    pub fn or_syntax(mut self, line: impl Into<String>) -> Self {
        if self.repair == Repair::None {
            self.repair = Repair::Syntax(line.into());
        }
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "! {}", one_line(&self.message))?;
        match &self.repair {
            Repair::None => Ok(()),
            Repair::Try(op) | Repair::Untried(op) => write!(f, "\n  try: {}", one_line(op)),
            Repair::Add(words) => write!(f, "\n  add: {}", one_line(words)),
            Repair::Syntax(line) => write!(f, "\n  syntax: {}", one_line(line)),
        }
    }
}

/// A text on one line: names, values and paths must not forge lines of a reply, move a terminal's
/// cursor or reverse the text. Line breaks are shown as `\n` and `\r`, other characters that
/// [`breaks`] finds as U+FFFD, except tabs.
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    masked(text, |c| c == '\t')
}

/// Like [`one_line`], but line feeds are kept.
#[must_use]
pub fn plain_lines(text: &str) -> Cow<'_, str> {
    masked(text, |c| matches!(c, '\n' | '\t'))
}

/// Like [`one_line`], but only control characters are masked.
#[must_use]
pub fn uncontrolled(text: &str) -> Cow<'_, str> {
    masked(text, |c| c == '\t' || !c.is_control())
}

/// A path on one line.
#[must_use]
pub fn shown_path(path: &Path) -> String {
    one_line(&path.to_string_lossy()).into_owned()
}

/// A name that a caller made up, for an error: on one line, and cut after 60 characters.
#[must_use]
pub fn short_name(name: &str) -> String {
    const MOST: usize = 60;
    let mut chars = name.chars();
    let mut short: String = chars.by_ref().take(MOST).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    one_line(&short).into_owned()
}

fn masked(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(|c| breaks(c) && !keep(c)) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_plain = !breaks(c) || keep(c) || joins(before, c, chars.peek().copied());
        match c {
            c if is_plain => shown.push(c),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            _ => shown.push('\u{fffd}'),
        }
        before = Some(c);
    }
    shown.into()
}

/// Whether a character may start a new line, is invisible, or changes the direction of a text.
#[must_use]
pub fn breaks(c: char) -> bool {
    // ASCII is the most common and is decided at once.
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180e}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Whether a joiner belongs to the characters around it: to an emoji sequence, or to letters that
/// join or not.
fn joins(before: Option<char>, c: char, after: Option<char>) -> bool {
    let shown = |c: Option<char>| c.is_some_and(|c| !c.is_ascii() && !breaks(c));
    matches!(c, '\u{200c}' | '\u{200d}') && shown(before) && shown(after)
}

impl std::error::Error for Diagnostic {}

impl From<Spent> for Diagnostic {
    fn from(spent: Spent) -> Self {
        Self::new(spent.to_string())
    }
}

/// Returns from the function with a [`Diagnostic`].
///
/// ```
/// use fcp::{bail, diag::Result};
///
/// fn check(beats: u32) -> Result<()> {
///     if beats == 0 {
///         bail!("a bar needs beats"; try: "time-sig 4/4");
///     }
///     Ok(())
/// }
/// assert_eq!(check(0).unwrap_err().to_string(), "! a bar needs beats\n  try: time-sig 4/4");
/// ```
#[macro_export]
macro_rules! bail {
    ($message:literal $(, $args:expr)* ; try: $($repair:tt)+) => {
        return ::core::result::Result::Err(
            $crate::diag::Diagnostic::new(::std::format!($message $(, $args)*)).or_try(::std::format!($($repair)+)).into(),
        )
    };
    ($message:literal $(, $args:expr)* ; add: $($repair:tt)+) => {
        return ::core::result::Result::Err(
            $crate::diag::Diagnostic::new(::std::format!($message $(, $args)*)).or_add(::std::format!($($repair)+)).into(),
        )
    };
    ($($message:tt)+) => {
        return ::core::result::Result::Err($crate::diag::Diagnostic::new(::std::format!($($message)+)).into())
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_invisible_characters_are_masked() {
        for (text, shown) in [
            ("Piano\t1", "Piano\t1"),
            ("a\nb\u{1b}[2Jc", "a\\nb\u{fffd}[2Jc"),
            ("a\u{202e}b\u{200b}c\u{2066}", "a\u{fffd}b\u{fffd}c\u{fffd}"),
            ("a\u{34f}b\u{115f}c\u{3164}", "a\u{fffd}b\u{fffd}c\u{fffd}"),
            ("a\u{200d}b", "a\u{fffd}b"),
            ("\u{1f469}\u{200d}\u{1f680}", "\u{1f469}\u{200d}\u{1f680}"),
            ("\u{200d}\u{1f680}\u{200d}", "\u{fffd}\u{1f680}\u{fffd}"),
        ] {
            assert_eq!(one_line(text), shown);
        }
        assert_eq!(plain_lines("a\n\tb\rc"), "a\n\tb\\rc");
    }
}
