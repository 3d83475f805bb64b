//! SQL functions in addition to SQLite's: some mathematics, `regexp`, and those of the domain.
//! Tables are filled elsewhere in `sql`.

mod text;

pub(super) use text::Cost;

use std::error::Error;
use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;

use crate::domain::{Domain, SqlFunction};
use crate::pattern::Pattern;
use crate::threads::lock;
use crate::value::Cell;

const FLAGS: FunctionFlags = FunctionFlags::SQLITE_UTF8.union(FunctionFlags::SQLITE_DETERMINISTIC);

type Unary = fn(f64) -> f64;

/// Functions that have the same name in SQL and in Rust.
macro_rules! same_name {
    ($($name:ident)*) => { [$((stringify!($name), f64::$name as Unary)),*] };
}

/// Adds the runtime's own functions.
pub(super) fn stock(connection: &Connection, cost: &Cost) -> rusqlite::Result<()> {
    text::stock(connection, cost)?;
    let named = same_name!(acos asin atan ceil cos exp floor ln sin sqrt tan trunc);
    let others: [(&str, Unary); 2] = [("degrees", f64::to_degrees), ("radians", f64::to_radians)];
    for (name, call) in named.into_iter().chain(others) {
        // These keep whole numbers.
        let rounds = ["ceil", "floor", "trunc"].contains(&name);
        connection.create_scalar_function(name, 1, FLAGS, move |context| {
            if let (ValueRef::Integer(whole), true) = (context.get_raw(0), rounds) {
                return Ok(Some(Cell::Integer(whole)));
            }
            let value = number(context, 0).map(call);
            let value = value.filter(|value| rounds || value.is_finite());
            Ok(value.map(Cell::Real))
        })?;
    }
    type Binary = fn(f64, f64) -> f64;
    let binary: [(&str, Binary); 4] = [
        ("atan2", f64::atan2),
        ("mod", |one, other| one % other),
        ("pow", f64::powf),
        ("power", f64::powf),
    ];
    for (name, call) in binary {
        connection.create_scalar_function(name, 2, FLAGS, move |context| {
            let values = number(context, 0).zip(number(context, 1));
            Ok(values
                .map(|(one, other)| call(one, other))
                .filter(|value| value.is_finite()))
        })?;
    }
    connection.create_scalar_function("pi", 0, FLAGS, |_| Ok(std::f64::consts::PI))?;
    let cost = cost.clone();
    connection.create_scalar_function("regexp", 2, FLAGS, move |context| {
        let (Some(pattern), Some(text)) = (text::text(context, 0), text::text(context, 1)) else {
            return Ok(None);
        };
        let pattern = context.get_or_create_aux(0, |_| compiled(&cost, &pattern))?;
        pattern.is_match(&text, |steps| cost.spend(steps)).map(Some)
    })
}

/// The most patterns of a statement that are kept: together some megabytes.
const PATTERNS: usize = 64;

/// The steps counted for compiling a pattern: it takes up to some milliseconds, and a statement
/// with patterns has about a million steps.
const STEPS_A_PATTERN: usize = 5_000;

/// A compiled pattern of `regexp`. SQLite keeps one that is a constant; those that come from a
/// column are kept for the statement.
fn compiled(cost: &Cost, pattern: &str) -> Result<Arc<Pattern>, Box<dyn Error + Send + Sync>> {
    let mut known = lock(&cost.patterns);
    if let Some(known) = known.get(pattern) {
        return Ok(Arc::clone(known));
    }
    let built = Arc::new(Pattern::parse(pattern)?);
    cost.spend(STEPS_A_PATTERN + built.size() / 2)?;
    if known.len() < PATTERNS {
        known.insert(pattern.to_owned(), Arc::clone(&built));
    }
    Ok(built)
}

/// Adds the domain's functions for a document, replacing those for an earlier one.
pub(super) fn of_model<M: Domain>(
    connection: &Connection,
    model: &M,
    cost: &Cost,
) -> rusqlite::Result<()> {
    for SqlFunction {
        name, args, call, ..
    } in model.sql_functions()
    {
        let cost = cost.clone();
        connection.create_scalar_function(name, args, FLAGS, move |context| {
            let cells = (0..context.len()).map(|ix| super::engine::cell(context.get_raw(ix)));
            let cells: Vec<Cell> = cells.collect();
            cost.looked(
                cells
                    .iter()
                    .map(|cell| cell.word().map_or(0, |text| text.len()))
                    .sum(),
            );
            let answer = call(&cells);
            answer.map_err(|error| rusqlite::Error::UserFunctionError(error.into()))
        })?;
    }
    Ok(())
}

thread_local! {
    /// A connection that spells numbers.
    static SPELLER: Option<Connection> = Connection::open_in_memory().ok();
}

/// A number as SQLite spells it, by asking SQLite: its digits depend on the release.
fn spelled(value: f64) -> String {
    let ask = |speller: &Connection| {
        let sql = "SELECT CAST(?1 AS TEXT)";
        speller.query_row(sql, [value], |row| row.get(0)).ok()
    };
    let asked = SPELLER.with(|speller| speller.as_ref().and_then(ask));
    asked.unwrap_or_else(|| value.to_string())
}

/// An argument as a number; `None` for NULL and for a text that is not one.
fn number(context: &Context<'_>, ix: usize) -> Option<f64> {
    match super::engine::cell(context.get_raw(ix)) {
        Cell::Text(text) => text.trim().parse().ok(),
        cell => cell.number(),
    }
}
