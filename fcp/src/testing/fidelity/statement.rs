//! Random statements that write, from what the registry knows of tables: any domain's, every column that can be written.
//!
//! No statement needs a look at the document. Rows are picked by their number, taken from the back to the front again where
//! it is too large, and values are those of other rows, changed a little or as they are.

use std::collections::BTreeMap;

use super::author::Count;
use crate::domain::Domain;
use crate::sql::{Source, Table};
use crate::table::added_columns;
use crate::testing::Walk;
use crate::value::SqlType;
use crate::verb::Registry;

/// The words that statements begin with, as reports name them.
pub(super) const WORDS: [&str; 3] = ["UPDATE", "INSERT", "DELETE"];

/// How many numbers rows are picked by.
const PICKS: usize = 9973;

/// What a statement may do.
#[derive(Clone, Debug)]
enum Way {
    /// Set a column of a type.
    Set(String, SqlType),
    /// Add a row with some of these columns, one of each entry.
    Add(Vec<Vec<String>>),
    /// Remove rows.
    Remove,
}

/// A table and what a statement may do to it.
#[derive(Clone, Debug)]
struct Aim {
    table: String,
    way: Way,
    count: Count,
}

impl Aim {
    /// As reports name it: `notes.vel`, `INSERT notes`.
    fn name(&self) -> String {
        match &self.way {
            Way::Set(column, _) => format!("{}.{column}", self.table),
            Way::Add(_) => format!("INSERT {}", self.table),
            Way::Remove => format!("DELETE {}", self.table),
        }
    }
}

/// Writes statements that write.
pub(super) struct Numbered {
    aims: Vec<Aim>,
    last: Option<(String, usize)>,
}

impl Numbered {
    /// For the tables of a domain.
    pub fn new<M: Domain>(registry: &Registry<M>) -> Self {
        let mut aims = Vec::new();
        for table in Table::all(registry) {
            let mut aim = |way: Way| {
                aims.push(Aim {
                    table: table.name.clone(),
                    way,
                    count: Count::default(),
                });
            };
            for column in table.columns.iter().filter(|column| column.is_writable()) {
                aim(Way::Set(column.name.clone(), column.sql));
            }
            let adds: Vec<Vec<String>> = match table.source {
                Source::Own(def) => added_columns(def.insert.unwrap_or_default())
                    .into_iter()
                    .map(|group| group.into_iter().map(str::to_owned).collect())
                    .collect(),
                Source::Changes => Vec::new(),
                Source::Kind(_) if table.adder(registry).is_some() => Vec::new(),
                Source::Kind(_) => {
                    let set = table.columns.iter().filter(|column| column.key.is_some());
                    set.map(|column| vec![column.name.clone()]).collect()
                }
            };
            if !adds.is_empty() {
                aim(Way::Add(adds));
            }
            let deletes = match table.source {
                Source::Own(def) => def.entity || def.delete.is_some() || def.delete_all.is_some(),
                Source::Kind(_) => true,
                Source::Changes => false,
            };
            if deletes {
                aim(Way::Remove);
            }
        }
        Self { aims, last: None }
    }

    /// A statement: of three things to do mostly the one that was done least.
    pub fn statement(&mut self, random: &mut Walk) -> Option<String> {
        let mut picks = [0; 3];
        for pick in &mut picks {
            *pick = random.below(self.aims.len());
        }
        let done = |ix: usize| self.aims.get(ix).map_or(0, |aim| aim.count.applied);
        let at = match random.below(4) {
            0 => picks[0],
            _ => picks.into_iter().min_by_key(|ix| done(*ix))?,
        };
        let aim = self.aims.get(at)?;
        let table = &aim.table;
        let text = match &aim.way {
            Way::Set(column, sql) => {
                let value = value(random, table, column, *sql);
                let rows = rows(random, table, Some(column));
                format!("UPDATE {table} SET {column}={value} WHERE {rows}")
            }
            Way::Add(columns) => {
                // All mostly; now and then one is left out.
                let left_out = random.below(columns.len() * 4);
                let mut kept: Vec<&str> = Vec::new();
                for (ix, group) in columns.iter().enumerate() {
                    let pick = group.get(random.below(group.len()));
                    if ix != left_out || columns.len() == 1 {
                        kept.extend(pick.map(String::as_str));
                    }
                }
                let values: Vec<String> = kept
                    .iter()
                    .map(|column| varied(random, column, SqlType::Text))
                    .collect();
                format!(
                    "INSERT INTO {table}({}) SELECT {} FROM {table} WHERE {}",
                    kept.join(", "),
                    values.join(", "),
                    rows(random, table, None)
                )
            }
            Way::Remove => format!("DELETE FROM {table} WHERE {}", one(random, table, None)),
        };
        self.last = Some((text.clone(), at));
        Some(text)
    }

    /// Learns how a statement ended.
    pub fn learn(&mut self, op: &str, applied: bool) {
        let Some((_, at)) = self.last.take_if(|(own, _)| own == op) else {
            return;
        };
        if let Some(aim) = self.aims.get_mut(at) {
            aim.count.tried += 1;
            aim.count.applied += usize::from(applied);
        }
    }

    /// What can be written, with how often that was tried and done.
    pub fn counts(&self) -> BTreeMap<String, Count> {
        let counts = self.aims.iter().map(|aim| (aim.name(), aim.count));
        counts.collect()
    }

    /// The word that a statement begins with.
    pub fn word(op: &str) -> Option<&'static str> {
        let is_own = |word: &&&str| op.split(' ').next() == Some(**word);
        let is_write = crate::sql::write::is_write(op);
        WORDS.iter().find(is_own).copied().filter(|_| is_write)
    }
}

/// The number of a row, of those where a column is not NULL if one is named.
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

/// A condition on rows: one, two, or some of all.
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

/// A value for a column: that of another row, or its own changed a little.
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

/// The value of a column, changed a little or as it is.
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
