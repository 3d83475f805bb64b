//! Replaces the text of a document of tables, and keeps the rows whose text is unchanged.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::hash::Hash;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::account::{Owner, Pieces};
use crate::diag::{Diagnostic, Result};
use crate::domain::Domain;
use crate::model::{ModelExt, Row};

/// A row and the text it writes.
type Written = (Row, Vec<u8>);

/// Makes a document write another text, row by row, for domains whose [`Domain::rewrite`] leaves
/// that to the runtime.
///
/// The text is read as a file of the domain. A row with unchanged text is kept. Where texts differ,
/// rows of the same kind and name are taken for the same row, then those of the same kind in their
/// order. The others are removed and added.
///
/// # Errors
/// The text is not a file of the domain, or a table of the domain cannot take rows of another
/// document.
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
    // A row is added once the rows it refers to exist.
    while !waiting.is_empty() {
        let before = waiting.len();
        waiting.retain(|row| match adopt(model, None, (&other, *row), &own) {
            Some(id) => own.insert(row.id(), id).is_some(),
            None => true,
        });
        if waiting.len() == before {
            return Err(unadopted::<M>());
        }
    }
    for (row, kept) in &pairs {
        if adopt(model, Some(*kept), (&other, *row), &own).is_none() {
            return Err(unadopted::<M>());
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

/// The error of a row in the new text that could not be taken over.
fn unadopted<M: Domain>() -> Diagnostic {
    Diagnostic::new(format!(
        "this change to the text of a {} makes rows that cannot be taken over",
        M::NOUN
    ))
    .or_syntax("modify TARGET key:value")
}

/// The rows of a document in the order of its text, each once, with all their text.
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

/// Pairs the rows of the new document with those of the old one.
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
    for hunk in diff.hunks() {
        let (gone, come) = (range(&hunk.before), range(&hunk.after));
        pairs.extend(rows_in(new, at_new..come.start).zip(rows_in(old, at_old..gone.start)));
        (at_old, at_new) = (gone.end, come.end);
        let (mut gone, mut come) = (rows_in(old, gone).collect(), rows_in(new, come).collect());
        pair_by(&mut gone, &mut come, &mut pairs, |is_new, row| {
            let rows = if is_new { other } else { model }.rows(row.part());
            let label = rows.and_then(|rows| rows.label(row.id()));
            (row.part(), label.map(Cow::into_owned))
        });
        pair_by(&mut gone, &mut come, &mut pairs, |_, row| row.part());
    }
    pairs.extend(rows_in(new, at_new..new.len()).zip(rows_in(old, at_old..old.len())));
    pairs
}

/// The indices of a hunk.
const fn range(lines: &Range<u32>) -> Range<usize> {
    lines.start as usize..lines.end as usize
}

/// The rows in a range.
fn rows_in(rows: &[Written], range: Range<usize>) -> impl Iterator<Item = Row> {
    let rows = rows.get(range).unwrap_or_default();
    rows.iter().map(|(row, _)| *row)
}

/// Pairs rows with the same key, in order, and takes them out of both lists. The first argument of
/// `key` is whether the row is in the new document.
fn pair_by<K: Hash + Eq>(
    gone: &mut Vec<Row>,
    come: &mut Vec<Row>,
    pairs: &mut FxHashMap<Row, Row>,
    key: impl Fn(bool, &Row) -> K,
) {
    let mut by_key: FxHashMap<K, VecDeque<Row>> = FxHashMap::default();
    for row in gone.iter() {
        by_key.entry(key(false, row)).or_default().push_back(*row);
    }
    let mut taken = FxHashSet::default();
    come.retain(|row| {
        let kept = by_key
            .get_mut(&key(true, row))
            .and_then(VecDeque::pop_front);
        if let Some(kept) = kept {
            pairs.insert(*row, kept);
            taken.insert(kept);
        }
        kept.is_none()
    });
    gone.retain(|row| !taken.contains(row));
}

/// Gives the row `kept`, or a new one, the content of a row of another document. Returns its id;
/// `None` if a row that it refers to does not exist yet.
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

/// The identity of a row: its table and its text.
fn token((row, text): &Written) -> (usize, &[u8]) {
    (row.part(), text)
}
