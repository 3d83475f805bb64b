//! SQL statements that write, generated without access to the document.
//!
//! Rows are picked by number, wrapped around if it is too large, and values are those of other
//! rows, slightly changed or as they are. So one statement may write many rows, each to a different
//! value.

use super::written::name_of;
use crate::domain::Domain;
use crate::sql::Table;
use crate::testing::Walk;
use crate::value::SqlType;
use crate::verb::Registry;

/// The range of numbers that pick rows.
const PICKS: usize = 9973;

/// A statement that writes to a target of a table; `None` if rows cannot be added to it.
pub(super) fn statement<M: Domain>(
    registry: &Registry<M>,
    random: &mut Walk,
    table: &Table<M>,
    target: &str,
) -> Option<String> {
    let name = &name_of(&table.name);
    if target.starts_with("DELETE ") {
        return Some(format!(
            "DELETE FROM {name} WHERE {}",
            one(random, name, None)
        ));
    }
    if target.starts_with("INSERT ") {
        return inserted::<M>(random, name, &table.added(registry));
    }
    let (_, column) = target.split_once('.')?;
    let sql = table.columns.iter().find(|own| own.name == column)?.sql;
    let column = &name_of(column);
    let value = value(random, name, column, sql);
    let rows = rows(random, name, Some(column));
    Some(format!("UPDATE {name} SET {column}={value} WHERE {rows}"))
}

/// Adds copies of rows, usually with all columns, sometimes without one.
fn inserted<M: Domain>(random: &mut Walk, name: &str, groups: &[Vec<&str>]) -> Option<String> {
    if groups.is_empty() {
        return None;
    }
    let left_out = random.below(groups.len() * 4);
    let mut kept: Vec<String> = Vec::new();
    for (ix, group) in groups.iter().enumerate() {
        let pick = group.get(random.below(group.len()));
        if ix != left_out || groups.len() == 1 {
            kept.extend(pick.map(|column| name_of(column)));
        }
    }
    // Elsewhere, and else alike but for one column at most: a row with several odd values is refused.
    let ticks = M::POSITION.map(|(ticks, ..)| name_of(ticks));
    let odd = left_out % kept.len().max(1);
    let values = kept.iter().enumerate().map(|(ix, column)| {
        let varied = varied(random, column, SqlType::Text);
        match ticks.as_ref() == Some(column) {
            true => format!("{column}+{left_out}"),
            false if ix == odd => varied,
            false => column.clone(),
        }
    });
    let values: Vec<String> = values.collect();
    let rows = rows(random, name, None);
    Some(format!(
        "INSERT INTO {name}({}) SELECT {} FROM {name} WHERE {rows}",
        kept.join(", "),
        values.join(", ")
    ))
}

/// The number of a row; if a column is named, one where it is not NULL.
fn one(random: &mut Walk, table: &str, column: Option<&str>) -> String {
    let pick = random.below(PICKS);
    let (known, counted) = match column {
        Some(column) => (format!(" WHERE {column} IS NOT NULL"), column),
        None => (String::new(), "*"),
    };
    format!(
        "rowid=(SELECT rowid FROM {table}{known} LIMIT 1 OFFSET {pick} % max(1, (SELECT count({counted}) FROM {table})))"
    )
}

/// A condition on rows: one, two, or a part of all.
fn rows(random: &mut Walk, table: &str, column: Option<&str>) -> String {
    match random.below(8) {
        0..=4 => one(random, table, column),
        5 => format!(
            "{} OR {}",
            one(random, table, column),
            one(random, table, column)
        ),
        _ => {
            let of = random.below(7) + 2;
            format!("rowid % {of} = {}", random.below(of))
        }
    }
}

/// A value for a column: that of another row, or its own, slightly changed.
fn value(random: &mut Walk, table: &str, column: &str, sql: SqlType) -> String {
    match random.below(8) {
        0..=3 => {
            let row = one(random, table, Some(column));
            format!("(SELECT {column} FROM {table} WHERE {row})")
        }
        4 => "NULL".to_owned(),
        _ => varied(random, column, sql),
    }
}

/// The value of a column, slightly changed or as it is.
fn varied(random: &mut Walk, column: &str, sql: SqlType) -> String {
    let step = random.below(40) + 1;
    match (sql, random.below(6)) {
        (SqlType::Integer | SqlType::Real, 0) => format!("{column}+{step}"),
        (SqlType::Integer | SqlType::Real, 1) => format!("{column}-{step}"),
        (SqlType::Integer | SqlType::Real, 2) => format!("{column}*2"),
        (SqlType::Integer | SqlType::Real, 3) => format!("{column}/2"),
        (SqlType::Integer | SqlType::Real, _) => format!("{column}+rowid%{step}"),
        (SqlType::Switch, _) => format!("NOT {column}"),
        (SqlType::Text, 0) => format!("{column}||'{step}'"),
        (SqlType::Text | SqlType::Any, _) => column.to_owned(),
    }
}
