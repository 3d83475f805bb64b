//! SQL over the tables of a document: questions, conditions and computed values.
//!
//! SQLite answers; it never changes a document. Its tables are filled from the model as far as a
//! statement reads them, and kept until the document changes. Statements that write (`UPDATE`,
//! `DELETE`, `INSERT`) are parsed by [`mod@write`], turned into rows and values by a question, and
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
mod whole;
pub(crate) mod write;

use std::cell::{RefCell, RefMut};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use engine::Engine;
use failure::Failure;

use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::table::AnyRow;
use crate::value::Cell;
use crate::verb::Registry;

pub(crate) use engine::Found;
pub(crate) use error::{Fault, hint};
pub(crate) use lex::{Reads, is_open, literals, on_one_line, other_word, substituted, texts};
pub(crate) use nearest::{nearest_column, nearest_name};
pub(crate) use schema::{Column, Source, Table};
pub(crate) use show::{Described, tables_of};
pub(crate) use whole::{aggregate, expression};

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
pub(crate) struct Tables<M: Domain> {
    engine: RefCell<Option<Box<Engine<M>>>>,
    bounds: RefCell<Bounds>,
    /// The changes since an earlier state, and the state of the document they lead to.
    changes: RefCell<Option<(State, Changes)>>,
}

/// The rows of the table `changes`, or the reason why there are none.
pub(crate) type Changes = Result<Arc<Vec<changes::Changed>>, String>;

impl<M: Domain> Default for Tables<M> {
    fn default() -> Self {
        Self {
            engine: RefCell::new(None),
            bounds: RefCell::new(Bounds::default()),
            changes: RefCell::new(None),
        }
    }
}

/// The rows of a table that a write affects, each with its computed values.
pub(crate) struct Written {
    /// The number of each row in its table, from 1, and its values.
    pub rows: Vec<(i64, Vec<Cell>)>,
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

    /// Drops the changes: their checkpoint has moved.
    pub fn forget_changes(&self) {
        *self.changes.borrow_mut() = None;
        if let Ok(mut engine) = self.engine.try_borrow_mut()
            && let Some(engine) = engine.as_mut()
        {
            engine.forget_changes();
        }
    }

    /// Drops all cached data: something outside the log has changed.
    pub fn forget(&self) {
        *self.changes.borrow_mut() = None;
        if let Ok(mut engine) = self.engine.try_borrow_mut() {
            *engine = None;
        }
    }

    /// The engine for the present document.
    fn engine(
        &self,
        model: &M,
        registry: &Registry<M>,
        log: u64,
    ) -> Result<RefMut<'_, Box<Engine<M>>>, Failure> {
        let busy = |_| Failure::Sql {
            message: "tables cannot be read while they are filled".to_owned(),
            offset: None,
        };
        let mut slot = self.engine.try_borrow_mut().map_err(busy)?;
        if slot.is_none() {
            *slot = Some(Box::new(Engine::new(Table::all(registry))?));
        }
        let state = State::of(model, log);
        let bounds = *self.bounds.borrow();
        let made = RefMut::filter_map(slot, Option::as_mut);
        let mut engine = made.map_err(|_| Failure::Sql {
            message: "there is no engine".to_owned(),
            offset: None,
        })?;
        engine.turn(model, state, bounds)?;
        let changes = self.changes.borrow();
        engine.changes = match changes.as_ref() {
            // An op that reads changes while it changes the document sees them as before it.
            Some((known, changes)) if known.log == log => changes.clone(),
            _ => Err("changes cannot be read here".to_owned()),
        };
        drop(changes);
        Ok(engine)
    }

    /// Answers a statement that reads.
    ///
    /// # Errors
    /// The statement is wrong or exceeds a limit.
    pub fn ask(
        &self,
        model: &M,
        registry: &Registry<M>,
        log: u64,
        sql: &str,
    ) -> Result<Found, Fault> {
        self.with(model, registry, log, sql, |engine| engine.ask(model, sql))
    }

    /// Answers a statement whose values are written.
    ///
    /// # Errors
    /// The statement is wrong, exceeds a limit or has a blob.
    pub fn values(
        &self,
        model: &M,
        registry: &Registry<M>,
        log: u64,
        sql: &str,
    ) -> Result<Found, Fault> {
        self.with(model, registry, log, sql, |engine| {
            engine.compute(model, sql)
        })
    }

    /// Answers a statement that reads; only the rows of a page have cells.
    ///
    /// # Errors
    /// The statement is wrong or exceeds a limit.
    pub fn ask_page(
        &self,
        model: &M,
        registry: &Registry<M>,
        log: u64,
        (sql, page): (&str, Range<usize>),
    ) -> Result<Found, Fault> {
        self.with(model, registry, log, sql, |engine| {
            engine.ask_page(model, sql, page)
        })
    }

    /// Runs `f` with the engine. Errors refer to the statement.
    fn with<T>(
        &self,
        model: &M,
        registry: &Registry<M>,
        log: u64,
        sql: &str,
        act: impl FnOnce(&mut Engine<M>) -> Result<T, Failure>,
    ) -> Result<T, Fault> {
        let bounds = *self.bounds.borrow();
        let mut engine = self
            .engine(model, registry, log)
            .map_err(|failure| Fault::of(failure, sql, &[] as &[Table<M>], bounds))?;
        let result = act(&mut engine);
        result.map_err(|failure| Fault::of(failure, sql, &engine.tables, bounds))
    }

    /// The rows of a table whose numbers a question returns, with the other values it returns for
    /// each.
    pub fn rows(
        &self,
        model: &M,
        registry: &Registry<M>,
        log: u64,
        (table, sql): (&str, &str),
    ) -> Result<(Written, Vec<Option<Row>>), Fault> {
        self.with(model, registry, log, sql, |engine| {
            Self::numbered(engine, model, (table, sql))
        })
    }

    /// Like [`Self::rows`], for a question about each row of the table, which may have more rows
    /// than an answer.
    fn each_row(
        &self,
        model: &M,
        registry: &Registry<M>,
        log: u64,
        (table, sql): (&str, &str),
    ) -> Result<(Written, Vec<Option<Row>>), Fault> {
        self.with(model, registry, log, sql, |engine| {
            engine.has_all_rows = true;
            Self::numbered(engine, model, (table, sql))
        })
    }

    fn numbered(
        engine: &mut Engine<M>,
        model: &M,
        (table, sql): (&str, &str),
    ) -> Result<(Written, Vec<Option<Row>>), Failure> {
        let found = engine.compute(model, sql)?;
        let table = engine.table(table).ok_or_else(|| Failure::Sql {
            message: format!("no such table: {table}"),
            offset: None,
        })?;
        let mut rows = Vec::with_capacity(found.rows.len());
        for mut cells in found.rows {
            let values = cells.split_off(1);
            if let Some(Cell::Integer(number)) = cells.first() {
                rows.push((*number, values));
            }
        }
        let own = rows
            .iter()
            .map(|(number, _)| engine.row(table, *number))
            .collect();
        Ok((Written { rows }, own))
    }

    /// The values of expressions for rows of the model, over the columns of the table that has one
    /// row for each. A computed number gets the decimals of its expression; one that the expression
    /// takes from a column is as it was.
    ///
    /// # Errors
    /// No table contains the rows, or an expression is wrong.
    pub fn compute(
        &self,
        (model, registry, log): (&M, &Registry<M>, u64),
        rows: &[Row],
        exprs: &[(&str, usize)],
    ) -> Result<HashMap<Row, Vec<Cell>>, Fault> {
        let mut values = HashMap::new();
        let list = exprs.iter().map(|(expr, _)| format!("({expr})"));
        let list: Vec<String> = list.collect();
        for table in Table::all(registry)
            .iter()
            .filter(|table| table.is_entity())
        {
            let is_left = |row: &&Row| {
                table.part().is_none_or(|part| row.part() == part) && !values.contains_key(*row)
            };
            let wanted: HashSet<Row> = rows.iter().filter(is_left).copied().collect();
            if wanted.is_empty() {
                continue;
            }
            let name = lex::name(&table.name);
            let filling = format!("SELECT rowid FROM {name} LIMIT 1");
            let read = exprs.iter().flat_map(|(expr, _)| Reads::of(expr).names);
            let read = read.filter(|name| table.column(name).is_some());
            let read = read.map(|column| lex::name(&column));
            let asked: Vec<String> = list.iter().cloned().chain(read).collect();
            let sql = format!(
                "SELECT rowid, {} FROM {name} WHERE rowid IN {}",
                asked.join(", "),
                lex::name(engine::PICKED)
            );
            let has_some = self.with(model, registry, log, &filling, |engine| {
                engine.ask(model, &filling)?;
                let ix = engine.table(&table.name).unwrap_or(usize::MAX);
                let own = engine.numbers(ix).filter(|(_, row)| wanted.contains(row));
                let numbers: Vec<i64> = own.map(|(number, _)| number).collect();
                engine.pick(&numbers)?;
                Ok(!numbers.is_empty())
            })?;
            if !has_some {
                continue;
            }
            let (written, own) = self.rows(model, registry, log, (&table.name, &sql))?;
            let pairs = written.rows.into_iter().zip(own);
            values.extend(pairs.filter_map(|((_, mut cells), row)| {
                let read = cells.split_off(exprs.len());
                for (cell, (_, decimals)) in cells.iter_mut().zip(exprs) {
                    if !read.contains(cell) {
                        *cell = cell.rounded(*decimals);
                    }
                }
                Some((row?, cells))
            }));
        }
        Ok(values)
    }

    /// The rows of a domain's own table as structs, for their setters. Numbers start at 1.
    pub fn structs(model: &M, table: &Table<M>) -> Vec<Box<dyn AnyRow>> {
        let mut rows = Vec::new();
        if let Source::Own(def) = table.source {
            let names: Vec<&str> = Vec::new();
            (def.rows)(model, crate::table::Wanted::new(&names), &mut |row| {
                rows.push(row);
            });
        }
        rows
    }

    /// The row of the model named by a `ref`, if a question has read it.
    pub fn named(&self, name: &str) -> Option<Row> {
        let engine = self.engine.try_borrow().ok()?;
        engine.as_ref()?.named(name)
    }
}
