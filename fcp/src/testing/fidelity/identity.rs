//! The check that a moved row keeps its identity.

use std::collections::BTreeSet;

use super::check::Complaint;
use crate::domain::Domain;
use crate::endpoint::Endpoint;
use crate::model::{ModelExt, Row};
use crate::session::Session;

/// The most rows compared with each other.
const ROWS: usize = 100;

/// A row's kind, and its properties.
type Content = (&'static str, Vec<(String, String)>);

/// Checks the last op: no row that it removed came back as a new one with the same content.
///
/// `moving` is whether the op moves rows: then one differing property is allowed as the new place,
/// if it also differs in the rows that stayed. After any other op, a new row with exactly the
/// content of a removed one should have been the same row.
///
/// `rewriting` is whether the op edits source text. The rows of a table keep their order, so a line
/// that such an op moves is another row of the table.
pub(super) fn check<M: Domain>(
    session: &mut Session<M>,
    next_id: u32,
    (moving, rewriting): (bool, bool),
) -> Result<(), Complaint> {
    let rows = session.last_rows();
    let Some(model) = session.model() else {
        return Ok(());
    };
    let (there, gone): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| model.has(*row));
    let (new, stayed): (Vec<Row>, Vec<Row>) =
        there.into_iter().partition(|row| row.id() >= next_id);
    let parts: BTreeSet<usize> = new.iter().map(|row| row.part()).collect();
    let gone: Vec<Row> = gone
        .into_iter()
        .filter(|row| parts.contains(&row.part()))
        .filter(|row| !rewriting || !is_of_table(model, *row))
        .collect();
    if gone.is_empty() || gone.len() > ROWS || new.len() > ROWS {
        return Ok(());
    }
    let new: Vec<Content> = new.iter().map(|row| content(model, *row)).collect();
    let stayed = stayed.into_iter().take(if moving { ROWS } else { 0 });
    let stayed: Vec<(Row, Content)> = stayed.map(|row| (row, content(model, row))).collect();
    session.act("undo");
    let lost = session.model().and_then(|model| {
        let places: BTreeSet<String> = stayed
            .iter()
            .filter(|(row, _)| model.has(*row))
            .flat_map(|(row, now)| differing(&content(model, *row), now))
            .collect();
        let gone = gone.iter().filter(|row| model.has(**row));
        let mut pairs = gone.filter_map(|row| {
            let old = content(model, *row);
            let again = new.iter().find(|new| moved(&old, new, moving, &places))?;
            Some((*row, old, again))
        });
        pairs.next().map(|(row, old, again)| {
            format!(
                "{} #{} was removed and added elsewhere: {:?} -> {:?}",
                old.0,
                row.id(),
                old.1,
                again.1
            )
        })
    });
    session.act("redo");
    lost.map_or(Ok(()), |problem| Err(Complaint::new("identity", problem)))
}

/// Returns whether a row is of a table whose rows take the content of another document's.
fn is_of_table<M: Domain>(model: &M, row: Row) -> bool {
    let rows = model.rows(row.part());
    rows.is_some_and(|rows| rows.as_any().is_some())
}

fn content<M: Domain>(model: &M, row: Row) -> Content {
    let mut fields = Vec::new();
    if let Some(rows) = model.rows(row.part()) {
        for (ix, field) in rows.shape().fields.iter().enumerate() {
            let value = rows.field(row.id(), ix);
            let value = value.or(rows.reference(row.id(), ix).map(|id| format!("#{id}")));
            fields.push((field.name.to_owned(), value.unwrap_or_default()));
        }
        fields.extend(rows.details(row.id()).unwrap_or_default());
    }
    (model.kind_of(row), fields)
}

/// The names of properties that differ.
fn differing(old: &Content, new: &Content) -> Vec<String> {
    let pairs = old.1.iter().zip(&new.1);
    let differ = pairs.filter(|(old, new)| old != new);
    differ.map(|(old, _)| old.0.clone()).collect()
}

/// Returns whether two rows have the same content, except for the place of a moved one: one of
/// `places`, or any property if there are none.
fn moved(old: &Content, new: &Content, moving: bool, places: &BTreeSet<String>) -> bool {
    let same = old
        .1
        .iter()
        .zip(&new.1)
        .filter(|(a, b)| a == b && !a.1.is_empty());
    if old.0 != new.0 || old.1.len() != new.1.len() || same.count() < 2 {
        return false;
    }
    match differing(old, new).as_slice() {
        [] => true,
        [place] => moving && (places.is_empty() || places.contains(place)),
        _ => false,
    }
}
