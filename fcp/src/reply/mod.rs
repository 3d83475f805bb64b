//! What an op answers: one line with a sign, and lines below it.

use std::fmt;

use crate::model::Row;

pub use crate::diag::one_line;

/// The first character of a reply line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `+`: something is new.
    Created,
    /// `~`: a connection changed, or one row.
    Linked,
    /// `*`: a property changed.
    Changed,
    /// `-`: something is gone.
    Removed,
    /// `@`: many rows changed, or were laid out.
    Bulk,
    /// `=`: nothing changed.
    Unchanged,
}

/// What an export makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub bytes: Vec<u8>,
    /// What of the document is not in it, by name.
    pub left_out: Vec<String>,
}

impl From<Vec<u8>> for Exported {
    fn from(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            left_out: Vec::new(),
        }
    }
}

impl Sign {
    /// The character.
    #[must_use]
    pub const fn char(self) -> char {
        match self {
            Self::Created => '+',
            Self::Linked => '~',
            Self::Changed => '*',
            Self::Removed => '-',
            Self::Bulk => '@',
            Self::Unchanged => '=',
        }
    }
}

/// What an op answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    sign: Sign,
    text: String,
    notes: Vec<String>,
    /// The sign stands though no content changed.
    given: bool,
    /// The rows that the op is about, the first one first.
    about: Vec<Row>,
}

impl Reply {
    /// A reply of one line.
    pub fn new(sign: Sign, text: impl Into<String>) -> Self {
        Self {
            sign,
            text: text.into(),
            notes: Vec::new(),
            given: false,
            about: Vec::new(),
        }
    }

    /// Says which rows the op is about, the most recent one first: those that it names or makes, where others change for
    /// their sake, or where one that it makes is found in a row that need not change.
    #[must_use]
    pub fn about(mut self, rows: impl IntoIterator<Item = Row>) -> Self {
        self.about.extend(rows);
        self
    }

    /// The rows that the op is about.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.about
    }

    /// Keeps the sign though no content changes: what changes is what the document was
    /// [given](crate::model::Given).
    #[must_use]
    pub fn of_given(mut self) -> Self {
        self.given = true;
        self
    }

    /// Adds a line that is shown indented below the first.
    #[must_use]
    pub fn note(mut self, line: impl Into<String>) -> Self {
        self.notes.push(line.into());
        self
    }

    /// The reply of an op that changed nothing, whatever it said it did.
    #[must_use]
    pub(crate) fn unchanged(mut self) -> Self {
        if !self.given {
            self.sign = Sign::Unchanged;
        }
        self
    }

    /// The sign.
    #[must_use]
    pub const fn sign(&self) -> Sign {
        self.sign
    }

    /// Whether lines stand below the first.
    pub(crate) const fn has_notes(&self) -> bool {
        !self.notes.is_empty()
    }

    /// The first line, without its sign.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.sign.char(), one_line(&self.text))?;
        for note in &self.notes {
            write!(f, "\n  {}", one_line(note))?;
        }
        Ok(())
    }
}

/// A number with a comma before each three digits: `21,034`.
#[must_use]
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (ix, digit) in digits.chars().enumerate() {
        if ix > 0 && (digits.len() - ix).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Lines that are made when they are asked for.
pub trait Lines {
    /// The next line.
    fn next(&mut self) -> Option<String>;

    /// Passes over so many lines, or over those that are left; how many they were.
    fn pass(&mut self, n: usize) -> usize;
}

/// Lines of an iterator.
struct Made<I>(I);

impl<I: Iterator<Item = String>> Lines for Made<I> {
    fn next(&mut self) -> Option<String> {
        self.0.next()
    }

    fn pass(&mut self, n: usize) -> usize {
        self.0.by_ref().take(n).count()
    }
}

/// What a query answers: lines, of which a page is shown.
pub struct Listing<'a> {
    /// Lines that stand above every page.
    pub head: Vec<String>,
    /// How many lines there are in all, where that is known before they are made.
    pub total: Option<usize>,
    /// The lines. Only those of the page are made.
    pub lines: Box<dyn Lines + 'a>,
    /// A line is a row that is told in several lines.
    pub tall: bool,
    /// What follows the text.
    pub blocks: Vec<crate::endpoint::Block>,
}

impl<'a> Listing<'a> {
    /// Lines that page: only those of the page asked for are made.
    pub fn lines(total: usize, lines: impl Iterator<Item = String> + 'a) -> Self {
        Self {
            total: Some(total),
            ..Self::found(Made(lines))
        }
    }

    /// Lines that page, and are looked for as they are asked for: nothing behind the page is read but to count it.
    pub fn found(lines: impl Lines + 'a) -> Self {
        Self {
            head: Vec::new(),
            total: None,
            lines: Box::new(lines),
            tall: false,
            blocks: Vec::new(),
        }
    }

    /// Rows of several lines each, which page by the row.
    pub fn rows(total: usize, rows: impl Iterator<Item = Vec<String>> + 'a) -> Self {
        let told = |lines: Vec<String>| {
            let lines = lines.iter().map(|line| one_line(line));
            lines.collect::<Vec<_>>().join("\n")
        };
        Self {
            tall: true,
            ..Self::lines(total, rows.map(told))
        }
    }

    /// Lines that are at hand.
    #[must_use]
    pub fn of(lines: Vec<String>) -> Self {
        Self::lines(lines.len(), lines.into_iter())
    }

    /// Puts a line above the page.
    #[must_use]
    pub fn under(mut self, head: impl Into<String>) -> Self {
        self.head.push(head.into());
        self
    }
}

impl From<String> for Listing<'_> {
    fn from(text: String) -> Self {
        Self::of(text.lines().map(str::to_owned).collect())
    }
}

impl From<Vec<String>> for Listing<'_> {
    fn from(lines: Vec<String>) -> Self {
        Self::of(lines)
    }
}

/// Answers `+ …`: something is new.
#[macro_export]
macro_rules! created { ($($text:tt)+) => { $crate::reply::Reply::new($crate::reply::Sign::Created, ::std::format!($($text)+)) }; }

/// Answers `~ …`: a connection or one row changed.
#[macro_export]
macro_rules! linked { ($($text:tt)+) => { $crate::reply::Reply::new($crate::reply::Sign::Linked, ::std::format!($($text)+)) }; }

/// Answers `* …`: a property changed.
#[macro_export]
macro_rules! changed { ($($text:tt)+) => { $crate::reply::Reply::new($crate::reply::Sign::Changed, ::std::format!($($text)+)) }; }

/// Answers `- …`: something is gone.
#[macro_export]
macro_rules! removed { ($($text:tt)+) => { $crate::reply::Reply::new($crate::reply::Sign::Removed, ::std::format!($($text)+)) }; }

/// Answers `@ …`: many rows changed.
#[macro_export]
macro_rules! bulk { ($($text:tt)+) => { $crate::reply::Reply::new($crate::reply::Sign::Bulk, ::std::format!($($text)+)) }; }

/// Answers `= …`: nothing changed.
#[macro_export]
macro_rules! unchanged { ($($text:tt)+) => { $crate::reply::Reply::new($crate::reply::Sign::Unchanged, ::std::format!($($text)+)) }; }
