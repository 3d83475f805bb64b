//! Answers as text, and descriptions of the tables for queries and cards.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::engine::Found;
use super::schema::{Source, Table};
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
        match style {
            Spelling::Table => {
                let lines = std::iter::once(self.head())
                    .chain(self.lines())
                    .chain([self.count()]);
                lines.collect::<Vec<_>>().join("\n")
            }
            Spelling::Csv => {
                let names = self
                    .columns
                    .iter()
                    .map(|name| csv(name))
                    .collect::<Vec<_>>()
                    .join(",");
                let rows = self.rows.iter().map(|cells| {
                    let cells = cells.iter().map(|cell| match cell {
                        Cell::Null => String::new(),
                        cell => csv(&cell.shown()),
                    });
                    cells.collect::<Vec<_>>().join(",")
                });
                std::iter::once(names)
                    .chain(rows)
                    .collect::<Vec<_>>()
                    .join("\n")
            }
            Spelling::Json => {
                let names = distinct(&self.columns);
                let rows = self.rows.iter().map(|cells| {
                    let pairs = names.iter().zip(cells);
                    let pairs = pairs.map(|(name, cell)| (name.clone(), json(cell)));
                    serde_json::Value::Object(pairs.collect())
                });
                format!("{:#}", serde_json::Value::Array(rows.collect()))
            }
        }
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
fn distinct<'c>(columns: &'c [String]) -> Vec<String> {
    let given: HashSet<&str> = columns.iter().map(String::as_str).collect();
    let mut seen: HashMap<&'c str, usize> = HashMap::new();
    let name = |column: &'c String| {
        let count = seen.entry(column).or_default();
        *count += 1;
        let mut name = column.clone();
        while *count > 1 {
            name = format!("{column}_{count}");
            if !given.contains(&*name) {
                break;
            }
            *count += 1;
        }
        name
    };
    columns.iter().map(name).collect()
}

fn json(cell: &Cell) -> serde_json::Value {
    match cell {
        Cell::Null => serde_json::Value::Null,
        Cell::Integer(number) => (*number).into(),
        Cell::Real(number) => (*number).into(),
        Cell::Text(text) => text.clone().into(),
    }
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
    let tables = Table::all(registry);
    let described = tables.iter().map(|table| table.described(registry));
    described.collect()
}

impl<M: Domain> Table<M> {
    fn described(&self, registry: &Registry<M>) -> Described {
        let mut columns = vec!["ref TEXT  The word by which ops name the row.".to_owned()];
        columns.extend(self.columns.iter().map(|column| {
            let refers = column
                .refers
                .map_or(String::new(), |kind| format!(" (a {kind})"));
            let set = if column.is_writable() {
                ", writable"
            } else {
                ""
            };
            let doc = if column.doc.is_empty() {
                ""
            } else {
                column.doc
            };
            format!("{} {}{set}  {doc}{refers}", column.name, column.sql.word())
                .trim_end()
                .to_owned()
        }));
        let own = self.columns.iter();
        let names =
            std::iter::once("ref".to_owned()).chain(own.clone().map(|own| own.name.clone()));
        let written = own.clone().filter(|own| own.is_writable());
        let added = self.added(registry);
        let added: Vec<String> = added.iter().map(|group| group.join("|")).collect();
        Described {
            names: names.collect(),
            written: written.map(|own| own.name.clone()).collect(),
            added: (!added.is_empty()).then(|| added.join(", ")),
            is_own: matches!(self.source, Source::Own(_)),
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
