//! A domain's own tables, as static data: tables that SQL reads next to the rows of the model.
//!
//! A table is a struct that derives [`FcpRow`](derive@crate::FcpRow), one field per column, and a
//! function under [`fcp_table`](crate::fcp_table) that yields its rows. Every kind of row of a
//! model is a table without any of this.

use std::any::Any;

use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::Row;
use crate::value::{Cell, SetValue, SqlType};

/// A row of a domain's own table. `#[derive(FcpRow)]` writes this.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a row of a table",
    label = "needs `#[derive(FcpRow)]`"
)]
pub trait TableRow: Sized + Send + 'static {
    /// The model of the rows.
    type Model: Domain;

    /// The columns, in the order of the struct, without `ref`.
    const COLUMNS: &'static [Column<Self::Model>];

    /// The part of the model that the rows describe, if it is only one.
    const PART: Option<usize>;

    /// Whether the rows describe rows of the model, so that they have a `ref`.
    const NAMED: bool;

    /// The row of the model that this one describes.
    fn row(&self) -> Option<Row>;

    /// The cell of a column.
    fn cell(&self, ix: usize) -> Cell;
}

/// A column of a table.
pub struct Column<M: Domain> {
    /// Its name.
    pub name: &'static str,
    /// Its documentation: the doc comment, on one line.
    pub doc: &'static str,
    /// Its SQL type.
    pub sql: SqlType,
    /// Its setter, if it can be written.
    pub set: Option<Set<M>>,
    /// The op that changes the value shown, if the column cannot be written:
    /// `style {rows} fill:={value}`.
    pub by: Option<&'static str>,
    /// The fields of `diff` that it shows, besides the one of its name and its key: the start of a note is `at` in ops,
    /// and `pos` in its table.
    pub shows: &'static [&'static str],
}

/// The setter of a column.
pub enum Set<M: Domain> {
    /// By the domain's `modify`, under this key.
    Key(&'static str),
    /// By a function that gets the row as it was before the op.
    Own(fn(&mut M, &dyn Any, &Cell) -> Result<()>),
    /// By a function that gets all rows of the op at once, as they were before it. It returns lines
    /// for the reply.
    All(SetAll<M>),
}

/// A function that writes a column: it gets each row with its new value.
pub type SetAll<M> = fn(&mut M, &[(&dyn Any, &Cell)]) -> Result<Vec<String>>;

/// A row of any table, without its type.
pub trait AnyRow: Send {
    /// The row of the model that this one describes.
    fn row(&self) -> Option<Row>;
    /// The cell of a column.
    fn cell(&self, ix: usize) -> Cell;
    /// The row itself, for its setters.
    fn own(&self) -> &dyn Any;
}

impl<R: TableRow> AnyRow for R {
    fn row(&self) -> Option<Row> {
        TableRow::row(self)
    }

    fn cell(&self, ix: usize) -> Cell {
        TableRow::cell(self, ix)
    }

    fn own(&self) -> &dyn Any {
        self
    }
}

/// The columns that a question reads. A function under `#[fcp_table]` may leave others empty if
/// they are costly.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a>(&'a [&'a str]);

impl<'a> Wanted<'a> {
    /// These columns.
    #[must_use]
    pub const fn new(columns: &'a [&'a str]) -> Self {
        Self(columns)
    }

    /// Returns whether a column is read.
    #[must_use]
    pub fn has(&self, column: &str) -> bool {
        self.0.contains(&column)
    }

    /// Returns whether one of these columns is read.
    #[must_use]
    pub fn any(&self, columns: &[&str]) -> bool {
        columns.iter().any(|column| self.has(column))
    }

    /// The value of a column if it is read; otherwise an empty one, without making it.
    pub fn value<T: Default>(&self, column: &str, make: impl FnOnce() -> T) -> T {
        match self.has(column) {
            true => make(),
            false => T::default(),
        }
    }
}

/// A consumer of single rows.
pub type Sink<'s> = &'s mut dyn FnMut(Box<dyn AnyRow>);

/// A domain's own table. `#[fcp_table]` writes one static each.
pub struct TableDef<M: Domain> {
    /// Its name: `notes`.
    pub name: &'static str,
    /// The first sentence of its doc comment.
    pub summary: &'static str,
    /// Its columns, without `ref`.
    pub columns: &'static [Column<M>],
    /// Whether it has one row for each row of its part of the model: then conditions of `@where`
    /// use its columns.
    pub entity: bool,
    /// The part of the model that its rows describe, if it is only one.
    pub part: Option<usize>,
    /// Whether its rows have a `ref`.
    pub named: bool,
    /// Yields its rows.
    pub rows: fn(&M, Wanted<'_>, Sink<'_>),
    /// The op that adds a row, with columns in braces: `add note {pitch} on:{track}`. Words whose
    /// column is not given are left out. With `insert_by` it only lists the columns of a new row,
    /// with `|` between alternatives: `{track} {tick|pos}`.
    pub insert: Option<&'static str>,
    /// Builds the op that adds a row.
    pub insert_by: Option<InsertBy<M>>,
    /// The columns that write the same thing, as groups with spaces between. A statement sets one
    /// alternative of a group, `tick|pos`; one of several columns has `,` between them,
    /// `tick|bar,beat`. A group after `KIND:` is for rows with this value in the column `kind`.
    pub one_of: &'static str,
    /// Removes a row; without it, rows of the model are removed by the domain's `remove`.
    pub delete: Option<Remove<M>>,
    /// Removes all rows of an op at once. Returns lines for the reply.
    pub delete_all: Option<RemoveAll<M>>,
    /// Adds all rows of an op at once. Returns lines for the reply.
    pub insert_all: Option<InsertAll<M>>,
    /// Its source file.
    pub file: &'static str,
    /// The line of its attribute.
    pub line: u32,
}

/// A function that removes what a row of a table represents.
pub type Remove<M> = fn(&mut M, &dyn Any) -> Result<()>;

/// A function that removes what rows of a table represent.
pub type RemoveAll<M> = fn(&mut M, &[&dyn Any]) -> Result<Vec<String>>;

/// A function that builds the op which adds a row to a table.
pub type InsertBy<M> = fn(&M, NewRow<'_>) -> Result<String>;

/// The columns of new rows: each entry lists alternatives, of which one can be given.
#[must_use]
pub fn added_columns(template: &str) -> Vec<Vec<&str>> {
    let words = template.split('{').skip(1);
    let names = words.filter_map(|word| word.split_once('}'));
    names.map(|(names, _)| names.split('|').collect()).collect()
}

/// Two of some columns that write the same thing by `one_of` of their table, in rows of a kind or,
/// without one, in all rows.
#[must_use]
pub fn rivals<'c>(
    one_of: &str,
    columns: &[&'c str],
    kind: Option<&str>,
) -> Option<(&'c str, &'c str)> {
    let groups = one_of
        .split(' ')
        .filter_map(|group| match group.split_once(':') {
            Some((of, group)) => kind.is_some_and(|kind| kind == of).then_some(group),
            None => Some(group),
        });
    groups.into_iter().find_map(|group| {
        let mut given = columns.iter().filter_map(|column| {
            let own = |name: &str| name.eq_ignore_ascii_case(column);
            let at = group.split('|').position(|part| part.split(',').any(own))?;
            Some((at, *column))
        });
        let (first, one) = given.next()?;
        let (_, other) = given.find(|(at, _)| *at != first)?;
        Some((one, other))
    })
}

/// A function that adds rows to a table.
pub type InsertAll<M> = fn(&mut M, &[NewRow<'_>]) -> Result<Vec<String>>;

/// A new row: the given columns and their values.
#[derive(Clone, Copy, Debug)]
pub struct NewRow<'a> {
    columns: &'a [String],
    cells: &'a [Cell],
}

impl<'a> NewRow<'a> {
    /// Values of columns, in the order of both.
    #[must_use]
    pub const fn new(columns: &'a [String], cells: &'a [Cell]) -> Self {
        Self { columns, cells }
    }

    /// The value of a column, if it is given and not NULL.
    #[must_use]
    pub fn cell(&self, column: &str) -> Option<&'a Cell> {
        let own = |name: &String| name.eq_ignore_ascii_case(column);
        let at = self.columns.iter().position(own)?;
        self.cells.get(at).filter(|cell| **cell != Cell::Null)
    }

    /// The text of a column, if it is given and not NULL.
    #[must_use]
    pub fn text(&self, column: &str) -> Option<String> {
        self.cell(column)?.word().map(Into::into)
    }
}

/// Passes the rows returned by a function under `#[fcp_table]` to `sink`.
pub fn pour<R: TableRow>(rows: impl IntoIterator<Item = R>, sink: Sink<'_>) {
    rows.into_iter().for_each(|row| sink(Box::new(row)));
}

/// Calls a setter with the value of a cell. The repair of a wrong value is the correct value.
///
/// # Errors
/// The cell is not valid for the setter, or the setter fails.
pub fn set<M: Domain, R: TableRow, V: SetValue>(
    model: &mut M,
    row: &dyn Any,
    cell: &Cell,
    set: impl FnOnce(&mut M, &R, V) -> Result<()>,
) -> Result<()> {
    let (row, value) = change(row, cell)?;
    set(model, row, value)
}

/// The row of a table, and the value of a cell.
fn change<'r, R: TableRow, V: SetValue>(row: &'r dyn Any, cell: &Cell) -> Result<(&'r R, V)> {
    let row = own(row)?;
    let value = V::read(cell).map_err(|error| error.refusal(&cell.shown()))?;
    Ok((row, value))
}

/// The row of a table as its struct.
fn own<R: TableRow>(row: &dyn Any) -> Result<&R> {
    let own = row.downcast_ref::<R>();
    own.ok_or_else(|| Diagnostic::new("this row is of another table"))
}

/// Calls a setter with all rows of an op and their values. The repair of a wrong value is the
/// correct value.
///
/// # Errors
/// A cell is not valid for the setter, or the setter fails.
pub fn set_all<M: Domain, R: TableRow, V: SetValue>(
    model: &mut M,
    changes: &[(&dyn Any, &Cell)],
    set: impl FnOnce(&mut M, Vec<(&R, V)>) -> Result<Vec<String>>,
) -> Result<Vec<String>> {
    let rows = changes.iter().map(|(row, cell)| change(*row, cell));
    set(model, rows.collect::<Result<_>>()?)
}

/// Calls the function that removes all rows of an op.
///
/// # Errors
/// The function fails.
pub fn remove_all<M: Domain, R: TableRow>(
    model: &mut M,
    rows: &[&dyn Any],
    remove: impl FnOnce(&mut M, Vec<&R>) -> Result<Vec<String>>,
) -> Result<Vec<String>> {
    let rows = rows.iter().map(|row| own(*row));
    remove(model, rows.collect::<Result<_>>()?)
}

/// Calls the function that removes a row.
///
/// # Errors
/// The function fails.
pub fn remove<M: Domain, R: TableRow>(
    model: &mut M,
    row: &dyn Any,
    remove: impl FnOnce(&mut M, &R) -> Result<()>,
) -> Result<()> {
    remove(model, own(row)?)
}
