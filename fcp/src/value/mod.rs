//! Values of parameters, fields and selectors, and the errors of invalid texts.
//! Nothing here knows a model: values that need one are read in `verb`.

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
pub use repair::repaired;
pub use stock::{List, Name, Switch, Text};
pub(crate) use synonyms::{is_slip, is_synonym, meant_act, meant_field, meant_key, meant_selector};
pub use thousands::thousands;
pub use time::Time;
pub use unit::{Angle, AngleUnit, Length, LengthUnit, Share, Unsigned};
pub use words::{Choice, fold, is_typo, nearest, nearest_word, parse_choice};
pub(crate) use words::{is_name_typo, is_within};

/// The description of a kind of value: on cards, in errors, in the codebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ValueSpec {
    /// Its placeholder in a syntax line: `PITCH`. That of a signed change begins with `±`.
    pub name: &'static str,
    /// Its form, in one line: `C4, F#3, Bb-1, or 0-127`.
    pub doc: &'static str,
    /// Its words, if it is one of a few.
    pub choices: &'static [Choice],
    /// Prefixes that a bare word may have, such as `midi` in `midi:60`: such a word is not a
    /// `key:value`.
    pub prefixes: &'static [&'static str],
    /// Whether any text is valid, so that several unquoted words may have been meant as one value.
    pub free: bool,
    /// Whether a number with a sign is a difference from the present value, so that a computed
    /// negative number is not a value.
    #[serde(skip)]
    pub steps: bool,
    /// Whether it names the row that an op makes: a bare word that fits nowhere was meant as it.
    #[serde(skip)]
    pub names: bool,
    /// The SQL type of a column of such values.
    #[serde(skip)]
    pub sql: SqlType,
    /// The unit of a number that an expression computes from certain columns, if a number as
    /// written has another one.
    #[serde(skip)]
    pub unit: Option<Unit>,
    /// The table of the rows that it names, by its index in the model, if these are of one kind.
    #[serde(skip)]
    pub part: Option<usize>,
}

/// The unit of computed numbers: ticks for a position that is computed from ticks, although a
/// position that is written as a number is a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The prefix of a written number in this unit: `tick:`.
    pub prefix: &'static str,
    /// The columns and functions in this unit.
    pub columns: &'static [&'static str],
    /// The columns in the unit of a number as written.
    pub others: &'static [&'static str],
}

impl ValueSpec {
    /// A value with a placeholder for syntax lines and a line that describes its form.
    #[must_use]
    pub const fn new(name: &'static str, doc: &'static str) -> Self {
        Self {
            name,
            doc,
            choices: &[],
            prefixes: &[],
            free: false,
            steps: false,
            names: false,
            sql: SqlType::Text,
            unit: None,
            part: None,
        }
    }

    /// This description, with a column type.
    #[must_use]
    pub const fn typed(self, sql: SqlType) -> Self {
        Self { sql, ..self }
    }
}

/// A value that is read from text and shown as text, independent of a model.
///
/// `parse` accepts what `Display` shows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value",
    label = "needs `#[derive(FcpValue)]` or `impl FcpValue`",
    note = "an enum of words derives it; a value that needs the model implements `FromArg<Model>` instead"
)]
pub trait FcpValue: Sized + Clone + fmt::Display + Send + 'static {
    /// The description of this kind of value.
    const SPEC: ValueSpec;

    /// Reads a value.
    ///
    /// # Errors
    /// The fault of the text, and the correct text if it is known.
    fn parse(text: &str) -> Result<Self, ValueError>;

    /// The value for a verb that deletes: a name inside it must be a row's whole name, not its
    /// beginning. Only values that contain names differ.
    #[must_use]
    fn strictly(self) -> Self {
        self
    }

    /// The value as a cell of a table.
    fn cell(&self) -> Cell {
        Self::SPEC.sql.cell(self.to_string())
    }
}

/// The reason why a text is not a valid value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueError {
    message: String,
    whole: bool,
    /// The correct text.
    pub fix: Option<String>,
    /// A complete op that would make the text right: `track add Drums`.
    pub first: Option<Box<str>>,
    /// Whether that op makes the missing row, which only helps if the op puts something on it.
    pub makes: bool,
    /// The name that no row has.
    pub missing: Option<Box<str>>,
    /// A query for the names that can be used: `? tables notes`.
    pub look: Option<Box<str>>,
    /// The whole corrected selector, if the fault is not in its value.
    pub selector_fix: Option<Box<str>>,
    /// The index of the faulty selector in the op, from 0.
    pub selector: Option<u16>,
}

impl ValueError {
    /// A predicate: the fault of the text. It is shown after the text: `H4` + `is not a pitch`.
    pub fn new(problem: impl Into<String>) -> Self {
        Self {
            message: problem.into(),
            whole: false,
            fix: None,
            first: None,
            makes: false,
            missing: None,
            look: None,
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

    /// Sets the correct text.
    #[must_use]
    pub fn fix(mut self, text: impl Into<String>) -> Self {
        self.fix = Some(text.into());
        self
    }

    /// Sets the correct text, if it is known.
    #[must_use]
    pub fn maybe_fix(mut self, text: Option<impl Into<String>>) -> Self {
        self.fix = text.map(Into::into);
        self
    }

    /// Sets an op to send first.
    #[must_use]
    pub fn first(mut self, op: impl Into<Box<str>>) -> Self {
        self.first = Some(op.into());
        self.makes = false;
        self
    }

    /// Sets an op that makes the missing row.
    #[must_use]
    pub fn making(mut self, op: impl Into<Box<str>>) -> Self {
        self.first = Some(op.into());
        self.makes = true;
        self
    }

    /// Sets the name that no row has.
    #[must_use]
    pub fn lacking(mut self, name: impl Into<Box<str>>) -> Self {
        self.missing = Some(name.into());
        self
    }

    /// Sets the whole corrected selector.
    #[must_use]
    pub fn fix_selector(mut self, selector: Option<impl Into<Box<str>>>) -> Self {
        self.selector_fix = selector.map(Into::into);
        self
    }

    /// The error as a sentence about `subject`, the word as written.
    #[must_use]
    pub fn about(&self, subject: &str) -> String {
        if self.whole {
            self.message.clone()
        } else {
            format!("{} {}", shorten(subject), self.message)
        }
    }

    /// The error about `subject`, with the correct value as its repair.
    #[must_use]
    pub fn refusal(self, subject: &str) -> Diagnostic {
        Diagnostic {
            repair: self.fix.clone().map_or(Repair::None, Repair::Add),
            ..Diagnostic::new(self.about(subject))
        }
    }
}

/// A word for an error message: at most 60 characters, never cut inside a character.
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
