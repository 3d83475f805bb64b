//! Writes a generated table through a table of the domain's own that has the same rows.

use std::collections::HashMap;

use super::write::Changed;
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::Row;
use crate::session::document::Document;
use crate::sql::{Column, Table};
use crate::table::AnyRow;

/// A table with the columns to write and all its rows.
pub(super) type Through<'t, M> = (&'t Table<M>, Vec<&'t Column>, Vec<Box<dyn AnyRow>>);

impl<M: Domain> Document<M> {
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
            let names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
            return Err(Diagnostic::new(format!(
                "{} of {} cannot be written in one statement",
                names.join(" and "),
                table.name
            )));
        };
        let structs = crate::sql::Tables::structs(&self.model, target);
        let numbers = (1..).zip(&structs);
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
}
