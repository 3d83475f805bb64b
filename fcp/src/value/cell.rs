//! Cells of tables: the values read and computed by SQL.

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
    /// A number or a text, depending on the value.
    Any,
}

impl SqlType {
    /// Its name in a declaration.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Text => "TEXT",
            Self::Integer | Self::Switch => "INTEGER",
            Self::Real => "REAL",
            Self::Any => "ANY",
        }
    }

    /// Its declaration in SQLite, where `ANY` would turn texts into numbers.
    pub(crate) const fn declared(self) -> &'static str {
        match self {
            Self::Any => "",
            other => other.word(),
        }
    }

    /// The cell of a value shown as `text`. A text that does not fit the type remains a text.
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

impl From<&Cell> for serde_json::Value {
    fn from(cell: &Cell) -> Self {
        match cell {
            Cell::Null => Self::Null,
            Cell::Integer(number) => (*number).into(),
            Cell::Real(number) => (*number).into(),
            Cell::Text(text) => text.clone().into(),
        }
    }
}

/// The fewest decimals of numbers that may be of any size.
const FINE: usize = 7;

/// The smallest number that is not an error of rounding.
const NOISE: f64 = 1e-12;

impl Cell {
    /// The value as a word of an op, or `None` for NULL. A whole number has no decimal places.
    #[must_use]
    pub fn word(&self) -> Option<Cow<'_, str>> {
        Some(match self {
            Self::Null => return None,
            Self::Integer(number) => number.to_string().into(),
            Self::Real(number) => number.to_string().into(),
            Self::Text(text) => text.into(),
        })
    }

    /// The value as shown in answers.
    #[must_use]
    pub fn shown(&self) -> Cow<'_, str> {
        match self {
            Self::Null => "NULL".into(),
            Self::Integer(number) => number.to_string().into(),
            Self::Real(number) => format!("{number:?}").into(),
            Self::Text(text) => text.into(),
        }
    }

    /// The number, if it is one.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) const fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            Self::Null | Self::Text(_) => None,
        }
    }

    /// The value with at most this many decimals, or a small number as it is.
    #[must_use]
    pub(crate) fn rounded(&self, decimals: usize) -> Self {
        match self {
            Self::Real(number) => {
                let text = format!("{number:.decimals$}");
                // Not `-0`.
                let short = text.parse().map_or(*number, |short: f64| short + 0.0);
                // A small number is not the noise of a computation, and would be lost.
                let is_lost = short == 0.0 && decimals >= FINE && number.abs() >= NOISE;
                Self::Real(if is_lost { *number } else { short })
            }
            other => other.clone(),
        }
    }

    /// Returns whether two values are equal; whole numbers and reals are compared by value.
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

/// A type of a row struct's column: any [`FcpValue`], `bool`, `f64`, or an `Option` of one.
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

/// A value that a setter takes: an [`FcpValue`], or an `Option` of one, for which NULL is `None`.
#[diagnostic::on_unimplemented(
    message = "a setter cannot take a `{Self}`",
    label = "not a value",
    note = "the third parameter of a setter is a value, or an `Option` of one"
)]
pub trait SetValue: Sized {
    /// Reads the value of a cell.
    ///
    /// # Errors
    /// The cell does not hold such a value.
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
