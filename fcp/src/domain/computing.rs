//! A domain's part in SQL: functions, pieces of rows, and checks of computed values.

use std::any::Any;

use crate::model::Row;
use crate::value::Cell;

/// Rows that share a value: the elements that a style rule matches.
#[derive(Clone, Debug)]
pub struct SharedRows {
    /// The thing that has the value: `rule .hot`.
    pub owner: String,
    /// The rows whose columns an expression reads.
    pub rows: Vec<Row>,
    /// The op that computes a value for each row instead.
    pub each: Option<String>,
}

/// The place in the tables of a row that is a piece of another. See
/// [`Domain::piece`](super::Domain::piece).
#[derive(Clone, Copy, Debug)]
pub struct SqlPiece {
    /// The row that it is a piece of, if there is one.
    pub row: Option<Row>,
    /// The table that shows it.
    pub table: &'static str,
    /// The column with its content.
    pub column: &'static str,
}

/// A change of a value in a row of a table. See [`Domain::changed_values`](super::Domain::changed_values).
#[derive(Clone, Debug)]
pub struct SqlChange {
    /// The table.
    pub table: &'static str,
    /// The column, or the name of the value in a table of names and values.
    pub field: String,
    /// The value before; `None` if the row was not there.
    pub before: Option<Cell>,
    /// The value after; `None` if the row is gone.
    pub after: Option<Cell>,
}

/// A column that an `UPDATE` sets in rows of a domain's own table.
pub struct Written<'w> {
    /// The table.
    pub table: &'w str,
    /// The column.
    pub column: &'w str,
    /// Returns whether its expression reads one of some columns.
    pub reads: &'w dyn Fn(&[&str]) -> bool,
    /// Returns whether the statement names one of some tables.
    pub names: &'w dyn Fn(&[&str]) -> bool,
    /// The rows, as they were.
    pub rows: Vec<&'w dyn Any>,
}

/// A domain's own SQL function. The same arguments give the same value on any machine.
pub struct SqlFunction {
    /// Its name, in lower case.
    pub name: &'static str,
    /// The number of its arguments.
    pub args: i32,
    /// Its signature and result, in one line: `pitch('C4') 60`.
    pub doc: &'static str,
    /// Computes its value. An error is shown unchanged.
    pub call: Box<SqlCall>,
}

/// Computes the value of an [`SqlFunction`].
pub type SqlCall = dyn Fn(&[Cell]) -> Result<Cell, String> + Send + 'static;
