//! Fills the rows of a table from the rows of a model.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql};
use rustc_hash::FxHashMap;

use super::changes::Changed;
use super::lex;
use super::schema::{POSITION, Source, Table};
use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::table::{AnyRow, Wanted};
use crate::value::Cell;
use crate::verb::ref_name;
use crate::work;

/// The steps of a row besides those of its cells.
const STEPS_A_ROW: usize = 4;

/// The steps of a cell.
const STEPS_A_CELL: usize = 2;

/// The number of the column `ref` in lists of filled columns.
pub(super) const REF: usize = usize::MAX;

/// The present content of a table.
#[derive(Default)]
pub(super) struct Filled {
    pub is_filled: bool,
    /// The filled columns, with `ref` as `usize::MAX`.
    pub columns: Vec<usize>,
    /// The row of the model that each row represents.
    pub rows: Vec<Option<Row>>,
    /// The rows by their `ref`, if that is filled and made of the present names.
    pub refs: FxHashMap<String, Row>,
    /// The longest text of each filled column, in bytes.
    pub longest: Vec<usize>,
}

impl Filled {
    /// The longest text of these filled columns.
    pub fn longest_of(&self, columns: &[usize]) -> usize {
        let own = self.columns.iter().zip(&self.longest);
        let read = own.filter_map(|(column, own)| columns.contains(column).then_some(*own));
        read.max().unwrap_or(0)
    }
}

/// Inserts the rows of a table.
pub(super) fn pour<M: Domain>(
    connection: &Connection,
    (model, changed): (&M, &[Changed]),
    table: &Table<M>,
    columns: &[usize],
    filled: &mut Filled,
) -> rusqlite::Result<()> {
    let name = lex::name(&table.name);
    let columns_named = columns.iter().map(|ix| match table.columns.get(*ix) {
        Some(column) => &*column.name,
        None => "ref",
    });
    let names = std::iter::once("rowid").chain(columns_named).map(lex::name);
    let names = names.collect::<Vec<_>>().join(",");
    let places = vec!["?"; columns.len() + 1].join(",");
    connection.execute_batch(&format!("BEGIN; DELETE FROM {name}"))?;
    let insert = format!("INSERT INTO {name}({names}) VALUES({places})");
    let mut insert = connection.prepare(&insert)?;
    filled.longest = vec![0; columns.len()];
    let mut put = |row: Option<Row>, called: Option<&str>, cell: &dyn Fn(usize) -> Cell| {
        // The content of a table is bounded by the document; the call fails at its next check.
        let _ = work::spend(STEPS_A_ROW + STEPS_A_CELL * columns.len());
        filled.rows.push(row);
        let number = i64::try_from(filled.rows.len()).unwrap_or(i64::MAX);
        insert.raw_bind_parameter(1, number)?;
        for (place, ix) in columns.iter().enumerate() {
            let value = match (*ix, called, row) {
                (REF, Some(name), _) => Cell::Text(name.to_owned()),
                (REF, None, Some(row)) => {
                    let name = ref_name(model, row);
                    filled.refs.insert(name.clone(), row);
                    Cell::Text(name)
                }
                (REF, None, None) => Cell::Null,
                (ix, ..) => cell(ix),
            };
            if let Cell::Text(text) = &value {
                filled.longest[place] = filled.longest[place].max(text.len());
            }
            insert.raw_bind_parameter(place + 2, &value)?;
        }
        insert.raw_execute().map(drop)
    };
    match table.source {
        Source::Own(def) => {
            let own = columns.iter().filter_map(|ix| def.columns.get(*ix));
            let names: Vec<&str> = own.map(|own| own.name).collect();
            let mut result = Ok(());
            (def.rows)(model, Wanted::new(&names), &mut |row: Box<dyn AnyRow>| {
                if result.is_ok() {
                    result = put(row.row(), None, &|at| row.cell(at));
                }
            });
            result?;
        }
        Source::Kind(part) => {
            let rows = model.rows(part);
            let mut ids: Vec<u32> = rows.iter().flat_map(|rows| rows.ids()).collect();
            if let Some(rows) = rows {
                rows.arrange_as_in_file(&mut ids);
                if M::NESTED {
                    ids.sort_by_cached_key(|id| path(model, Row::new(part, *id)));
                }
                for id in ids {
                    let row = Row::new(part, id);
                    put(Some(row), None, &|at| field(model, row, table, at))?;
                }
            }
        }
        Source::Changes => {
            for own in changed {
                let cell = |at: usize| own.cells.get(at).cloned().unwrap_or(Cell::Null);
                put(own.row, own.name.as_deref(), &cell)?;
            }
        }
    }
    drop(insert);
    connection.execute_batch("COMMIT")
}

/// The most levels of rows in rows: parents in a circle end there.
const LEVELS: usize = 64;

/// The ids of the rows that a row is in, the outermost first, and its own.
fn path<M: Domain>(model: &M, row: Row) -> Vec<u32> {
    let outer = |row: &Row| {
        let parent = model.rows(row.part())?.parent(row.id())?;
        model.by_id(parent)
    };
    let rows = std::iter::successors(Some(row), outer).take(LEVELS);
    let mut ids: Vec<u32> = rows.map(Row::id).collect();
    ids.reverse();
    ids
}

/// A field of a row as a cell.
fn field<M: Domain>(model: &M, row: Row, table: &Table<M>, at: usize) -> Cell {
    let (Some(rows), Some(column)) = (model.rows(row.part()), table.columns.get(at)) else {
        return Cell::Null;
    };
    if column.ix == POSITION {
        return model.position(row).map_or(Cell::Null, Cell::Text);
    }
    match column.refers {
        Some(kind) => {
            let part = M::part_of(kind);
            let target = rows.reference(row.id(), column.ix);
            let target = part.zip(target).map(|(part, id)| Row::new(part, id));
            target.map_or(Cell::Null, |row| Cell::Text(model.name_of(row)))
        }
        None => {
            let text = rows.field(row.id(), column.ix);
            text.map_or(Cell::Null, |text| column.sql.cell(text))
        }
    }
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Real(number) => ValueRef::Real(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}
