//! SQL over the tables of a document: questions, conditions and computed values.
//!
//! SQLite answers; it never changes a document. Its tables are filled from the model as far as a
//! statement reads them, and kept until the document changes. Statements that write (`UPDATE`,
//! `DELETE`, `INSERT`) are parsed by [`write_statement`], turned into rows and values by a question, and
//! carried out by the setters of `modify`, `add` and `remove`.
//!
//! Nothing is created before the first statement: a session without SQL has no connection.

pub(crate) mod changes;
mod condition;
mod engine;
mod error;
mod failure;
mod fill;
mod functions;
mod lex;
mod nearest;
mod schema;
mod show;
mod watch;
mod whole_expression;
pub(crate) mod write_statement;

use std::cell::{self, RefCell};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use engine::{Engine, Use};
use failure::Failure;

use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::value::Cell;
use crate::verb::Registry;

pub(crate) use engine::Found;
pub(crate) use error::{Fault, hint, look};
pub(crate) use lex::{
    Reads, is_open, literals, on_one_line, other_word, renamed, substituted, text as as_literal,
};
pub(crate) use nearest::nearest_column;
pub(crate) use schema::{Column, Source, Structs, Table};
pub(crate) use show::{Described, tables_of};
pub(crate) use whole_expression::{aggregate, expression};

/// The limits of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Steps of SQLite's machine, in millions.
    pub steps: usize,
    /// Rows of an answer.
    pub rows: usize,
    /// KiB of a value, unless the document contains a longer text.
    pub value: usize,
    /// Memory, in MiB.
    pub memory: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            steps: 40,
            rows: 200_000,
            value: 64,
            memory: 512,
        }
    }
}

/// Identifies a state of a document: the state of its log, its next id, and the hash of its
/// content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    log: u64,
    ids: u32,
    hash: u64,
}

impl State {
    /// The state of a model, with its log at `log`.
    pub fn of<M: Domain>(model: &M, log: u64) -> Self {
        Self {
            log,
            ids: model.ids().peek(),
            hash: model.hash(),
        }
    }
}

/// The tables of a document.
#[derive(Default)]
pub(crate) struct Tables<M: Domain> {
    engine: RefCell<Option<Box<Engine<M>>>>,
    bounds: RefCell<Bounds>,
    /// The changes since an earlier state, and the state of the document they lead to.
    changes: RefCell<Option<(State, Changes)>>,
    /// The rows that conditions selected since this was last taken, and that selectors leave out by
    /// default.
    pub left_out: cell::Cell<usize>,
}

/// The rows of the table `changes`, or the reason why there are none.
pub(crate) type Changes = Result<Arc<Vec<changes::Changed>>, String>;

/// All rows of an answer.
const ALL: Range<usize> = 0..usize::MAX;

/// A row of a table that a statement is about.
pub(crate) struct Numbered {
    /// Its number in the table, from 1.
    pub number: i64,
    /// The row of the model that it represents.
    pub row: Option<Row>,
    /// The values that the statement gives for it.
    pub cells: Vec<Cell>,
}

/// The tables of a document in one of its states.
pub(crate) struct View<'t, M: Domain> {
    tables: &'t Tables<M>,
    model: &'t M,
    registry: &'t Registry<M>,
    log: u64,
}

impl<M: Domain> Tables<M> {
    /// Sets other limits.
    pub fn bound(&self, bounds: Bounds) {
        *self.bounds.borrow_mut() = bounds;
    }

    /// Returns whether the changes up to this state of the document are known.
    pub fn has_changes(&self, state: State) -> bool {
        let changes = self.changes.borrow();
        changes.as_ref().is_some_and(|(known, _)| *known == state)
    }

    /// Stores the changes up to a state of the document.
    pub fn set_changes(&self, state: State, changes: Changes) {
        *self.changes.borrow_mut() = Some((state, changes));
    }

    /// Drops all cached data: something outside the log has changed, or the checkpoint of the changes has moved.
    pub fn forget(&self) {
        *self.changes.borrow_mut() = None;
        if let Ok(mut engine) = self.engine.try_borrow_mut() {
            *engine = None;
        }
    }

    /// The tables of a model, with its log at `log`.
    pub const fn view<'t>(
        &'t self,
        model: &'t M,
        registry: &'t Registry<M>,
        log: u64,
    ) -> View<'t, M> {
        View {
            tables: self,
            model,
            registry,
            log,
        }
    }
}

impl<M: Domain> View<'_, M> {
    /// Answers a statement that reads.
    ///
    /// # Errors
    /// The statement is wrong or exceeds a limit.
    pub fn ask(&self, sql: &str) -> Result<Found, Fault> {
        self.page(sql, ALL)
    }

    /// Answers a statement whose values are written.
    ///
    /// # Errors
    /// The statement is wrong, exceeds a limit or has a blob.
    pub fn values(&self, sql: &str) -> Result<Found, Fault> {
        self.with(sql, |engine| engine.ask(self.model, sql, (ALL, Use::Write)))
    }

    /// Answers a statement that reads; only the rows of a page have cells.
    ///
    /// # Errors
    /// The statement is wrong or exceeds a limit.
    pub fn page(&self, sql: &str, page: Range<usize>) -> Result<Found, Fault> {
        self.with(sql, |engine| engine.ask(self.model, sql, (page, Use::Show)))
    }

    /// Runs `act` with the engine for the present document. Errors refer to the statement.
    fn with<T>(
        &self,
        sql: &str,
        act: impl FnOnce(&mut Engine<M>) -> Result<T, Failure>,
    ) -> Result<T, Fault> {
        let bounds = *self.tables.bounds.borrow();
        let Ok(mut slot) = self.tables.engine.try_borrow_mut() else {
            return Err(Fault::new("tables cannot be read while they are filled"));
        };
        let result = self.engine(&mut slot, bounds).and_then(act);
        let result = result.map_err(|failure| {
            let tables = slot.as_ref().map_or(&[][..], |engine| &engine.tables);
            Fault::of(failure, sql, tables, bounds)
        });
        slot.take_if(|engine| engine.state.is_none());
        result
    }

    fn engine<'e>(
        &self,
        slot: &'e mut Option<Box<Engine<M>>>,
        bounds: Bounds,
    ) -> Result<&'e mut Engine<M>, Failure> {
        let engine = match slot {
            Some(engine) => engine,
            none => none.insert(Box::new(Engine::new(Table::all(self.registry))?)),
        };
        engine.turn(self.model, State::of(self.model, self.log), bounds)?;
        engine.changes = match self.tables.changes.borrow().as_ref() {
            // An op that reads changes while it changes the document sees them as before it.
            Some((known, changes)) if known.log == self.log => changes.clone(),
            _ => Err("changes cannot be read here".to_owned()),
        };
        Ok(engine)
    }

    /// The rows of a table whose numbers a question returns, with the other values it returns for
    /// each.
    pub fn rows(&self, table: &str, sql: &str) -> Result<Vec<Numbered>, Fault> {
        self.numbered(table, sql, Use::Write)
    }

    fn numbered(&self, table: &str, sql: &str, purpose: Use) -> Result<Vec<Numbered>, Fault> {
        self.with(sql, |engine| {
            let found = engine.ask(self.model, sql, (ALL, purpose))?;
            let missing = || Failure::because(format!("no such table: {table}"));
            let table = engine.table(table).ok_or_else(missing)?;
            let rows = found.rows.into_iter().filter_map(|mut row| {
                let cells = row.split_off(1);
                let Some(Cell::Integer(number)) = row.first() else {
                    return None;
                };
                Some(Numbered {
                    number: *number,
                    row: engine.row(table, *number),
                    cells,
                })
            });
            Ok(rows.collect())
        })
    }

    /// The values of expressions for rows of the model, over the columns of the table that has one
    /// row for each. A computed number gets the decimals of its expression; one that the expression
    /// takes from a column is as it was.
    ///
    /// # Errors
    /// No table contains the rows, or an expression is wrong.
    pub fn compute(
        &self,
        rows: &[Row],
        exprs: &[(&str, usize)],
    ) -> Result<HashMap<Row, Vec<Cell>>, Fault> {
        let mut values = HashMap::new();
        let tables = Table::all(self.registry);
        for table in tables.iter().filter(|table| table.is_entity) {
            let is_left = |row: &&Row| {
                table.part.is_none_or(|part| row.part() == part) && !values.contains_key(*row)
            };
            let wanted: HashSet<Row> = rows.iter().filter(is_left).copied().collect();
            if wanted.is_empty() {
                continue;
            }
            let name = lex::name(&table.name);
            let filling = format!("SELECT rowid FROM {name} LIMIT 1");
            let has_some = self.with(&filling, |engine| {
                engine.ask(self.model, &filling, (ALL, Use::Show))?;
                let ix = engine.table(&table.name).unwrap_or(usize::MAX);
                let own = engine.numbers(ix).filter(|(_, row)| wanted.contains(row));
                let numbers: Vec<i64> = own.map(|(number, _)| number).collect();
                engine.pick(&numbers)?;
                Ok(!numbers.is_empty())
            })?;
            if !has_some {
                continue;
            }
            let list = exprs.iter().map(|(expr, _)| format!("({expr})"));
            let read = exprs.iter().flat_map(|(expr, _)| Reads::of(expr).names);
            let read = read.filter(|name| table.column(name).is_some());
            let asked: Vec<String> = list.chain(read.map(|own| lex::name(&own))).collect();
            let picked = lex::name(engine::PICKED);
            let asked = asked.join(", ");
            let sql = format!("SELECT rowid, {asked} FROM {name} WHERE rowid IN {picked}");
            for mut own in self.numbered(&table.name, &sql, Use::Picked)? {
                let read = own.cells.split_off(exprs.len());
                for (cell, (_, decimals)) in own.cells.iter_mut().zip(exprs) {
                    if !read.contains(cell) {
                        *cell = cell.rounded(*decimals);
                    }
                }
                values.extend(own.row.map(|row| (row, own.cells)));
            }
        }
        Ok(values)
    }

    /// The row of the model named by a `ref`, if a question has read it.
    fn named(&self, name: &str) -> Option<Row> {
        let engine = self.tables.engine.try_borrow().ok()?;
        engine.as_ref()?.named(name)
    }
}
