//! SQLite over the tables of one document: filled as far as a question reads them, read only, and bounded.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, ToSql};

use super::schema::{Source, Table};
use super::{Bounds, State, functions, lex};
use crate::domain::Domain;
use crate::model::{ModelExt, Row};
use crate::table::{AnyRow, Wanted};
use crate::value::{Cell, SqlType};
use crate::verb::sure_name;

/// How many steps pass between two looks at the count.
const STEPS_AT_ONCE: i32 = 1000;

/// Functions that look at a whole text in one step. Statements that call them have shorter texts and fewer steps, so that
/// steps times bytes stay within bounds.
const HEAVY: &[&str] = &[
    "format",
    "glob",
    "hex",
    "instr",
    "like",
    "ltrim",
    "lower",
    "printf",
    "quote",
    "regexp",
    "replace",
    "rtrim",
    "soundex",
    "substr",
    "substring",
    "trim",
    "unhex",
    "unicode",
    "upper",
    "zeroblob",
];

/// How much shorter the texts of such statements are.
const SHORTER: usize = 16;

/// How many bytes of a text such a function looks at in the time of a step.
const BYTES_A_STEP: usize = 128;

/// Functions whose value depends on more than the document.
const DENIED: &[&str] = &[
    "changes",
    "current_date",
    "current_time",
    "current_timestamp",
    "date",
    "datetime",
    "fts3_tokenizer",
    "julianday",
    "last_insert_rowid",
    "load_extension",
    "random",
    "randomblob",
    "sqlite_compileoption_get",
    "sqlite_compileoption_used",
    "sqlite_source_id",
    "sqlite_version",
    "strftime",
    "time",
    "timediff",
    "total_changes",
    "unixepoch",
];

/// Virtual tables of SQLite itself that only read their arguments.
const VIRTUAL: &[&str] = &["json_each", "json_tree"];

/// What is looked at while a statement is prepared and run.
#[derive(Default)]
struct Watch {
    /// Everything is allowed: the engine fills its tables.
    is_open: bool,
    /// The tables and columns that are read.
    reads: Vec<(String, String)>,
    /// What was refused.
    denied: Option<Denied>,
    /// A function that takes or makes long texts is called.
    is_heavy: bool,
    /// How many steps are left.
    steps: u64,
    /// They were not enough.
    is_spent: bool,
}

/// What a statement may not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Denied {
    /// Call this function.
    Function(String),
    /// Read this table.
    Table(String),
    /// Anything but read.
    Write,
}

/// Why a question has no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// It does what is not allowed.
    Denied(Denied),
    /// It passes this limit.
    Limit(Passed),
    /// What SQLite says, and where.
    Sql {
        message: String,
        offset: Option<usize>,
    },
}

/// A limit that was passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passed {
    /// Millions of steps, in hundredths.
    Steps(u64),
    Rows,
    /// Bytes of a value.
    Value(usize),
    Memory,
}

/// Rows that a question yields.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// What a table holds at present.
#[derive(Default)]
struct Filled {
    is_filled: bool,
    /// The columns that are filled, `ref` as `usize::MAX`.
    columns: Vec<usize>,
    /// The row of the model that each row stands for.
    rows: Vec<Option<Row>>,
    /// The rows by their `ref`, where that is filled.
    refs: HashMap<String, Row>,
    /// The longest text, in bytes.
    longest: usize,
}

/// The table of the numbers of rows that an op is about.
pub(super) const PICKED: &str = "_picked";

/// The column `ref` among the columns that are filled.
const REF: usize = usize::MAX;

/// A connection, its tables, and how far they are filled.
pub(super) struct Engine<M: Domain> {
    connection: Connection,
    watch: Arc<Mutex<Watch>>,
    pub tables: Vec<Table<M>>,
    filled: Vec<Filled>,
    state: Option<State>,
    bounds: Option<Bounds>,
    /// The functions of the domain are those for this state.
    has_functions: bool,
    /// The steps, and the bytes of a value, that the statement in hand may take.
    allowed: (u64, usize),
}

impl<M: Domain> Engine<M> {
    /// An engine whose tables are empty.
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
            (Limit::SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
            (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
            (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 100),
            (Limit::SQLITE_LIMIT_VDBE_OP, 100_000),
            (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
            (Limit::SQLITE_LIMIT_TRIGGER_DEPTH, 0),
            (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
        ] {
            connection.set_limit(limit, most)?;
        }
        functions::stock(&connection)?;
        for table in &tables {
            let columns = table.columns.iter();
            let columns =
                columns.map(|own| format!(", {} {}", lex::name(&own.name), own.sql.word()));
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
        let counter = Arc::clone(&watch);
        connection.progress_handler(STEPS_AT_ONCE, Some(move || held(&counter).step()))?;
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
        })
    }

    /// Goes on with a document in another state, or by other limits.
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
            // Set to 0 first: a limit is only ever lowered otherwise.
            let memory = bounds.memory.saturating_mul(1 << 20);
            let limits = format!("PRAGMA hard_heap_limit=0; PRAGMA hard_heap_limit={memory}");
            self.connection.execute_batch(&limits)?;
            self.bounds = Some(bounds);
        }
        Ok(())
    }

    /// Lets the engine's own statements do anything.
    fn open(&self) {
        *held(&self.watch) = Watch {
            is_open: true,
            steps: u64::MAX,
            ..Watch::default()
        };
    }

    /// The table of a name, case set aside.
    pub fn table(&self, name: &str) -> Option<usize> {
        let own = |table: &Table<M>| table.name.eq_ignore_ascii_case(name);
        self.tables.iter().position(own)
    }

    /// The row of the model that a row of a table stands for, by its number from 1.
    pub fn row(&self, table: usize, number: i64) -> Option<Row> {
        let at = usize::try_from(number).ok()?.checked_sub(1)?;
        *self.filled.get(table)?.rows.get(at)?
    }

    /// The row that a `ref` names, among those of filled tables.
    pub fn named(&self, name: &str) -> Option<Row> {
        self.filled
            .iter()
            .find_map(|filled| filled.refs.get(name).copied())
    }

    /// The number of each row of a table that stands for a row of the model.
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

    /// Puts numbers into the table [`PICKED`], in the place of those that were there.
    pub fn pick(&self, numbers: &[i64]) -> Result<(), Failure> {
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

    /// Answers a statement: prepares it, fills what it reads, and runs it.
    pub fn ask(&mut self, model: &M, sql: &str) -> Result<Found, Failure> {
        self.watched();
        if let Err(error) = self.connection.prepare(sql) {
            return Err(self.failure(error));
        }
        let reads = std::mem::take(&mut held(&self.watch).reads);
        let mut longest = 0;
        for ix in 0..self.tables.len() {
            let Some(table) = self.tables.get(ix) else {
                continue;
            };
            let own = reads
                .iter()
                .filter(|(name, _)| table.name.eq_ignore_ascii_case(name));
            let mut columns = Vec::new();
            let mut is_read = false;
            for (_, column) in own {
                is_read = true;
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
        let bounds = self.bounds.unwrap_or_default();
        let is_heavy = held(&self.watch).is_heavy;
        let value = bounds.value.saturating_mul(1024);
        let value = if is_heavy { value / SHORTER } else { value };
        let value = value.max(longest.saturating_mul(2));
        let most = bounds.steps.saturating_mul(1_000_000);
        let steps = if is_heavy {
            most / (value / BYTES_A_STEP).max(1)
        } else {
            most
        };
        self.allowed = (steps as u64, value);
        held(&self.watch).steps = steps as u64;
        let length = i32::try_from(value).unwrap_or(i32::MAX);
        self.connection
            .set_limit(Limit::SQLITE_LIMIT_LENGTH, length)?;
        let found = self.run(sql, bounds);
        self.connection
            .set_limit(Limit::SQLITE_LIMIT_LENGTH, i32::MAX)?;
        found
    }

    fn run(&self, sql: &str, bounds: Bounds) -> Result<Found, Failure> {
        let failed = |error| self.failure(error);
        let mut statement = self.connection.prepare(sql).map_err(failed)?;
        let columns: Vec<String> = statement
            .column_names()
            .into_iter()
            .map(str::to_owned)
            .collect();
        let (mut found, mut bytes) = (Vec::new(), 0_usize);
        let mut rows = statement.raw_query();
        while let Some(row) = rows.next().map_err(failed)? {
            let mut cells = Vec::with_capacity(columns.len());
            for ix in 0..columns.len() {
                cells.push(cell(row.get_ref(ix).map_err(failed)?));
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

    /// Begins to look at a statement.
    fn watched(&self) {
        *held(&self.watch) = Watch {
            steps: u64::MAX,
            ..Watch::default()
        };
    }

    /// Fills columns of a table that are not filled yet.
    fn fill(&mut self, model: &M, ix: usize, mut columns: Vec<usize>) -> Result<(), Failure> {
        let (Some(table), Some(filled)) = (self.tables.get(ix), self.filled.get_mut(ix)) else {
            return Ok(());
        };
        if filled.is_filled && columns.iter().all(|column| filled.columns.contains(column)) {
            return Ok(());
        }
        columns.extend(&filled.columns);
        columns.sort_unstable();
        columns.dedup();
        let heavy = std::mem::take(&mut *held(&self.watch)).is_heavy;
        held(&self.watch).is_open = true;
        held(&self.watch).steps = u64::MAX;
        *filled = Filled::default();
        let result = pour(&self.connection, model, table, &columns, filled);
        if result.is_err() {
            *filled = Filled::default();
            // Nothing is left to roll back where the fault was in the beginning.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        *held(&self.watch) = Watch {
            is_heavy: heavy,
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

    /// What an error of SQLite means here.
    fn failure(&self, error: rusqlite::Error) -> Failure {
        let watch = held(&self.watch);
        if let Some(denied) = &watch.denied {
            return Failure::Denied(denied.clone());
        }
        if watch.is_spent {
            return Failure::Limit(Passed::Steps(self.allowed.0 / 10_000));
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::TooBig) => Failure::Limit(Passed::Value(self.allowed.1)),
            _ => error.into(),
        }
    }
}

/// Inserts the rows of a table.
fn pour<M: Domain>(
    connection: &Connection,
    model: &M,
    table: &Table<M>,
    columns: &[usize],
    filled: &mut Filled,
) -> rusqlite::Result<()> {
    let name = lex::name(&table.name);
    let named = |ix: &usize| match table.columns.get(*ix) {
        Some(column) => lex::name(&column.name),
        None => lex::name("ref"),
    };
    let names: Vec<String> = std::iter::once("rowid".to_owned())
        .chain(columns.iter().map(named))
        .collect();
    let places = vec!["?"; names.len()].join(",");
    connection.execute_batch(&format!("BEGIN; DELETE FROM {name}"))?;
    let mut insert = connection.prepare(&format!(
        "INSERT INTO {name}({}) VALUES({places})",
        names.join(",")
    ))?;
    let mut result = Ok(0);
    let mut put = |row: Option<Row>, cell: &dyn Fn(usize) -> Cell| {
        if result.is_err() {
            return;
        }
        filled.rows.push(row);
        let number = filled.rows.len();
        let mut bind = || -> rusqlite::Result<usize> {
            insert.raw_bind_parameter(1, i64::try_from(number).unwrap_or(i64::MAX))?;
            for (place, ix) in columns.iter().enumerate() {
                let value = if *ix == REF {
                    let name = row.map(|row| sure_name(model, row));
                    if let (Some(name), Some(row)) = (&name, row) {
                        filled.refs.insert(name.clone(), row);
                    }
                    name.map_or(Cell::Null, Cell::Text)
                } else {
                    cell(*ix)
                };
                if let Cell::Text(text) = &value {
                    filled.longest = filled.longest.max(text.len());
                }
                insert.raw_bind_parameter(place + 2, Bound(&value))?;
            }
            insert.raw_execute()
        };
        result = bind();
    };
    match table.source {
        Source::Own(def) => {
            let names: Vec<&str> = columns
                .iter()
                .filter_map(|ix| def.columns.get(*ix))
                .map(|own| own.name)
                .collect();
            (def.rows)(model, Wanted::new(&names), &mut |row: Box<dyn AnyRow>| {
                let ix = |ix: usize| table.columns.get(ix).map_or(0, |column| column.ix);
                put(row.row(), &|at| row.cell(ix(at)));
            });
        }
        Source::Kind(part) => {
            let rows = model.rows(part);
            let mut ids: Vec<u32> = rows.iter().flat_map(|rows| rows.ids()).collect();
            if let Some(rows) = rows {
                rows.arrange(&mut ids);
                for id in ids {
                    let row = Row::new(part, id);
                    put(Some(row), &|at| field(model, row, table, at));
                }
            }
        }
    }
    result?;
    drop(insert);
    connection.execute_batch("COMMIT")
}

/// A field of a row as a cell.
fn field<M: Domain>(model: &M, row: Row, table: &Table<M>, at: usize) -> Cell {
    let (Some(rows), Some(column)) = (model.rows(row.part()), table.columns.get(at)) else {
        return Cell::Null;
    };
    match column.refers {
        Some(kind) => {
            let part = M::part_of(kind);
            let target = rows.reference(row.id(), column.ix);
            let target = part.zip(target).map(|(part, id)| Row::new(part, id));
            target.map_or(Cell::Null, |row| Cell::Text(model.name_of(row)))
        }
        None => {
            let text = rows.field(row.id(), column.ix);
            text.map_or(Cell::Null, |text| match column.sql {
                SqlType::Text => Cell::Text(text),
                sql => sql.cell(text),
            })
        }
    }
}

impl Watch {
    fn judge(&mut self, action: &AuthAction<'_>, tables: &[String]) -> Authorization {
        if self.is_open {
            return Authorization::Allow;
        }
        let denied = match *action {
            AuthAction::Select | AuthAction::Recursive => return Authorization::Allow,
            AuthAction::Read {
                table_name,
                column_name,
            } => {
                let name = table_name.to_lowercase();
                if tables.contains(&name) {
                    self.reads.push((name, column_name.to_owned()));
                    return Authorization::Allow;
                }
                // What a statement names itself is read through none of SQLite's own tables.
                let own =
                    name.starts_with("sqlite_") || name.starts_with("pragma_") || name == "dbstat";
                if !own || VIRTUAL.contains(&&*name) {
                    return Authorization::Allow;
                }
                Denied::Table(table_name.to_owned())
            }
            AuthAction::Function { function_name } => {
                let name = function_name.to_lowercase();
                self.is_heavy |= HEAVY.contains(&&*name);
                if !DENIED.contains(&&*name) {
                    return Authorization::Allow;
                }
                Denied::Function(function_name.to_owned())
            }
            _ => Denied::Write,
        };
        self.denied.get_or_insert(denied);
        Authorization::Deny
    }

    /// Counts steps. Says whether there were too many.
    fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(STEPS_AT_ONCE as u64);
        self.is_spent |= self.steps == 0;
        self.is_spent
    }
}

fn held(watch: &Mutex<Watch>) -> MutexGuard<'_, Watch> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
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

/// A cell as a parameter of a statement.
struct Bound<'c>(&'c Cell);

impl ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Cell::Null => ValueRef::Null,
            Cell::Integer(number) => ValueRef::Integer(*number),
            Cell::Real(number) => ValueRef::Real(*number),
            Cell::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        match &error {
            rusqlite::Error::SqlInputError { msg, offset, .. } => {
                return Self::Sql {
                    message: msg.clone(),
                    offset: usize::try_from(*offset).ok(),
                };
            }
            rusqlite::Error::SqliteFailure(failure, message) => {
                match failure.code {
                    ErrorCode::OutOfMemory => return Self::Limit(Passed::Memory),
                    _ => {}
                }
                if let Some(message) = message {
                    return Self::Sql {
                        message: message.clone(),
                        offset: None,
                    };
                }
            }
            rusqlite::Error::MultipleStatement => {
                return Self::Sql {
                    message: "there is more than one statement".to_owned(),
                    offset: None,
                };
            }
            rusqlite::Error::UserFunctionError(inner) => {
                return Self::Sql {
                    message: inner.to_string(),
                    offset: None,
                };
            }
            _ => {}
        }
        Self::Sql {
            message: error.to_string(),
            offset: None,
        }
    }
}
