//! A document of tables that becomes another text, and keeps the rows whose text stays.

use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::account::{Owner, Pieces};
use crate::bail;
use crate::diag::Result;
use crate::domain::Domain;
use crate::model::{ModelExt, Row};

/// A row, and the text it writes.
type Written = (Row, Vec<u8>);

/// Makes a document write another text, row by row, where [`Domain::rewrite`] leaves that to the runtime.
///
/// The text is read as a file of the domain. A row whose text is the same stays as it is; where texts differ, rows of
/// the same kind and name are taken for the same row, then those of the same kind in their order. The others are
/// removed and added.
///
/// # Errors
/// The text is no file of the domain, or a table of the domain cannot take rows of another document.
pub(super) fn rewrite<M: Domain>(model: &mut M, text: &str) -> Result<()> {
    let other = M::read(text.as_bytes(), "the new text")?;
    let (old, new) = (written(&*model)?, written(&other)?);
    let pairs = paired(&*model, &other, &old, &new);
    let (mut own, mut waiting) = (FxHashMap::default(), Vec::new());
    for (row, _) in &new {
        match pairs.get(row) {
            Some(kept) => drop(own.insert(row.id(), kept.id())),
            None => waiting.push(*row),
        }
    }
    // A row is added when the rows it refers to are there.
    while !waiting.is_empty() {
        let before = waiting.len();
        waiting.retain(|row| match adopt(model, None, (&other, *row), &own) {
            Some(id) => own.insert(row.id(), id).is_some(),
            None => true,
        });
        if waiting.len() == before {
            bail!("the text of a {} cannot be edited so", M::NOUN);
        }
    }
    for (row, kept) in &pairs {
        if adopt(model, Some(*kept), (&other, *row), &own).is_none() {
            bail!("the text of a {} cannot be edited so", M::NOUN);
        }
    }
    let kept: FxHashSet<Row> = pairs.values().copied().collect();
    for (row, _) in old.iter().rev().filter(|(row, _)| !kept.contains(row)) {
        if let Some(rows) = model.rows_mut(row.part()) {
            rows.remove(row.id());
        }
    }
    Ok(())
}

/// The rows of a document in the order of its text, each once, with all that it writes.
fn written<M: Domain>(model: &M) -> Result<Vec<Written>> {
    let mut pieces = Pieces::of::<M>();
    model.source(&mut pieces)?;
    let (mut rows, mut places): (Vec<Written>, FxHashMap<u32, usize>) = Default::default();
    for (owner, bytes) in pieces.iter() {
        let Owner::Row(id) = owner else { continue };
        let place = places.get(&id).and_then(|at| rows.get_mut(*at));
        match (place, model.by_id(id)) {
            (Some((_, text)), _) => text.extend_from_slice(bytes),
            (None, Some(row)) => {
                places.insert(id, rows.len());
                rows.push((row, bytes.to_vec()));
            }
            (None, None) => {}
        }
    }
    Ok(rows)
}

/// Which row of the new document is which of the old one.
fn paired<M: Domain>(
    model: &M,
    other: &M,
    old: &[Written],
    new: &[Written],
) -> FxHashMap<Row, Row> {
    let mut input = InternedInput::default();
    input.update_before(old.iter().map(token));
    input.update_after(new.iter().map(token));
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let mut pairs = FxHashMap::default();
    let (mut at_old, mut at_new) = (0, 0);
    let part = |rows: &'_ [Written], from: usize, to: usize| -> Vec<Row> {
        let rows = rows.get(from..to).unwrap_or_default();
        rows.iter().map(|(row, _)| *row).collect()
    };
    for hunk in diff.hunks() {
        let (before, after) = (hunk.before.start as usize, hunk.after.start as usize);
        pairs.extend(
            part(new, at_new, after)
                .into_iter()
                .zip(part(old, at_old, before)),
        );
        (at_old, at_new) = (hunk.before.end as usize, hunk.after.end as usize);
        let mut gone = part(old, before, at_old);
        let mut come = part(new, after, at_new);
        let name = |model: &M, row: Row| {
            let label = model.rows(row.part()).and_then(|rows| {
                let label = rows.label(row.id())?;
                Some(label.into_owned())
            });
            (row.part(), label)
        };
        let mut named: FxHashMap<_, Vec<Row>> = FxHashMap::default();
        for row in gone.iter().rev() {
            named.entry(name(model, *row)).or_default().push(*row);
        }
        come.retain(
            |row| match named.get_mut(&name(other, *row)).and_then(Vec::pop) {
                Some(kept) => pairs.insert(*row, kept).is_some(),
                None => true,
            },
        );
        let taken: FxHashSet<Row> = pairs.values().copied().collect();
        gone.retain(|row| !taken.contains(row));
        let mut in_order: FxHashMap<usize, Vec<Row>> = FxHashMap::default();
        for row in gone.iter().rev() {
            in_order.entry(row.part()).or_default().push(*row);
        }
        for row in come {
            if let Some(kept) = in_order.get_mut(&row.part()).and_then(Vec::pop) {
                pairs.insert(row, kept);
            }
        }
    }
    pairs.extend(
        part(new, at_new, new.len())
            .into_iter()
            .zip(part(old, at_old, old.len())),
    );
    pairs
}

/// Gives the row `kept`, or a new one, what a row of another document holds. Returns its id; `None` if a row that it
/// refers to is not there yet.
fn adopt<M: Domain>(
    model: &mut M,
    kept: Option<Row>,
    (other, row): (&M, Row),
    own: &FxHashMap<u32, u32>,
) -> Option<u32> {
    let from = other.rows(row.part())?.as_any()?;
    let rows = model.rows_mut(row.part())?;
    rows.adopt(kept.map(Row::id), (from, row.id()), &|id| {
        own.get(&id).copied()
    })
}

/// What tells a row from others: its table, and its text.
fn token((row, text): &Written) -> (usize, &[u8]) {
    (row.part(), text)
}
