//! Rows as text, for listings of changes.

use std::borrow::Cow;

use crate::model::{Model, ModelExt, Row};
use crate::value::Cell;

/// A property of a row that can change.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name, as in ops: `vel`. Empty if it is the row's only content.
    pub name: Cow<'static, str>,
    /// Its value, as ops spell it.
    pub text: String,
    /// Its value as a number, if it is one: equal changes of many rows are then one line.
    pub number: Option<i64>,
    /// The id of the row that it refers to, if it does. It stays the same if that row is renamed.
    pub target: Option<u32>,
    /// The unit of its number as a prefix, if only some of its texts are in it: `ticks:` of a length, which may also be
    /// a note value.
    pub unit: Option<&'static str>,
    /// The column that shows it and its value there, if they do not follow from its name and its text.
    pub cell: Option<(&'static str, Cell)>,
    /// Whether it is a row of a table of its own: then a field of another name is another row, even
    /// if the same column shows both.
    pub is_row: bool,
}

impl Field {
    /// A field that is not a number.
    pub fn new(name: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            number: None,
            target: None,
            unit: None,
            cell: None,
            is_row: false,
        }
    }

    /// A field that refers to a row, with its name.
    pub fn target(
        name: impl Into<Cow<'static, str>>,
        text: impl Into<String>,
        target: u32,
    ) -> Self {
        Self {
            target: Some(target),
            ..Self::new(name, text)
        }
    }

    /// This field, with the column that shows it and its value there.
    #[must_use]
    pub fn in_column(mut self, column: &'static str, cell: Cell) -> Self {
        self.cell = Some((column, cell));
        self
    }

    /// This field, as a row of a table of its own.
    #[must_use]
    pub const fn as_row(mut self) -> Self {
        self.is_row = true;
        self
    }

    /// Whether another state of it has the same value.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (self.target, other.target) {
            (Some(target), Some(other)) => target == other,
            // The text of a place depends on other rows too: a tick is in another bar when a meter changes.
            _ => match (self.number, other.number) {
                (Some(number), Some(other)) => number == other,
                _ => self.number == other.number && self.text == other.text,
            },
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
    /// The plural: `notes`.
    pub plural: Cow<'static, str>,
    /// Its name among those of its kind, with whatever identifies it: `C4 on Piano`.
    pub name: String,
    /// Its place in the file or in the document, if it has one: `5.1`, `line 12`.
    pub place: Option<String>,
    /// The id of the row that it is written inside, if any: if that row is added or removed, this
    /// one has no line.
    pub within: Option<u32>,
    /// Its content.
    pub fields: Vec<Field>,
}

impl Shown {
    /// A row by its kind and name, with the given fields.
    pub fn row<M: Model>(model: &M, row: Row, fields: Vec<Field>) -> Option<Self> {
        Self::called(model, row, model.name_of(row), fields)
    }

    /// The kind of a row and its plural.
    pub(crate) fn kind_of<M: Model>(model: &M, row: Row) -> Option<[&'static str; 2]> {
        let rows = model.rows(row.part())?;
        let kind = rows.kind(row.id());
        let sort = rows.shape().sorts.iter().find(|sort| sort.name == kind);
        Some([kind, sort.map_or(rows.shape().plural, |sort| sort.plural)])
    }

    /// A row by its kind and a name of its own, with the given fields.
    pub fn called<M: Model>(model: &M, row: Row, name: String, fields: Vec<Field>) -> Option<Self> {
        let [kind, plural] = Self::kind_of(model, row)?;
        Some(Self {
            kind: kind.into(),
            plural: plural.into(),
            name,
            place: None,
            within: None,
            fields,
        })
    }
}
