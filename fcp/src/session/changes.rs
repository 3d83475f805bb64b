//! The rows of the table `changes`.

use std::collections::HashMap;
use std::sync::Arc;

use super::document::Document;
use super::query::diff::events;
use super::query::listed::Listed;
use crate::account::{FieldChange, RowChange, parts};
use crate::domain::{Domain, SqlChange};
use crate::event::CheckpointError;
use crate::model::Row;
use crate::sql::changes::{Changed, may_read};
use crate::sql::{Changes, Column, State, Table};
use crate::value::{Cell, SqlType};
use crate::verb::{Registry, ref_name};

/// The largest text that has one row if it changes; a longer one has a row for each part.
const WHOLE: usize = 4000;

impl<M: Domain> Document<M> {
    /// Fills the table `changes` if the text may read it. Leaves the model as it was.
    pub(super) fn prepare_changes(&mut self, registry: &Registry<M>, text: &str) {
        if !may_read(text) {
            return;
        }
        let state = State::of(&self.model, self.log.state_id());
        if !self.tables.has_changes(state) {
            let changes = self.changes(registry);
            self.tables.set_changes(state, changes);
        }
    }

    fn changes(&mut self, registry: &Registry<M>) -> Changes {
        let since = self.since.clone();
        let found = self.differences(registry, since.as_deref())?;
        Ok(Arc::new(
            found.into_iter().map(|(_, changed)| changed).collect(),
        ))
    }

    /// The rows of the table since a checkpoint, or since open, each with the id of the row whose
    /// bytes changed, if it is about one.
    pub(super) fn differences(
        &mut self,
        registry: &Registry<M>,
        since: Option<&str>,
    ) -> Result<Vec<Told>, String> {
        let since = match since {
            None => self.log.since_state(0).ok_or_else(|| {
                CheckpointError::Dropped {
                    name: "open".to_owned(),
                }
                .to_string()
            })?,
            Some(name) => {
                let since = self.log.since(name);
                since.map_err(|error| format!("{error} (set since:default)"))?
            }
        };
        let (events, done) = events::<M>(since);
        let format = self.written_format();
        let written = self.pieces(format);
        let listed = written.and_then(|pieces| self.diff_to(&events, done, format, &pieces));
        let listed = listed.map_err(|error| error.message)?;
        let rows = events.iter().filter_map(|event| Some(M::row_of(event)?.0));
        let rows = rows.chain(listed.others.iter().copied());
        let rows: HashMap<u32, Row> = rows.map(|row| (row.id(), row)).collect();
        let tables = Tables::of(registry);
        Ok(self.rows_of(&listed, &rows, &tables))
    }

    fn rows_of(&self, listed: &Listed, rows: &HashMap<u32, Row>, tables: &Tables<M>) -> Vec<Told> {
        let text = |text: &str| Cell::Text(text.to_owned());
        let mut found = Vec::new();
        for (change, id) in listed.rows.iter().zip(&listed.ids) {
            let row = rows.get(id).copied();
            let shown = change.row();
            let part = row.and_then(|row| self.model.piece(shown, row));
            let found_in = match &part {
                Some(part) => tables.called(part.table),
                None => row.and_then(|row| tables.of_row(row)),
            };
            let name = found_in.map_or(&*shown.plural, |table| &table.name);
            let table = name;
            let is_gone = matches!(change, RowChange::Removed(..));
            let row = match &part {
                Some(part) => part.row,
                None => row,
            };
            let name = match (is_gone, row) {
                (true, _) => listed.names.get(id).cloned(),
                (false, Some(row)) => Some(ref_name(&self.model, row)),
                (false, None) if part.is_some() => None,
                (false, None) => Some(format!("#{id}")),
            };
            let row = row.filter(|_| !is_gone);
            let node = rows.get(id).copied();
            let mut out = Found {
                told: &mut found,
                id: *id,
                row,
                name,
            };
            let whole = |line: &str| text(line);
            match change {
                RowChange::Added(_, line) => {
                    out.push(table, "added", Cell::Null, [Cell::Null, whole(line)]);
                }
                RowChange::Removed(_, line) => {
                    out.push(table, "removed", Cell::Null, [whole(line), Cell::Null]);
                }
                RowChange::Rewritten(_, Some([was, is])) => {
                    out.push(table, "changed", text("bytes"), [text(was), text(is)]);
                }
                RowChange::Rewritten(_, None) => {
                    out.push(table, "changed", text("place"), [Cell::Null, text("moved")]);
                }
                RowChange::Changed(_, fields) => {
                    for field in fields {
                        if !field.numbers.is_empty() {
                            out.numbers(table, field, |name| numbered::<M>(found_in, name));
                            continue;
                        }
                        let own = node.and_then(|node| self.model.changed_values(node, field));
                        if let Some(values) = own {
                            values.into_iter().for_each(|value| out.value(value));
                            continue;
                        }
                        let shown_by = field.cells.as_ref().map(|(column, _)| *column);
                        let shown_by = shown_by.unwrap_or(&field.name);
                        let column = found_in.and_then(|table| column_of(table, shown_by));
                        let name = match (&part, column) {
                            (Some(part), _) if shown_by.is_empty() => text(part.column),
                            (_, Some(column)) => text(&column.name),
                            _ => named(field),
                        };
                        let sql = column.map_or(SqlType::Text, |column| column.sql);
                        out.changed(table, name, values(field, sql));
                    }
                }
            }
        }
        for (part, fields) in &listed.parts {
            let mut push = |field: Cell, [before, after]: [Cell; 2]| {
                let changed = Changed {
                    row: None,
                    name: None,
                    cells: [text(part), text("changed"), field, before, after],
                };
                found.push((None, changed));
            };
            for field in fields {
                push(named(field), values(field, SqlType::Text));
            }
            if fields.is_empty() {
                push(Cell::Null, [Cell::Null, Cell::Null]);
            }
        }
        found
    }
}

/// A row of the table, and the id of the row of the model whose bytes changed.
pub(crate) type Told = (Option<u32>, Changed);

/// The rows of the table for a row of the model.
struct Found<'f> {
    told: &'f mut Vec<Told>,
    id: u32,
    row: Option<Row>,
    name: Option<String>,
}

impl Found<'_> {
    fn push(&mut self, table: &str, kind: &str, field: Cell, [before, after]: [Cell; 2]) {
        let text = |text: &str| Cell::Text(text.to_owned());
        let changed = Changed {
            row: self.row,
            name: self.name.clone(),
            cells: [text(table), text(kind), field, before, after],
        };
        self.told.push((Some(self.id), changed));
    }

    /// Adds a changed value, a long one part by part.
    fn changed(&mut self, table: &str, field: Cell, values: [Cell; 2]) {
        if let [Cell::Text(then), Cell::Text(now)] = &values
            && then.len().max(now.len()) > WHOLE
        {
            for part in parts(then, now, usize::MAX).0 {
                let place = part.place().map_or(String::new(), |place| place + ": ");
                let values = [part.then, part.now].map(|text| Cell::Text(format!("{place}{text}")));
                self.push(table, "changed", field.clone(), values);
            }
            return;
        }
        self.push(table, "changed", field, values);
    }

    /// Adds the fields whose numbers changed and whose texts did not.
    fn numbers(
        &mut self,
        table: &str,
        field: &FieldChange,
        column: impl Fn(&str) -> Option<String>,
    ) {
        for (name, [before, after]) in &field.numbers {
            let name = column(name).unwrap_or_else(|| name.to_string());
            let values = [*before, *after].map(Cell::Integer);
            self.push(table, "changed", Cell::Text(name), values);
        }
    }

    fn value(&mut self, value: SqlChange) {
        let field = Cell::Text(value.field);
        match (value.before, value.after) {
            (Some(before), Some(after)) => self.changed(value.table, field, [before, after]),
            (before, after) => {
                let kind = if before.is_some() { "removed" } else { "added" };
                let values = [before, after].map(|cell| cell.unwrap_or(Cell::Null));
                self.push(value.table, kind, field, values);
            }
        }
    }
}

/// The column that shows the number of a field.
fn numbered<M: Domain>(table: Option<&Table<M>>, field: &str) -> Option<String> {
    let own = M::NUMBER_COLUMNS.iter().find(|(name, _)| *name == field);
    let name = own.map_or(field, |(_, column)| column);
    Some(column_of(table?, name)?.name.clone())
}

/// The name of a field; `value` for a row's only, nameless field.
fn named(field: &FieldChange) -> Cell {
    let name = match &*field.name {
        "" => "value",
        name => name,
    };
    Cell::Text(name.to_owned())
}

/// The old and new value of a field; as numbers if its column has numbers.
fn values(field: &FieldChange, sql: SqlType) -> [Cell; 2] {
    if let Some((_, cells)) = &field.cells {
        return cells.clone();
    }
    let cell = |side: &Option<(String, Option<i64>)>| match (side, sql) {
        (None, _) => Cell::Null,
        (Some((text, number)), SqlType::Real) => match (text.parse(), number) {
            (Ok(real), _) => Cell::Real(real),
            (Err(_), Some(number)) => Cell::Integer(*number),
            (Err(_), None) => Cell::Text(text.clone()),
        },
        (Some((_, Some(number))), SqlType::Integer) => Cell::Integer(*number),
        (Some((text, Some(number))), _) if number.to_string() == *text => Cell::Integer(*number),
        (Some((text, _)), _) => Cell::Text(text.clone()),
    };
    [cell(&field.then), cell(&field.now)]
}

/// The column that shows a field: the one of its name, the one that declares to show it, or the one that ops change by
/// this key.
fn column_of<'t, M: Domain>(table: &'t Table<M>, field: &str) -> Option<&'t Column> {
    let of = |shows: &dyn Fn(&Column) -> bool| table.columns.iter().find(|own| shows(own));
    of(&|column| column.name == field)
        .or_else(|| of(&|column| column.shows.contains(&field)))
        .or_else(|| of(&|column| column.key == Some(field)))
}

/// Tables by the model part of their rows.
struct Tables<M: Domain> {
    all: Vec<Table<M>>,
    parts: HashMap<usize, usize>,
    /// A table of the domain's own that holds rows of several parts.
    mixed: Option<usize>,
}

impl<M: Domain> Tables<M> {
    fn of(registry: &Registry<M>) -> Self {
        let all = Table::all(registry);
        let entities = || {
            let all = all.iter().enumerate();
            all.filter(|(_, table)| table.is_entity)
        };
        let mixed = entities().find(|(_, table)| table.part.is_none());
        let mixed = mixed.map(|(ix, _)| ix);
        let mut parts = HashMap::new();
        for (ix, table) in entities() {
            // A table written by the domain comes before the one generated for its rows.
            if let Some(part) = table.part
                && (mixed.is_none() || table.is_own())
            {
                parts.entry(part).or_insert(ix);
            }
        }
        Self { all, parts, mixed }
    }

    fn of_row(&self, row: Row) -> Option<&Table<M>> {
        let own = self.parts.get(&row.part()).copied().or(self.mixed)?;
        self.all.get(own)
    }

    fn called(&self, name: &str) -> Option<&Table<M>> {
        self.all.iter().find(|table| table.name == name)
    }
}
