//! SQLite over the tables of one document: filled only as far as a question reads them, read-only,
//! and bounded.

use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use rusqlite::config::DbConfig;
use rusqlite::hooks::AuthContext;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode};

use super::failure::{Failure, Passed};
use super::fill::{Filled, REF, pour};
use super::functions::Cost;
use super::schema::{Column, Source, Table};
use super::watch::{STEPS_AT_ONCE, Watch, held};
use super::{Bounds, Changes, State, functions, lex};
use crate::domain::Domain;
use crate::model::Row;
use crate::threads::lock;
use crate::value::Cell;
use crate::work;

/// The cost of preparing a statement, in steps of a call.
const STEPS_TO_PREPARE: usize = 100;

/// The most bytes of a statement.
const LONGEST: i32 = 1_000_000;

/// The factor by which the first run of a statement limits its texts further.
const SHORTER: usize = 16;

/// The bytes of a text that are copied or compared in the time of one step.
const BYTES_A_STEP: usize = 1024;

/// The rows of an answer.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// The use of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is shown.
    Show,
    /// Its values are written: a document has no blobs.
    Write,
    /// Like [`Write`](Self::Write), of the rows in [`PICKED`].
    Picked,
    /// Like [`Write`](Self::Write), of each row of a table: it may have any number of rows.
    Each,
}

/// Settings of a new connection. The limit of memory is that of all connections, and may have been lower.
const START: &str = "PRAGMA hard_heap_limit=0; PRAGMA journal_mode=off; PRAGMA temp_store=memory;";

/// The table of the row numbers that an op targets.
pub(super) const PICKED: &str = "_picked";

/// A connection with its tables, and the filled part of each.
pub(super) struct Engine<M: Domain> {
    connection: Connection,
    watch: Arc<Mutex<Watch>>,
    pub tables: Vec<Table<M>>,
    filled: Vec<Filled>,
    /// The state of the rows filled, and of the domain's functions. `None` if a table was left half filled: without a
    /// journal nothing is rolled back, and the engine is of no further use.
    pub state: Option<State>,
    bounds: Option<Bounds>,
    /// The limits of the current statement: its steps, and the bytes of a value.
    allowed: (usize, usize),
    /// The rows of the table `changes`.
    pub changes: Changes,
    /// The limit of values that functions make, and the steps that functions took.
    cost: Cost,
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
        connection.execute_batch(START)?;
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
            let column = |own: &Column| format!("{} {}", lex::name(&own.name), own.sql.declared());
            let first = table.is_named.then(|| "\"ref\" TEXT".to_owned());
            let columns = first.into_iter().chain(table.columns.iter().map(column));
            let columns = columns.collect::<Vec<_>>().join(", ");
            let name = lex::name(&table.name);
            connection.execute_batch(&format!("CREATE TABLE {name}({columns})"))?;
        }
        let picked = lex::name(PICKED);
        connection.execute_batch(&format!("CREATE TABLE {picked}(n INTEGER PRIMARY KEY)"))?;
        let watch = Arc::new(Mutex::new(Watch::default()));
        let names = tables.iter().map(|table| table.name.to_lowercase());
        let names: Vec<String> = names.collect();
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
            allowed: (0, 0),
            changes: Err(String::new()),
            cost,
        })
    }

    /// Switches to another state of the document, or to other limits.
    pub fn turn(&mut self, model: &M, state: State, bounds: Bounds) -> Result<(), Failure> {
        if self.state != Some(state) {
            self.filled = self.tables.iter().map(|_| Filled::default()).collect();
            self.state = None;
            functions::of_model(&self.connection, model, &self.cost)?;
            self.state = Some(state);
        }
        if self.bounds != Some(bounds) {
            *held(&self.watch) = Watch::new(true);
            // First set to 0: otherwise a limit can only be lowered.
            let memory = bounds.memory.saturating_mul(1 << 20);
            let limits = format!("PRAGMA hard_heap_limit=0; PRAGMA hard_heap_limit={memory}");
            self.connection.execute_batch(&limits)?;
            self.bounds = Some(bounds);
        }
        Ok(())
    }

    /// The table of this name, ignoring case.
    pub fn table(&self, name: &str) -> Option<usize> {
        let mut tables = self.tables.iter();
        tables.position(|table| table.name.eq_ignore_ascii_case(name))
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
        let filled = self.filled.get(table).into_iter();
        let rows = (1..).zip(filled.flat_map(|filled| &filled.rows));
        rows.filter_map(|(number, row)| Some((number, (*row)?)))
    }

    /// Replaces the numbers in the table [`PICKED`].
    pub fn pick(&mut self, numbers: &[i64]) -> Result<(), Failure> {
        *held(&self.watch) = Watch::new(true);
        let state = self.state.take();
        let (connection, name) = (&self.connection, lex::name(PICKED));
        connection.execute_batch(&format!("BEGIN; DELETE FROM {name}"))?;
        let mut insert = connection.prepare(&format!("INSERT INTO {name} VALUES(?)"))?;
        for number in numbers {
            insert.execute([number])?;
        }
        drop(insert);
        self.state = state;
        Ok(connection.execute_batch("COMMIT")?)
    }

    /// Answers a statement: prepares it, fills the columns it reads, and runs it. Rows outside of
    /// the page have no cells: they are only counted.
    pub fn ask(
        &mut self,
        model: &M,
        sql: &str,
        (page, purpose): (Range<usize>, Use),
    ) -> Result<Found, Failure> {
        *held(&self.watch) = Watch {
            may_pick: purpose == Use::Picked,
            ..Watch::new(false)
        };
        if sql.len() > LONGEST as usize {
            return Err(Failure::Limit(Passed::Length));
        }
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
        let words = lex::Reads::of(sql);
        let is_natural = words.any(&["NATURAL"]);
        let has_joint = is_natural || words.any(&["USING"]);
        let mut longest = 0;
        for ix in 0..self.tables.len() {
            let table = &self.tables[ix];
            let is_own = |(name, _): &(String, String)| table.name.eq_ignore_ascii_case(name);
            let is_joined = has_joint && words.any(&[&table.name]);
            if !is_joined && !reads.iter().any(is_own) {
                continue;
            }
            let mut columns = Vec::new();
            for (_, column) in reads.iter().filter(|read| is_own(read)) {
                columns.extend(match column.eq_ignore_ascii_case("ref") {
                    true => Some(REF),
                    false => table.column(column),
                });
            }
            // SQLite does not report the columns that join tables by name, nor tables read only for
            // them.
            if is_joined {
                let named = |at: &usize| words.any(&[&table.columns[*at].name]);
                let joint = (0..table.columns.len()).filter(|at| is_natural || named(at));
                columns.extend(joint.chain(table.is_named.then_some(REF)));
            }
            self.fill(model, ix, columns.clone())?;
            longest = longest.max(self.filled[ix].longest_of(&columns));
        }
        let bounds = self.bounds.unwrap_or_default();
        let Watch { bytes_a_step, .. } = *held(&self.watch);
        let whole = bounds.value.saturating_mul(1024);
        let most = bounds.steps.saturating_mul(1_000_000);
        let short = (whole / SHORTER).max(longest.saturating_mul(2));
        // A long text of the document may be joined to another, or compared, for each row of others.
        let wide = longest * usize::from(sql.contains("||") || lex::nests(sql)) / BYTES_A_STEP;
        // A heavy function processes a whole value in one step, so the longer the values, the fewer
        // steps are allowed. Other steps take a little longer with long values.
        let times = |value: usize| match bytes_a_step {
            Some(bytes) => value / bytes,
            None => SHORTER * usize::from(value > short),
        };
        let steps = |value: usize| most / times(value).max(wide).max(1);
        // Only statements that make long texts need long values.
        let shortest = (short / SHORTER).max(longest.saturating_mul(2));
        let first = (bytes_a_step.is_some() && shortest < short).then_some(shortest);
        let last = (short < whole).then_some(whole);
        let mut lengths = first.into_iter().chain([short]).chain(last);
        let mut found = Err(Failure::Limit(Passed::Value(0)));
        while let Err(Failure::Limit(Passed::Value(_))) = found
            && let Some(length) = lengths.next()
        {
            found = self.run_within(sql, (&page, purpose), (steps(length), length));
        }
        found
    }

    /// Runs a statement within a limit of steps and of bytes per value.
    fn run_within(
        &mut self,
        sql: &str,
        ask: (&Range<usize>, Use),
        (steps, value): (usize, usize),
    ) -> Result<Found, Failure> {
        self.allowed = (steps, value);
        self.cost.longest.store(value, Ordering::Relaxed);
        self.cost.steps.store(0, Ordering::Relaxed);
        self.cost.most.store(steps as u64, Ordering::Relaxed);
        lock(&self.cost.patterns).clear();
        let mut watch = held(&self.watch);
        watch.steps = steps as u64;
        watch.is_spent = false;
        drop(watch);
        let limit = |length: usize| {
            let length = i32::try_from(length).unwrap_or(i32::MAX);
            self.connection
                .set_limit(Limit::SQLITE_LIMIT_LENGTH, length)
        };
        limit(value)?;
        let found = self.run(sql, ask);
        limit(usize::MAX)?;
        found
    }

    fn run(&self, sql: &str, (page, purpose): (&Range<usize>, Use)) -> Result<Found, Failure> {
        let failed = |error| self.failure(error);
        let bounds = self.bounds.unwrap_or_default();
        // A short statement ends before its steps are counted. The call fails at its next check.
        let _ = work::spend(STEPS_TO_PREPARE);
        let mut statement = self.connection.prepare(sql).map_err(failed)?;
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let (mut found, mut bytes) = (Vec::new(), 0_usize);
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(failed)? {
            let shown = columns.len() * usize::from(page.contains(&found.len()));
            let mut cells = Vec::with_capacity(shown);
            for ix in 0..shown {
                let value = row.get_ref(ix).map_err(failed)?;
                let own = cell(value);
                if let Cell::Text(text) = &own {
                    if matches!(value, ValueRef::Blob(_)) && purpose != Use::Show {
                        let blob: String = text.chars().take(60).collect();
                        return Err(Failure::because(format!(
                            "{blob} is a blob, and a value is a number or a text"
                        )));
                    }
                    bytes += text.len();
                }
                cells.push(own);
            }
            found.push(cells);
            let is_long = found.len() > bounds.rows && purpose != Use::Each;
            if is_long || bytes > bounds.memory << 18 {
                return Err(Failure::Limit(Passed::Rows));
            }
        }
        Ok(Found {
            columns,
            rows: found,
        })
    }

    /// Fills those columns of a table that are not filled yet.
    fn fill(&mut self, model: &M, ix: usize, mut columns: Vec<usize>) -> Result<(), Failure> {
        let (table, filled) = (&self.tables[ix], &mut self.filled[ix]);
        if filled.is_filled && columns.iter().all(|column| filled.columns.contains(column)) {
            return Ok(());
        }
        let changed = match (&table.source, &self.changes) {
            (Source::Changes, Ok(rows)) => rows.as_slice(),
            (Source::Changes, Err(message)) => return Err(Failure::because(message)),
            _ => &[],
        };
        columns.extend(&filled.columns);
        columns.sort_unstable();
        columns.dedup();
        let watch = std::mem::replace(&mut *held(&self.watch), Watch::new(true));
        *filled = Filled::default();
        let result = pour(&self.connection, (model, changed), table, &columns, filled);
        self.state = self.state.filter(|_| result.is_ok());
        *held(&self.watch) = watch;
        result.map_err(|error| self.failure(error))?;
        let filled = &mut self.filled[ix];
        filled.columns = columns;
        filled.is_filled = true;
        Ok(())
    }

    /// Translates an error of SQLite.
    fn failure(&self, error: rusqlite::Error) -> Failure {
        let watch = held(&self.watch);
        if let Some(denied) = &watch.denied {
            return Failure::Denied(denied.clone());
        }
        let is_too_big = error.sqlite_error_code() == Some(ErrorCode::TooBig);
        let took = self.cost.steps.load(Ordering::Relaxed);
        match watch.is_spent || !is_too_big && took > self.allowed.0 as u64 {
            true => Failure::Limit(Passed::Steps(self.allowed.0)),
            false if is_too_big => Failure::Limit(Passed::Value(self.allowed.1)),
            false => error.into(),
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
