//! The check that what moves stays the same row.

use std::collections::BTreeSet;

use super::check::Complaint;
use crate::domain::Domain;
use crate::endpoint::Endpoint;
use crate::model::{ModelExt, Row};
use crate::session::Session;

/// The most rows that are compared with each other.
const ROWS: usize = 100;

/// A row's kind, and each thing that it says.
type Content = (&'static str, Vec<(String, String)>);

/// Checks the op that was done last: no row that it removed came back as a new one that says the same.
///
/// `moving` says that the op moves: then one thing that differs is the new place, if it differs in the rows that stayed too.
/// After any other op a row that says exactly what a removed one did is the same row.
pub(super) fn check<M: Domain>(
    session: &mut Session<M>,
    next_id: u32,
    moving: bool,
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
                "{} #{} was removed and made anew elsewhere: {:?} -> {:?}",
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

fn content<M: Domain>(model: &M, row: Row) -> Content {
    let mut said = Vec::new();
    if let Some(rows) = model.rows(row.part()) {
        for (ix, field) in rows.shape().fields.iter().enumerate() {
            let value = rows.field(row.id(), ix);
            let value = value.or(rows.reference(row.id(), ix).map(|id| format!("#{id}")));
            said.push((field.name.to_owned(), value.unwrap_or_default()));
        }
        said.extend(rows.details(row.id()).unwrap_or_default());
    }
    (model.kind_of(row), said)
}

/// What is said otherwise of a row.
fn differing(old: &Content, new: &Content) -> Vec<String> {
    let pairs = old.1.iter().zip(&new.1);
    let differ = pairs.filter(|(old, new)| old != new);
    differ.map(|(old, _)| old.0.clone()).collect()
}

/// Whether one row says what another does, but for the place of one that moved: one of `places`, or anything if there
/// are none.
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
