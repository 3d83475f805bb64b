//! Rows as text, for listings of what changed.

use std::borrow::Cow;

use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::queries::{line_of, shown, tag};

/// One thing of a row that can change.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name, in the word of ops: `vel`.
    pub name: Cow<'static, str>,
    /// Its value, as ops spell it.
    pub text: String,
    /// Its value as a number, if it is one: equal changes of many rows are one line then.
    pub number: Option<i64>,
}

impl Field {
    /// A field that is no number.
    pub fn new(name: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            number: None,
        }
    }

    /// A field that is a number, with its text.
    pub fn number(
        name: impl Into<Cow<'static, str>>,
        text: impl Into<String>,
        number: impl Into<i64>,
    ) -> Self {
        Self {
            number: Some(number.into()),
            ..Self::new(name, text)
        }
    }
}

/// A row, or another part of a file that has an id, as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Its kind: `note`.
    pub kind: Cow<'static, str>,
    /// Several of them: `notes`.
    pub plural: Cow<'static, str>,
    /// Its name among those of its kind, with whatever makes it known: `C4 on Piano`.
    pub name: String,
    /// Its place in the file or in the document, if it has one: `5.1`, `line 12`.
    pub place: Option<String>,
    /// The id of the row it is inside, if that is written around it: what comes or goes with that row has no line.
    pub within: Option<u32>,
    /// Whatever it holds.
    pub fields: Vec<Field>,
}

impl Shown {
    /// A row by its kind and name, with fields of its own.
    pub fn row<M: Domain>(model: &M, row: Row, fields: Vec<Field>) -> Option<Self> {
        let rows = model.rows(row.part())?;
        let kind = rows.kind(row.id());
        let sort = rows.shape().sorts.iter().find(|sort| sort.name == kind);
        Some(Self {
            kind: kind.into(),
            plural: sort.map_or(rows.shape().plural, |sort| sort.plural).into(),
            name: model.name_of(row),
            place: None,
            within: None,
            fields,
        })
    }
}

/// The default of [`Domain::show`]: the row's name and fields, by the shape of its table.
pub fn show_row<M: Domain>(model: &M, id: u32) -> Option<Shown> {
    let row = model.by_id(id)?;
    let fields = shown(model, row).into_iter().map(|(name, text)| {
        let number = text.parse().ok();
        Field { name, text, number }
    });
    let fields = fields.collect();
    Shown::row(model, row, fields)
}

/// The default of [`Domain::show_line`]: the row as lists show it.
pub fn show_line<M: Domain>(model: &M, id: u32) -> Option<String> {
    let row = model.by_id(id)?;
    Some(format!("{}{}", tag(model, row), line_of(model, row)))
}
