//! Answers as text, and descriptions of the tables for queries and cards.

use std::borrow::Cow;
use std::collections::HashSet;

use super::engine::Found;
use super::schema::{Column, Table};
use crate::diag::{breaks, one_line};
use crate::domain::Domain;
use crate::endpoint::Spelling;
use crate::value::Cell;
use crate::verb::Registry;

impl Found {
    /// The names of the columns, as a line. An expression over several lines is on one.
    pub fn head(&self) -> String {
        let names = self.columns.iter().map(|name| match name.contains(breaks) {
            true => name.split_whitespace().collect::<Vec<_>>().join(" "),
            false => name.clone(),
        });
        names.collect::<Vec<_>>().join(" | ")
    }

    /// The rows, one line each.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.rows.iter().map(|cells| {
            let cells = cells
                .iter()
                .map(|cell| on_one_line(&cell.shown()).into_owned());
            cells.collect::<Vec<_>>().join(" | ")
        })
    }

    /// `(1 row)`, `(3 rows)`
    pub fn count(&self) -> String {
        match self.rows.len() {
            1 => "(1 row)".to_owned(),
            n => format!("({n} rows)"),
        }
    }

    /// The whole answer.
    pub fn text(&self, style: Spelling) -> String {
        let lines: Vec<String> = match style {
            Spelling::Table => {
                let lines = std::iter::once(self.head()).chain(self.lines());
                lines.chain([self.count()]).collect()
            }
            Spelling::Csv => {
                let names = self.columns.iter().map(|name| csv(name));
                let rows = self.rows.iter().map(|cells| {
                    let cells = cells.iter().map(|cell| match cell {
                        Cell::Null => String::new(),
                        cell => csv(&cell.shown()),
                    });
                    cells.collect::<Vec<_>>()
                });
                let lines = std::iter::once(names.collect()).chain(rows);
                lines.map(|cells: Vec<String>| cells.join(",")).collect()
            }
            Spelling::Json => {
                let names = distinct(&self.columns);
                let rows = self.rows.iter().map(|cells| {
                    let pairs = names.iter().zip(cells);
                    let pairs = pairs.map(|(name, cell)| (name.clone(), cell.into()));
                    serde_json::Value::Object(pairs.collect())
                });
                vec![format!("{:#}", serde_json::Value::Array(rows.collect()))]
            }
        };
        lines.join("\n")
    }
}

/// A cell's text on one line, with its line ends as a quoted word of an op writes them: `\n`.
fn on_one_line(text: &str) -> Cow<'_, str> {
    match text.contains(['\n', '\r']) || text.contains("\\n") || text.contains("\\r") {
        true => {
            let escaped = text.replace('\\', "\\\\");
            let escaped = escaped.replace('\n', "\\n").replace('\r', "\\r");
            one_line(&escaped).into_owned().into()
        }
        false => one_line(text),
    }
}

fn csv(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// The names of columns as keys of an object: the second of two equal ones is `a_2`.
fn distinct(columns: &[String]) -> Vec<String> {
    let mut taken: HashSet<String> = columns.iter().cloned().collect();
    let mut seen: HashSet<&str> = HashSet::new();
    let keys = columns.iter().map(|column| {
        let mut others = (2..).map(|n| format!("{column}_{n}"));
        let is_first = seen.insert(column);
        let other = (!is_first).then(|| others.find(|name| taken.insert(name.clone())));
        other.flatten().unwrap_or_else(|| column.clone())
    });
    keys.collect()
}

/// The description of a table for cards and help.
#[derive(Clone, Debug)]
pub(crate) struct Described {
    /// Its name.
    pub name: String,
    /// `notes(ref, pitch, vel)`
    pub outline: String,
    /// Its description.
    pub doc: &'static str,
    /// Its columns, one line each.
    pub columns: Vec<String>,
    /// The names of the columns, `ref` first.
    pub names: Vec<String>,
    /// The columns that `UPDATE` can set.
    pub written: Vec<String>,
    /// The columns of a new row, with `|` between alternatives: `track, tick|pos`.
    pub added: Option<String>,
    /// Whether the domain wrote it.
    pub is_own: bool,
}

/// The descriptions of all tables of a domain.
pub(crate) fn tables_of<M: Domain>(registry: &Registry<M>) -> Vec<Described> {
    let tables = Table::all(registry).into_iter();
    tables.map(|table| table.described(registry)).collect()
}

impl<M: Domain> Table<M> {
    fn described(&self, registry: &Registry<M>) -> Described {
        let first = "ref TEXT  The word by which ops name the row.".to_owned();
        let mut columns = Vec::from_iter(self.is_named.then_some(first));
        columns.extend(self.columns.iter().map(|column| {
            let Column { name, sql, doc, .. } = column;
            let refers = column.refers.iter().map(|kind| format!(" (a {kind})"));
            let refers: String = refers.collect();
            let set = column.is_writable().then_some(", writable");
            let set = set.unwrap_or_default();
            let line = format!("{name} {}{set}  {doc}{refers}", sql.word());
            line.trim_end().to_owned()
        }));
        let written = self.writable().into_iter();
        let added = self.added(registry);
        let added: Vec<String> = added.iter().map(|group| group.join("|")).collect();
        Described {
            names: self.names().into_iter().map(str::to_owned).collect(),
            written: written.map(str::to_owned).collect(),
            added: (!added.is_empty()).then(|| added.join(", ")),
            is_own: self.is_own(),
            name: self.name.clone(),
            outline: self.outline(),
            doc: self.doc,
            columns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::distinct;

    #[test]
    fn equal_columns_have_distinct_keys() {
        let columns = ["a", "a", "a_2", "b", "a"].map(str::to_owned);
        assert_eq!(distinct(&columns), ["a", "a_3", "a_2", "b", "a_4"]);
    }
}
