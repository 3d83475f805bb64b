//! Writes a generated table through a table of the domain's own that has the same rows, and checks what is written to
//! one.

use std::collections::HashMap;

use super::write::{Changed, names};
use crate::bail;
use crate::diag::{Diagnostic, Result, Span};
use crate::domain::{Domain, Written};
use crate::model::{ModelExt, Row};
use crate::session::document::Document;
use crate::sql::{Column, Reads, Structs, Table};
use crate::table::AnyRow;
use crate::value::Cell;
use crate::verb::Registry;

/// A table with the columns to write and all its rows.
pub(super) type Through<'t, M> = (&'t Table<M>, Vec<&'t Column>, Structs);

impl<M: Domain> Document<M> {
    /// Whether selectors reach by default all rows of a table that a `WHERE` leaves.
    pub(super) fn reaches(&self, registry: &Registry<M>, table: &Table<M>, limit: &str) -> bool {
        let sql = format!("SELECT rowid FROM {}{limit}", table.name);
        let found = self.view(registry).rows(&table.name, &sql);
        found.is_ok_and(|rows| {
            let mut rows = rows.iter().filter_map(|own| own.row);
            rows.all(|row| self.model.in_universe(row))
        })
    }

    /// The domain's own table that writes these columns of a generated one, its columns and its rows.
    /// The numbers of the changed rows become those of that table.
    pub(super) fn through<'t>(
        &self,
        tables: &'t [Table<M>],
        table: &Table<M>,
        columns: &[&Column],
        changed: &mut Changed,
    ) -> Result<Through<'t, M>> {
        let target = columns.iter().find_map(|column| Some(column.via?.0));
        let target = tables.iter().find(|own| Some(&*own.name) == target);
        let via = |column: &&Column| {
            let (name, ix) = column.via?;
            target.filter(|own| own.name == name)?.columns.get(ix)
        };
        let found: Option<Vec<&Column>> = columns.iter().map(via).collect();
        let (Some(target), Some(found)) = (target, found) else {
            let (names, of) = (names(columns).join(" and "), &table.name);
            bail!("{names} of {of} cannot be written in one statement");
        };
        let structs = target.structs(&self.model, &[]);
        let numbers = structs.numbered();
        let numbers = numbers.filter_map(|(number, row)| Some((row.row()?, number)));
        let numbers: HashMap<Row, i64> = numbers.collect();
        for (number, row, _) in changed {
            let there = row.and_then(|row| numbers.get(&row));
            *number = *there.ok_or_else(|| {
                Diagnostic::new(format!("{} does not have all of these rows", target.name))
            })?;
        }
        Ok((target, found, structs))
    }

    /// Lets the domain check the expressions of an `UPDATE` for columns with setters of their own.
    pub(super) fn check_updates(
        &self,
        (table, columns): (&Table<M>, &[&Column]),
        (sets, text): (&[(String, Span)], &str),
        changed: &Changed,
        structs: &Structs,
    ) -> Result<()> {
        let columns = columns.iter().enumerate().filter(|(_, column)| column.own);
        for (ix, column) in columns {
            let span = sets.get(ix).map(|(_, span)| *span).unwrap_or_default();
            let reads = Reads::of(span.of(text));
            let names = Reads::of(text);
            let rows = changed.iter().filter_map(|(number, _, values)| {
                values.get(ix)?.as_ref()?;
                structs.get(*number).map(AnyRow::own)
            });
            let written = Written {
                table: &table.name,
                column: &column.name,
                reads: &|columns| reads.any(columns),
                names: &|tables| names.any(tables),
                rows: rows.collect(),
            };
            let checked = self.model.check_written(&written);
            checked.map_err(|error| error.at(span))?;
        }
        Ok(())
    }
}

/// The value of the column `kind` in a row of a domain's own table, if it has that column.
pub(super) fn kind_of<M: Domain>(
    table: &Table<M>,
    structs: &Structs,
    number: i64,
) -> Option<String> {
    let kind = table.named("kind")?.ix;
    match structs.get(number)?.cell(kind) {
        Cell::Text(kind) => Some(kind),
        _ => None,
    }
}
