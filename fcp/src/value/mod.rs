//! Values: what a parameter, a field or a selector holds, and what is said when a text is none.

mod cell;
mod color;
mod color_names;
mod decimal;
mod number;
mod pair;
mod position;
mod repair;
mod stock;
mod synonyms;
mod text_form;
mod thousands;
mod time;
mod unit;
mod words;

use std::fmt;

use serde::Serialize;

use crate::diag::{Diagnostic, Repair, breaks};

pub use cell::{Cell, ColumnValue, SetValue, SqlType};
pub use color::Color;
pub use decimal::Decimal;
pub use number::{Change, Int, Number};
pub use pair::{Coordinate, Offset, Point, Size};
pub use position::{Position, Steps};
pub use stock::{List, Name, Switch, Text};
pub(crate) use synonyms::{is_slip, meant_act, meant_field, meant_key, meant_selector};
pub use thousands::thousands;
pub use time::Time;
pub use unit::{Angle, AngleUnit, Length, LengthUnit, Share, Unsigned};
pub use words::{Choice, fold, nearest, nearest_word, parse_choice};

/// How a kind of value is spoken of: on cards, in errors, in the codebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ValueSpec {
    /// What stands for it in a syntax line: `PITCH`. A value with a sign, which says how far, begins with `±`.
    pub name: &'static str,
    /// What it looks like, in one line: `C4, F#3, Bb-1, or 0-127`.
    pub doc: &'static str,
    /// The words it may be, where it is one of a few.
    pub choices: &'static [Choice],
    /// Prefixes that a bare word may have, such as `midi` in `midi:60`: such a word is no `key:value`.
    pub prefixes: &'static [&'static str],
    /// Any text will do, so words left unquoted may have been meant as one.
    pub free: bool,
    /// The SQL type of a column of such values.
    #[serde(skip)]
    pub sql: SqlType,
    /// The table whose rows are meant, by its index in the model, if it takes rows of one kind.
    #[serde(skip)]
    pub part: Option<usize>,
}

impl ValueSpec {
    /// A value with a name for syntax lines and one line that says what it looks like.
    #[must_use]
    pub const fn new(name: &'static str, doc: &'static str) -> Self {
        Self {
            name,
            doc,
            choices: &[],
            prefixes: &[],
            free: false,
            sql: SqlType::Text,
            part: None,
        }
    }

    /// The same, as a column of a type.
    #[must_use]
    pub const fn typed(self, sql: SqlType) -> Self {
        Self { sql, ..self }
    }
}

/// A value that reads from and is shown as text, with no regard to a model.
///
/// `parse` accepts what `Display` shows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value",
    label = "needs `#[derive(FcpValue)]` or `impl FcpValue`",
    note = "an enum of words derives it; a value that needs the model implements `FromArg<Model>` instead"
)]
pub trait FcpValue: Sized + Clone + fmt::Display + Send + 'static {
    /// How this kind of value is spoken of.
    const SPEC: ValueSpec;

    /// Reads a value.
    ///
    /// # Errors
    /// What is wrong with the text, and what would be right where that can be told.
    fn parse(text: &str) -> Result<Self, ValueError>;

    /// The same, as a verb that deletes takes it: a name inside the value is what some row is called, not the beginning
    /// of that. Only a value that holds names differs.
    #[must_use]
    fn strictly(self) -> Self {
        self
    }

    /// The value as a cell of a table.
    fn cell(&self) -> Cell {
        Self::SPEC.sql.cell(self.to_string())
    }
}

/// Why a text is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    message: String,
    whole: bool,
    /// The text that would have been right.
    pub fix: Option<String>,
    /// A complete op that would make the text right: `track add Drums`.
    pub first: Option<Box<str>>,
    /// Whether that op makes what is missing, which helps only where something is to be put on it.
    pub makes: bool,
    /// The name that no row has.
    pub missing: Option<Box<str>>,
    /// The whole selector that would have been right, where it is not the value that is wrong.
    pub selector_fix: Option<Box<str>>,
    /// Which of the op's selectors is wrong, counted from 0.
    pub selector: Option<u16>,
}

impl ValueError {
    /// A predicate: what the text fails to be. It is shown behind the text: `H4` + `is not a pitch`.
    pub fn new(problem: impl Into<String>) -> Self {
        Self {
            message: problem.into(),
            whole: false,
            fix: None,
            first: None,
            makes: false,
            missing: None,
            selector_fix: None,
            selector: None,
        }
    }

    /// A whole sentence, shown as it is: `Track "Drums" not found`.
    pub fn sentence(message: impl Into<String>) -> Self {
        Self {
            whole: true,
            ..Self::new(message)
        }
    }

    /// Names the text that would have been right.
    #[must_use]
    pub fn fix(mut self, text: impl Into<String>) -> Self {
        self.fix = Some(text.into());
        self
    }

    /// Names the text that would have been right, if one is known.
    #[must_use]
    pub fn maybe_fix(mut self, text: Option<impl Into<String>>) -> Self {
        self.fix = text.map(Into::into);
        self
    }

    /// Names an op to send first.
    #[must_use]
    pub fn first(mut self, op: impl Into<Box<str>>) -> Self {
        self.first = Some(op.into());
        self.makes = false;
        self
    }

    /// Names an op that makes what is missing.
    #[must_use]
    pub fn making(mut self, op: impl Into<Box<str>>) -> Self {
        self.first = Some(op.into());
        self.makes = true;
        self
    }

    /// Names the name that no row has.
    #[must_use]
    pub fn lacking(mut self, name: impl Into<Box<str>>) -> Self {
        self.missing = Some(name.into());
        self
    }

    /// Names the whole selector that would have been right.
    #[must_use]
    pub fn fix_selector(mut self, selector: Option<impl Into<Box<str>>>) -> Self {
        self.selector_fix = selector.map(Into::into);
        self
    }

    /// The error as a sentence about `subject`, the word as it was written.
    #[must_use]
    pub fn about(&self, subject: &str) -> String {
        if self.whole {
            self.message.clone()
        } else {
            format!("{} {}", shorten(subject), self.message)
        }
    }

    /// The error about `subject`, with the value that would have been right as its repair.
    #[must_use]
    pub fn refusal(self, subject: &str) -> Diagnostic {
        Diagnostic {
            repair: self.fix.clone().map_or(Repair::None, Repair::Add),
            ..Diagnostic::new(self.about(subject))
        }
    }
}

/// A word for an error message: cut in the middle of nothing, at most 60 characters.
fn shorten(text: &str) -> String {
    let blank = text.is_empty() || text.chars().any(char::is_whitespace);
    let mut cut: String = text
        .chars()
        .take(60)
        .map(|c| if breaks(c) { ' ' } else { c })
        .collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    if blank && !cut.contains('"') {
        format!("\"{cut}\"")
    } else {
        cut
    }
}
