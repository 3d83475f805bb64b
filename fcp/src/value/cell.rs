//! Cells of tables: the values that SQL reads and computes.

use std::borrow::Cow;

use super::{FcpValue, ValueError};

/// The SQL type of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SqlType {
    /// Any text.
    #[default]
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Real,
    /// 0 or 1.
    Switch,
    /// A number or a text, as each value is.
    Any,
}

impl SqlType {
    /// The word that declares it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Text => "TEXT",
            Self::Integer | Self::Switch => "INTEGER",
            Self::Real => "REAL",
            Self::Any => "ANY",
        }
    }

    /// The word that declares a column of it in SQLite, where `ANY` would turn texts into numbers.
    pub(crate) const fn declared(self) -> &'static str {
        match self {
            Self::Any => "",
            other => other.word(),
        }
    }

    /// The cell of a value that is shown as `text`. A text that is not of the type stays a text.
    #[must_use]
    pub fn cell(self, text: String) -> Cell {
        match self {
            Self::Text => Cell::Text(text),
            Self::Any => match text.parse::<i64>() {
                Ok(number) if number.to_string() == text => Cell::Integer(number),
                _ => Cell::Text(text),
            },
            Self::Integer => match text.parse() {
                Ok(number) => Cell::Integer(number),
                Err(_) => Cell::Text(text),
            },
            Self::Real => match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Cell::Real(number),
                _ => Cell::Text(text),
            },
            Self::Switch => match &*text {
                "on" => Cell::Integer(1),
                "off" => Cell::Integer(0),
                _ => Cell::Text(text),
            },
        }
    }
}

/// A value of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Cell {
    /// No value.
    #[default]
    Null,
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// A text.
    Text(String),
}

impl Cell {
    /// The value as a word of an op, or `None` if there is no value. A whole number has no decimal places.
    #[must_use]
    pub fn word(&self) -> Option<Cow<'_, str>> {
        Some(match self {
            Self::Null => return None,
            Self::Integer(number) => number.to_string().into(),
            Self::Real(number) => number.to_string().into(),
            Self::Text(text) => text.into(),
        })
    }

    /// The value as answers show it.
    #[must_use]
    pub fn shown(&self) -> Cow<'_, str> {
        match self {
            Self::Null => "NULL".into(),
            Self::Integer(number) => number.to_string().into(),
            Self::Real(number) => format!("{number:?}").into(),
            Self::Text(text) => text.into(),
        }
    }

    /// Whether a value that is written equals this one, however its number is typed.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Integer(whole), Self::Real(number))
            | (Self::Real(number), Self::Integer(whole)) => *whole as f64 == *number,
            _ => self == other,
        }
    }
}

/// What a column of a row struct may hold: any [`FcpValue`], `bool`, `f64`, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a column",
    label = "not a value",
    note = "a column holds a value, a number, a `bool`, a `String`, or an `Option` of one"
)]
pub trait ColumnValue {
    /// The SQL type.
    const SQL: SqlType;

    /// The value as a cell.
    fn cell(&self) -> Cell;
}

impl<V: FcpValue> ColumnValue for V {
    const SQL: SqlType = V::SPEC.sql;

    fn cell(&self) -> Cell {
        FcpValue::cell(self)
    }
}

impl<V: ColumnValue> ColumnValue for Option<V> {
    const SQL: SqlType = V::SQL;

    fn cell(&self) -> Cell {
        self.as_ref().map_or(Cell::Null, ColumnValue::cell)
    }
}

impl ColumnValue for bool {
    const SQL: SqlType = SqlType::Switch;

    fn cell(&self) -> Cell {
        Cell::Integer(i64::from(*self))
    }
}

impl ColumnValue for f64 {
    const SQL: SqlType = SqlType::Real;

    fn cell(&self) -> Cell {
        if self.is_finite() {
            Cell::Real(*self)
        } else {
            Cell::Null
        }
    }
}

impl ColumnValue for &'static str {
    const SQL: SqlType = SqlType::Text;

    fn cell(&self) -> Cell {
        Cell::Text((*self).to_owned())
    }
}

/// A value that a setter takes: an [`FcpValue`], or an `Option` of one that NULL empties.
#[diagnostic::on_unimplemented(
    message = "a setter cannot take a `{Self}`",
    label = "not a value",
    note = "the third parameter of a setter is a value, or an `Option` of one"
)]
pub trait SetValue: Sized {
    /// Reads the value of a cell.
    ///
    /// # Errors
    /// The cell holds no such value.
    fn read(cell: &Cell) -> Result<Self, ValueError>;
}

impl<V: FcpValue> SetValue for V {
    fn read(cell: &Cell) -> Result<Self, ValueError> {
        match cell.word() {
            Some(word) => V::parse(&word),
            None => Err(ValueError::sentence("NULL is not a value here")),
        }
    }
}

impl<V: FcpValue> SetValue for Option<V> {
    fn read(cell: &Cell) -> Result<Self, ValueError> {
        match cell {
            Cell::Null => Ok(None),
            cell => V::read(cell).map(Some),
        }
    }
}
