//! SQLite over the tables of one document: filled only as far as a question reads them, read-only,
//! and bounded.

use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::config::DbConfig;
use rusqlite::hooks::AuthContext;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode};

use super::failure::{Failure, Passed};
use super::fill::{Filled, REF, pour};
use super::functions::Cost;
use super::schema::Source;
use super::schema::Table;
use super::watch::{STEPS_AT_ONCE, Watch, held};
use super::{Bounds, Changes, State, functions, lex};
use crate::domain::Domain;
use crate::model::Row;
use crate::value::Cell;
use crate::work;

/// The cost of preparing a statement, in steps of a call.
const STEPS_TO_PREPARE: usize = 100;

/// The most bytes of a statement.
const LONGEST: i32 = 1_000_000;

/// The factor by which the first run of a statement limits its texts further.
const SHORTER: usize = 16;

/// The bytes of a text that a heavy function processes in the time of one step.
const BYTES_A_STEP: usize = 128;

/// The rows of an answer.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// The table of the row numbers that an op targets.
pub(super) const PICKED: &str = "_picked";

/// A connection with its tables, and the filled part of each.
pub(super) struct Engine<M: Domain> {
    connection: Connection,
    watch: Arc<Mutex<Watch>>,
    pub tables: Vec<Table<M>>,
    filled: Vec<Filled>,
    state: Option<State>,
    bounds: Option<Bounds>,
    /// Whether the domain's functions are those for this state.
    has_functions: bool,
    /// The limits of the current statement: its steps, and the bytes of a value.
    allowed: (u64, usize),
    /// The rows of the table `changes`.
    pub changes: Changes,
    /// The limit of values that functions make, and the steps that functions took.
    cost: Cost,
    /// Whether the next statement may read [`PICKED`].
    may_pick: bool,
    /// Whether the next statement may answer any number of rows.
    pub has_all_rows: bool,
    /// Whether a blob in an answer is an error.
    takes_no_blobs: bool,
}

impl<M: Domain> Engine<M> {
    /// An engine with empty tables.
    pub fn new(tables: Vec<Table<M>>) -> Result<Self, Failure> {
        let mut connection = Connection::open_in_memory()?;
        for config in [
            DbConfig::SQLITE_DBCONFIG_DQS_DML,
            DbConfig::SQLITE_DBCONFIG_DQS_DDL,
            DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA,
        ] {
            connection.set_db_config(config, false)?;
        }
        connection.execute_batch("PRAGMA journal_mode=off; PRAGMA temp_store=memory;")?;
        for (limit, most) in [
            (Limit::SQLITE_LIMIT_ATTACHED, 0),
            (Limit::SQLITE_LIMIT_SQL_LENGTH, LONGEST),
            (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
            (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 100),
            // A statement of the greatest length has fewer; SQLite reports more as a lack of memory.
            (Limit::SQLITE_LIMIT_VDBE_OP, 10_000_000),
            (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
            (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 0),
            (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
        ] {
            connection.set_limit(limit, most)?;
        }
        let cost = Cost::default();
        functions::stock(&connection, &cost)?;
        for table in &tables {
            let columns = table.columns.iter();
            let columns =
                columns.map(|own| format!(", {} {}", lex::name(&own.name), own.sql.declared()));
            let columns: String = columns.collect();
            let name = lex::name(&table.name);
            connection.execute_batch(&format!("CREATE TABLE {name}(\"ref\" TEXT{columns})"))?;
        }
        connection.execute_batch(&format!(
            "CREATE TABLE {}(n INTEGER PRIMARY KEY)",
            lex::name(PICKED)
        ))?;
        let watch = Arc::new(Mutex::new(Watch::default()));
        let names: Vec<String> = tables
            .iter()
            .map(|table| table.name.to_lowercase())
            .collect();
        let authority = Arc::clone(&watch);
        connection.authorizer(Some(move |context: AuthContext<'_>| {
            held(&authority).judge(&context.action, &names)
        }))?;
        let (counter, took) = (Arc::clone(&watch), Arc::clone(&cost.steps));
        let count = move || held(&counter).step(took.swap(0, Ordering::Relaxed));
        connection.progress_handler(STEPS_AT_ONCE, Some(count))?;
        let filled = tables.iter().map(|_| Filled::default()).collect();
        Ok(Self {
            connection,
            watch,
            tables,
            filled,
            state: None,
            bounds: None,
            has_functions: false,
            allowed: (0, 0),
            changes: Err(String::new()),
            cost,
            may_pick: false,
            has_all_rows: false,
            takes_no_blobs: false,
        })
    }

    /// Switches to another state of the document, or to other limits.
    pub fn turn(&mut self, model: &M, state: State, bounds: Bounds) -> Result<(), Failure> {
        if self.state != Some(state) {
            self.filled = self.tables.iter().map(|_| Filled::default()).collect();
            self.state = Some(state);
            self.has_functions = false;
        }
        if !self.has_functions {
            functions::of_model(&self.connection, model)?;
            self.has_functions = true;
        }
        if self.bounds != Some(bounds) {
            self.open();
            // First set to 0: otherwise a limit can only be lowered.
            let memory = bounds.memory.saturating_mul(1 << 20);
            let limits = format!("PRAGMA hard_heap_limit=0; PRAGMA hard_heap_limit={memory}");
            self.connection.execute_batch(&limits)?;
            self.bounds = Some(bounds);
        }
        Ok(())
    }

    /// Marks the table `changes` to be filled again before it is next read.
    pub fn forget_changes(&mut self) {
        for (table, filled) in self.tables.iter().zip(&mut self.filled) {
            if matches!(table.source, Source::Changes) {
                *filled = Filled::default();
            }
        }
    }

    /// Allows everything, for the engine's own statements.
    fn open(&self) {
        *held(&self.watch) = Watch {
            is_open: true,
            steps: u64::MAX,
            ..Watch::default()
        };
    }

    /// The table of this name, ignoring case.
    pub fn table(&self, name: &str) -> Option<usize> {
        let own = |table: &Table<M>| table.name.eq_ignore_ascii_case(name);
        self.tables.iter().position(own)
    }

    /// The row of the model that a row of a table represents, by its number from 1.
    pub fn row(&self, table: usize, number: i64) -> Option<Row> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        *self.filled.get(table)?.rows.get(at)?
    }

    /// The row named by a `ref`, among those of filled tables.
    pub fn named(&self, name: &str) -> Option<Row> {
        self.filled
            .iter()
            .find_map(|filled| filled.refs.get(name).copied())
    }

    /// The numbers of the rows in a table that represent rows of the model.
    pub fn numbers(&self, table: usize) -> impl Iterator<Item = (i64, Row)> + '_ {
        let rows = self
            .filled
            .get(table)
            .into_iter()
            .flat_map(|filled| &filled.rows);
        (1..)
            .zip(rows)
            .filter_map(|(number, row)| Some((number, (*row)?)))
    }

    /// Replaces the numbers in the table [`PICKED`].
    pub fn pick(&mut self, numbers: &[i64]) -> Result<(), Failure> {
        self.may_pick = true;
        self.open();
        let name = lex::name(PICKED);
        self.connection
            .execute_batch(&format!("BEGIN; DELETE FROM {name}"))?;
        let mut insert = self
            .connection
            .prepare(&format!("INSERT INTO {name} VALUES(?)"))?;
        for number in numbers {
            insert.execute([number])?;
        }
        drop(insert);
        self.connection.execute_batch("COMMIT")?;
        Ok(())
    }

    /// Answers a statement, with all its rows.
    pub fn ask(&mut self, model: &M, sql: &str) -> Result<Found, Failure> {
        self.ask_page(model, sql, 0..usize::MAX)
    }

    /// Like [`Self::ask`], for values that an op writes: a document has no blobs.
    pub fn compute(&mut self, model: &M, sql: &str) -> Result<Found, Failure> {
        self.takes_no_blobs = true;
        let found = self.ask(model, sql);
        self.takes_no_blobs = false;
        found
    }

    /// Answers a statement: prepares it, fills the columns it reads, and runs it. Rows outside of
    /// the page have no cells: they are only counted.
    pub fn ask_page(&mut self, model: &M, sql: &str, page: Range<usize>) -> Result<Found, Failure> {
        self.watched();
        if sql.len() > LONGEST as usize {
            return Err(Failure::Limit(Passed::Length));
        }
        held(&self.watch).may_pick = std::mem::take(&mut self.may_pick);
        let has_all_rows = std::mem::take(&mut self.has_all_rows);
        match self.connection.prepare(sql) {
            Err(error) => return Err(self.failure(error)),
            // SQLite would read it as NULL.
            Ok(statement) if statement.parameter_count() > 0 => {
                let name = statement.parameter_name(1).map(str::to_owned);
                return Err(Failure::Parameter(name));
            }
            Ok(_) => {}
        }
        let reads = std::mem::take(&mut held(&self.watch).reads);
        // For a column that joins tables by name, SQLite reports only one of the tables.
        let mut tokens = lex::tokens(sql).into_iter();
        let is_joined = tokens.any(|token| token.is_any(&["USING", "NATURAL"]));
        let mut longest = 0;
        for ix in 0..self.tables.len() {
            let Some(table) = self.tables.get(ix) else {
                continue;
            };
            let own = reads
                .iter()
                .filter(|(name, _)| table.name.eq_ignore_ascii_case(name));
            let mut columns = Vec::new();
            let is_read = own.clone().next().is_some();
            let all = reads.iter().filter(|_| is_read && is_joined);
            for (_, column) in own.chain(all) {
                let column = match column.eq_ignore_ascii_case("ref") {
                    true => Some(REF),
                    false => table.column(column),
                };
                columns.extend(column.filter(|column| !columns.contains(column)));
            }
            if is_read {
                self.fill(model, ix, columns)?;
                longest = longest.max(self.filled.get(ix).map_or(0, |filled| filled.longest));
            }
        }
        let mut bounds = self.bounds.unwrap_or_default();
        let all = has_all_rows.then_some(usize::MAX);
        bounds.rows = all.unwrap_or(bounds.rows);
        let Watch {
            is_heavy, compiles, ..
        } = *held(&self.watch);
        let whole = bounds.value.saturating_mul(1024);
        let most = bounds.steps.saturating_mul(1_000_000);
        let short = (whole / SHORTER).max(longest.saturating_mul(2));
        // A heavy function processes a whole value in one step, so the longer the values, the fewer
        // steps are allowed. Other steps take a little longer with long values.
        let steps = |value: usize| match (is_heavy, value > short) {
            (true, _) => most / (value / BYTES_A_STEP).max(1),
            (false, true) => most / SHORTER,
            (false, false) => most,
        };
        // Only statements that make long texts need long values.
        let shortest = (short / SHORTER).max(longest.saturating_mul(2));
        let mut lengths = vec![short];
        if is_heavy && !compiles && shortest < short {
            lengths.insert(0, shortest);
        }
        if short < whole {
            lengths.push(whole);
        }
        let last = lengths.pop().unwrap_or(whole);
        for length in lengths {
            match self.run_within(sql, (bounds, &page), (steps(length), length)) {
                Err(Failure::Limit(Passed::Value(_))) => {}
                found => return found,
            }
        }
        self.run_within(sql, (bounds, &page), (steps(last), last))
    }

    /// Runs a statement within a limit of steps and of bytes per value.
    fn run_within(
        &mut self,
        sql: &str,
        (bounds, page): (Bounds, &Range<usize>),
        (steps, value): (usize, usize),
    ) -> Result<Found, Failure> {
        self.allowed = (steps as u64, value);
        self.cost.longest.store(value, Ordering::Relaxed);
        self.cost.steps.store(0, Ordering::Relaxed);
        self.cost
            .patterns
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
        let mut watch = held(&self.watch);
        watch.steps = steps as u64;
        watch.is_spent = false;
        drop(watch);
        let length = i32::try_from(value).unwrap_or(i32::MAX);
        self.connection
            .set_limit(Limit::SQLITE_LIMIT_LENGTH, length)?;
        let found = self.run(sql, bounds, page);
        self.connection
            .set_limit(Limit::SQLITE_LIMIT_LENGTH, i32::MAX)?;
        self.cost.longest.store(usize::MAX, Ordering::Relaxed);
        found
    }

    fn run(&self, sql: &str, bounds: Bounds, page: &Range<usize>) -> Result<Found, Failure> {
        let failed = |error| self.failure(error);
        // A short statement ends before its steps are counted. The call fails at its next check.
        let _ = work::spend(STEPS_TO_PREPARE);
        let mut statement = self.connection.prepare(sql).map_err(failed)?;
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let (mut found, mut bytes) = (Vec::new(), 0_usize);
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(failed)? {
            let shown = match page.contains(&found.len()) {
                true => columns.len(),
                false => 0,
            };
            let mut cells = Vec::with_capacity(shown);
            for ix in 0..shown {
                let value = row.get_ref(ix).map_err(failed)?;
                cells.push(cell(value));
                if let (ValueRef::Blob(_), Some(Cell::Text(blob)), true) =
                    (value, cells.last(), self.takes_no_blobs)
                {
                    let blob: String = blob.chars().take(60).collect();
                    return Err(Failure::Sql {
                        message: format!("{blob} is a blob, and a value is a number or a text"),
                        offset: None,
                    });
                }
                if let Some(Cell::Text(text)) = cells.last() {
                    bytes += text.len();
                }
            }
            found.push(cells);
            if found.len() > bounds.rows || bytes > bounds.memory << 18 {
                return Err(Failure::Limit(Passed::Rows));
            }
        }
        Ok(Found {
            columns,
            rows: found,
        })
    }

    /// Starts to watch a statement.
    fn watched(&self) {
        *held(&self.watch) = Watch {
            steps: u64::MAX,
            ..Watch::default()
        };
    }

    /// Fills those columns of a table that are not filled yet.
    fn fill(&mut self, model: &M, ix: usize, mut columns: Vec<usize>) -> Result<(), Failure> {
        let (Some(table), Some(filled)) = (self.tables.get(ix), self.filled.get_mut(ix)) else {
            return Ok(());
        };
        if filled.is_filled && columns.iter().all(|column| filled.columns.contains(column)) {
            return Ok(());
        }
        let changed = match (&table.source, &self.changes) {
            (Source::Changes, Ok(rows)) => rows.as_slice(),
            (Source::Changes, Err(message)) => {
                return Err(Failure::Sql {
                    message: message.clone(),
                    offset: None,
                });
            }
            _ => &[],
        };
        columns.extend(&filled.columns);
        columns.sort_unstable();
        columns.dedup();
        let Watch {
            is_heavy: heavy,
            compiles,
            may_pick,
            ..
        } = std::mem::take(&mut *held(&self.watch));
        held(&self.watch).is_open = true;
        held(&self.watch).steps = u64::MAX;
        *filled = Filled::default();
        let result = pour(&self.connection, (model, changed), table, &columns, filled);
        if result.is_err() {
            *filled = Filled::default();
            // There is nothing to roll back if `BEGIN` itself failed.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        *held(&self.watch) = Watch {
            is_heavy: heavy,
            compiles,
            may_pick,
            steps: u64::MAX,
            ..Watch::default()
        };
        result.map_err(|error| self.failure(error))?;
        if let Some(filled) = self.filled.get_mut(ix) {
            filled.columns = columns;
            filled.is_filled = true;
        }
        Ok(())
    }

    /// Translates an error of SQLite.
    fn failure(&self, error: rusqlite::Error) -> Failure {
        let watch = held(&self.watch);
        if let Some(denied) = &watch.denied {
            return Failure::Denied(denied.clone());
        }
        if watch.is_spent {
            return Failure::Limit(Passed::Steps(self.allowed.0));
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::TooBig) => Failure::Limit(Passed::Value(self.allowed.1)),
            _ => error.into(),
        }
    }
}

pub(super) fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => {
            let hex = bytes.iter().map(|byte| format!("{byte:02x}"));
            Cell::Text(format!("x'{}'", hex.collect::<String>()))
        }
    }
}
