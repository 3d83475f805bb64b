//! SQL statements that write, generated from the present content of the tables.

use super::computed;
use crate::domain::Domain;
use crate::sql::{Bounds, Table, Tables};
use crate::testing::Walk;
use crate::value::Cell;
use crate::verb::Registry;

/// Texts that are valid for few or no values.
const ODD: &[&str] = &[
    "", "x", "a b", "0", "-1", "1e9", "é", "'", "a\nb", "url(#x)", "#12",
];

/// The first words of statements, as named in reports.
pub(in crate::testing) const WORDS: [&str; 3] = ["UPDATE", "INSERT", "DELETE"];

/// Generates statements for the tables of a domain.
pub(in crate::testing) struct Writes<M: Domain> {
    tables: Tables<M>,
    asked: u64,
    /// The targets of statements: `notes.vel`, `INSERT notes`, `DELETE notes`.
    pub targets: Vec<String>,
}

impl<M: Domain> Writes<M> {
    /// A generator for all tables of a domain.
    pub fn new(registry: &Registry<M>) -> Self {
        let mut targets = Vec::new();
        for table in Table::all(registry) {
            let name = &table.name;
            let columns = table.columns.iter().filter(|column| column.is_writable());
            targets.extend(columns.map(|column| format!("{name}.{}", column.name)));
            let (adds, removes) = (!table.added(registry).is_empty(), table.is_removable());
            targets.extend(adds.then(|| format!("INSERT {name}")));
            targets.extend(removes.then(|| format!("DELETE {name}")));
        }
        Self {
            tables: Tables::default(),
            asked: 0,
            targets,
        }
    }

    /// A statement that writes to a target; `None` if the table has no rows.
    pub fn statement(
        &mut self,
        registry: &Registry<M>,
        random: &mut Walk,
        model: &M,
        target: &str,
    ) -> Option<String> {
        let name = match target.split_once(' ') {
            Some((_, table)) => table,
            None => target.split_once('.')?.0,
        };
        let all = Table::all(registry);
        let table = all.iter().find(|table| table.name == name)?;
        if random.below(2) == 0
            && let Some(statement) = computed::statement(registry, random, table, target)
        {
            return Some(statement);
        }
        let from = name_of(name);
        match target.split_once(' ') {
            Some(("DELETE", _)) => {
                let rows = self.rows(registry, model, table, &[])?;
                let [own, ..] = rows.get(random.below(rows.len()))?.as_slice() else {
                    return None;
                };
                let mut condition = format!("ref IS {}", literal(own));
                // Picks one of several rows of an element by its values in the first columns.
                if let Some(column) = table.columns.get(random.below(table.columns.len().min(3))) {
                    let rows = self.rows(registry, model, table, &[&column.name])?;
                    let row = rows.iter().rfind(|row| row.first() == Some(own))?;
                    let value = literal(row.get(1)?);
                    condition.push_str(&format!(" AND {} IS {value}", name_of(&column.name)));
                }
                Some(format!("DELETE FROM {from} WHERE {condition}"))
            }
            Some(_) => {
                // Of alternative columns, take the first.
                let groups = table.added(registry);
                let mut names: Vec<&str> = groups
                    .iter()
                    .filter_map(|group| group.first().copied())
                    .collect();
                let refers = names.contains(&"ref");
                names.retain(|name| *name != "ref");
                let rows = self.rows(registry, model, table, &names)?;
                let (one, other) = (random.below(rows.len()), random.below(rows.len()));
                // Half of them mix two rows, the others vary one value of a row at most: most mixed
                // rows are refused.
                let (mixes, odd) = (random.below(2) == 0, random.below(2 * names.len() + 1));
                let (mut columns, mut values) = (Vec::new(), Vec::new());
                let all = std::iter::once("ref").chain(names.iter().copied());
                for (ix, name) in all.enumerate() {
                    if name == "ref" && !refers {
                        continue;
                    }
                    let row = if mixes && random.below(3) == 0 {
                        other
                    } else {
                        one
                    };
                    let cell = rows.get(row)?.get(ix)?;
                    if *cell != Cell::Null {
                        let value = match mixes || ix == odd {
                            true => varied(random, cell, None),
                            false => cell.clone(),
                        };
                        columns.push(name_of(name));
                        values.push(literal(&value));
                    }
                }
                let (columns, values) = (columns.join(", "), values.join(", "));
                Some(format!("INSERT INTO {from}({columns}) VALUES ({values})"))
            }
            None => {
                let column = target.split_once('.')?.1;
                let rows = self.rows(registry, model, table, &[column])?;
                let row = rows.get(random.below(rows.len()))?;
                let old = row.get(1)?;
                let other = rows.get(random.below(rows.len()))?.get(1);
                let column = name_of(column);
                let value = match (old, random.below(4)) {
                    (Cell::Integer(_) | Cell::Real(_), 0) => format!("{column}+1"),
                    _ => literal(&varied(random, old, other)),
                };
                let mut conditions = vec![format!("{column} IS {}", literal(old))];
                if random.below(4) > 0 {
                    conditions.push(format!("ref IS {}", literal(row.first()?)));
                }
                let conditions = conditions.join(" AND ");
                Some(format!(
                    "UPDATE {from} SET {column}={value} WHERE {conditions}"
                ))
            }
        }
    }

    /// The first word of a statement.
    pub fn word(op: &str) -> Option<&'static str> {
        let first = op.split(' ').next()?;
        let word = WORDS.into_iter().find(|word| *word == first);
        word.filter(|_| crate::sql::write_statement::is_write(op))
    }

    /// The rows of a table: `ref` and some columns. `None` if there are none.
    fn rows(
        &mut self,
        registry: &Registry<M>,
        model: &M,
        table: &Table<M>,
        columns: &[&str],
    ) -> Option<Vec<Vec<Cell>>> {
        self.asked += 1;
        self.tables.bound(Bounds::default());
        let columns: Vec<String> = columns.iter().map(|name| name_of(name)).collect();
        let list: String = columns.iter().map(|name| format!(", {name}")).collect();
        let sql = format!("SELECT ref{list} FROM {} LIMIT 500", name_of(&table.name));
        let found = self
            .tables
            .view(model, registry, self.asked)
            .ask(&sql)
            .ok()?;
        Some(found.rows).filter(|rows| !rows.is_empty())
    }
}

/// A value similar to another one.
fn varied(random: &mut Walk, cell: &Cell, other: Option<&Cell>) -> Cell {
    match (random.below(8), other) {
        (0, _) => Cell::Text(random.pick(ODD).unwrap_or_default().to_owned()),
        (1..=3, Some(other)) => other.clone(),
        (4, None) | (4..=6, Some(_)) => match cell {
            Cell::Integer(whole) => Cell::Integer(whole.saturating_add(1)),
            Cell::Real(number) => Cell::Real(number + 1.5),
            Cell::Text(text) => Cell::Text(match text.parse::<f64>() {
                Ok(number) => (number + 1.0).to_string(),
                Err(_) => format!("{text}2"),
            }),
            Cell::Null => Cell::Text("x".to_owned()),
        },
        _ => cell.clone(),
    }
}

pub(super) fn name_of(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn literal(cell: &Cell) -> String {
    match cell {
        Cell::Null => "NULL".to_owned(),
        Cell::Text(text) => format!("'{}'", text.replace('\'', "''")),
        cell => cell.word().unwrap_or_default().into_owned(),
    }
}
