//! Comparison of two documents without a common log, by their written form.

use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::FxHashMap;

use super::super::account::BYTES_A_STEP;
use super::changed::changed;
use super::diff::Listed;
use crate::account::{Account, Owner, Pieces, RowChange, Shown};
use crate::diag::Result;
use crate::domain::Domain;
use crate::queries::{show, show_line};
use crate::work;

/// The steps of each row: its place is looked up.
const STEPS_A_ROW: usize = 2;

/// A row as written: the bytes of all its pieces.
struct Written {
    id: u32,
    bytes: Vec<u8>,
}

/// The rows of a document in the order of the file, each once.
fn rows<M: Domain>(model: &M) -> Result<(Vec<Written>, Pieces)> {
    let format = M::FORMATS.first().map_or("", |format| format.name);
    let mut pieces = Pieces::of::<M>();
    model.write(format, &mut pieces)?;
    work::spend(pieces.file().len() / BYTES_A_STEP)?;
    let mut rows: Vec<Written> = Vec::new();
    let mut seen: FxHashMap<u32, usize> = FxHashMap::default();
    for (owner, bytes) in pieces.iter() {
        let Owner::Row(id) = owner else { continue };
        let next = rows.len();
        let at = *seen.entry(id).or_insert(next);
        if at == next {
            rows.push(Written {
                id,
                bytes: Vec::new(),
            });
        }
        if let Some(row) = rows.get_mut(at) {
            row.bytes.extend_from_slice(bytes);
        }
    }
    Ok((rows, pieces))
}

/// The differences between two documents: rows by their order in the file.
pub(super) fn documents<M: Domain>(then: &M, now: &M) -> Result<Listed> {
    let (old, before) = rows(then)?;
    let (new, after) = rows(now)?;
    work::spend(STEPS_A_ROW * (old.len() + new.len()))?;
    let account = Account::between(&before, &after);
    // The text of a row with a place includes the place: equal bytes elsewhere are another row.
    let token = |model: &M, row: &Written| {
        let place = show(model, row.id).and_then(|shown| shown.place);
        (row.bytes.clone(), place)
    };
    let mut input = InternedInput::default();
    input.update_before(old.iter().map(|row| token(then, row)));
    input.update_after(new.iter().map(|row| token(now, row)));
    let mut found: Vec<RowChange> = Vec::new();
    for stretch in Diff::compute(Algorithm::Myers, &input).hunks() {
        let part = |rows: std::ops::Range<u32>| rows.start as usize..rows.end as usize;
        let gone = old.get(part(stretch.before)).unwrap_or_default();
        let come = new.get(part(stretch.after)).unwrap_or_default();
        hunk(then, now, gone, come, &mut found);
    }
    Ok(Listed {
        rows: found,
        ids: Vec::new(),
        names: std::collections::BTreeMap::new(),
        notes: Vec::new(),
        parts: Vec::new(),
        account,
    })
}

/// Pairs the rows of a differing range: first those of the same kind and name, then those of the
/// same kind and place.
fn hunk<M: Domain>(
    then: &M,
    now: &M,
    gone: &[Written],
    come: &[Written],
    found: &mut Vec<RowChange>,
) {
    let mut partner: Vec<Option<usize>> = vec![None; gone.len()];
    let mut taken = vec![false; come.len()];
    let old: Vec<_> = gone.iter().map(|row| show(then, row.id)).collect();
    let new: Vec<_> = come.iter().map(|row| show(now, row.id)).collect();
    for exact in [true, false] {
        let mut by_key: FxHashMap<(String, String), Vec<usize>> = FxHashMap::default();
        let key = |shown: &Shown| {
            let name = if exact {
                Some(&shown.name)
            } else {
                shown.place.as_ref()
            };
            name.map(|name| (shown.kind.to_string(), name.clone()))
        };
        for (ix, shown) in new.iter().enumerate().rev() {
            if let (Some(key), Some(false)) = (shown.as_ref().and_then(key), taken.get(ix)) {
                by_key.entry(key).or_default().push(ix);
            }
        }
        for (ix, shown) in old.iter().enumerate() {
            let (Some(key), Some(None)) = (shown.as_ref().and_then(key), partner.get(ix)) else {
                continue;
            };
            let found = by_key.get_mut(&key).and_then(Vec::pop);
            if let (Some(other), Some(slot)) = (found, partner.get_mut(ix)) {
                *slot = Some(other);
                if let Some(taken) = taken.get_mut(other) {
                    *taken = true;
                }
            }
        }
    }
    for (ix, shown) in old.into_iter().enumerate() {
        let Some(shown) = shown else { continue };
        match partner
            .get(ix)
            .copied()
            .flatten()
            .and_then(|at| new.get(at)?.as_ref())
        {
            Some(other) => {
                found.extend(changed(now, shown, other.clone(), None, (&[], &[])));
            }
            None => {
                let id = gone.get(ix).map_or(0, |row| row.id);
                let line = show_line(then, id).unwrap_or_else(|| shown.title());
                found.push(RowChange::Removed(shown, line));
            }
        }
    }
    for (ix, shown) in new.into_iter().enumerate() {
        if taken.get(ix) == Some(&false)
            && let Some(shown) = shown
        {
            let id = come.get(ix).map_or(0, |row| row.id);
            let line = show_line(now, id).unwrap_or_else(|| shown.title());
            found.push(RowChange::Added(shown, line));
        }
    }
}
