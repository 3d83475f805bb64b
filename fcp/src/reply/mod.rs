//! The answer of an op: one line with a sign, and lines below it.
//! The answer of a whole call is made in `session`.

use std::fmt;

use crate::model::Row;

pub use crate::diag::one_line;

/// A number of things: `1 note`, `3 notes`. The noun must form its plural with `s`.
#[must_use]
pub fn count<N: fmt::Display + PartialEq + From<u8>>(n: N, noun: &str) -> String {
    let ending = if n == N::from(1) { "" } else { "s" };
    format!("{n} {noun}{ending}")
}

/// The first character of a reply line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `+`: something was added.
    Created,
    /// `~`: a connection or one row changed.
    Linked,
    /// `*`: a property changed.
    Changed,
    /// `-`: something was removed.
    Removed,
    /// `@`: many rows changed, or were laid out.
    Bulk,
    /// `=`: nothing changed.
    Unchanged,
}

/// The result of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub bytes: Vec<u8>,
    /// The omitted parts of the document, by name.
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
    /// The character of the sign.
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

/// The answer of an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    sign: Sign,
    text: String,
    notes: Vec<String>,
    /// Whether the sign stays although no content changed.
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

    /// Sets the rows that the op is about, the most recent one first: the rows that it names or
    /// makes, if others change for their sake, or if a row that it would make already exists
    /// unchanged.
    #[must_use]
    pub fn about(mut self, rows: impl IntoIterator<Item = Row>) -> Self {
        self.about.extend(rows);
        self
    }

    /// The rows that the op is about.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.about
    }

    /// Keeps the sign although no content changes: the op changes what the document was
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

    /// Makes this the reply of an op that changed nothing, whatever its text.
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

    /// The lines below the first.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether there are lines below the first.
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

/// Lines that are made on demand.
pub trait Lines {
    /// The next line.
    fn next(&mut self) -> Option<String>;

    /// Skips `n` lines, or those that are left; returns their number.
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

/// The answer of a query: lines, of which a page is shown.
pub struct Listing<'a> {
    /// Lines above every page.
    pub head: Vec<String>,
    /// Lines below every page.
    pub foot: Vec<String>,
    /// The total number of lines, if it is known before they are made.
    pub total: Option<usize>,
    /// The lines. Only those of the page are made.
    pub lines: Box<dyn Lines + 'a>,
    /// Whether each line is a row of several lines.
    pub tall: bool,
    /// The blocks after the text.
    pub blocks: Vec<crate::endpoint::Block>,
}

impl<'a> Listing<'a> {
    /// Paged lines: only those of the requested page are made.
    pub fn lines(total: usize, lines: impl Iterator<Item = String> + 'a) -> Self {
        Self {
            total: Some(total),
            ..Self::found(Made(lines))
        }
    }

    /// Paged lines that are searched for on demand: lines after the page are only counted.
    pub fn found(lines: impl Lines + 'a) -> Self {
        Self {
            head: Vec::new(),
            foot: Vec::new(),
            total: None,
            lines: Box::new(lines),
            tall: false,
            blocks: Vec::new(),
        }
    }

    /// Rows of several lines each, paged by row.
    pub fn rows(total: usize, rows: impl Iterator<Item = Vec<String>> + 'a) -> Self {
        let row_lines = |lines: Vec<String>| {
            let lines = lines.iter().map(|line| one_line(line));
            lines.collect::<Vec<_>>().join("\n")
        };
        Self {
            tall: true,
            ..Self::lines(total, rows.map(row_lines))
        }
    }

    /// Lines that already exist.
    #[must_use]
    pub fn of(lines: Vec<String>) -> Self {
        Self::lines(lines.len(), lines.into_iter())
    }

    /// Adds a line above the page.
    #[must_use]
    pub fn under(mut self, head: impl Into<String>) -> Self {
        self.head.push(head.into());
        self
    }

    /// Adds a line below the page.
    #[must_use]
    pub fn over(mut self, foot: impl Into<String>) -> Self {
        self.foot.push(foot.into());
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

/// Makes the reply `+ …`: something was added.
#[macro_export]
macro_rules! created { ($($text:tt)+) => { $crate::reply::Reply::new($crate::reply::Sign::Created, ::std::format!($($text)+)) }; }

/// Makes the reply `~ …`: a connection or one row changed.
#[macro_export]
macro_rules! linked { ($($text:tt)+) => { $crate::reply::Reply::new($crate::reply::Sign::Linked, ::std::format!($($text)+)) }; }

/// Makes the reply `* …`: a property changed.
#[macro_export]
macro_rules! changed { ($($text:tt)+) => { $crate::reply::Reply::new($crate::reply::Sign::Changed, ::std::format!($($text)+)) }; }

/// Makes the reply `- …`: something was removed.
#[macro_export]
macro_rules! removed { ($($text:tt)+) => { $crate::reply::Reply::new($crate::reply::Sign::Removed, ::std::format!($($text)+)) }; }

/// Makes the reply `@ …`: many rows changed.
#[macro_export]
macro_rules! bulk { ($($text:tt)+) => { $crate::reply::Reply::new($crate::reply::Sign::Bulk, ::std::format!($($text)+)) }; }

/// Makes the reply `= …`: nothing changed.
#[macro_export]
macro_rules! unchanged { ($($text:tt)+) => { $crate::reply::Reply::new($crate::reply::Sign::Unchanged, ::std::format!($($text)+)) }; }
