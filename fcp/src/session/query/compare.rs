//! Comparison of two documents without a common log, by their written form.

use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::{FxHashMap, FxHashSet};

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
    let mut found = aligned((then, &old), (now, &new), Alignment::Place);
    for alignment in [Alignment::Bytes, Alignment::Order] {
        if is_simple(&found) {
            break;
        }
        work::spend(STEPS_A_ROW * (old.len() + new.len()))?;
        let other = aligned((then, &old), (now, &new), alignment);
        if cost(&other) < cost(&found) {
            found = other;
        }
    }
    Ok(Listed {
        rows: found,
        ids: Vec::new(),
        others: Vec::new(),
        names: std::collections::BTreeMap::new(),
        notes: Vec::new(),
        parts: Vec::new(),
        account,
    })
}

/// A row of one of two documents, which refers to others by their names: ids are those of one document.
fn named<M: Domain>(model: &M, id: u32) -> Option<Shown> {
    let mut shown = show(model, id)?;
    for field in &mut shown.fields {
        field.target = None;
    }
    Some(shown)
}

/// The rows that are taken for the same in both documents.
#[derive(Clone, Copy)]
enum Alignment {
    /// Those with equal bytes at the same place: best if rows changed where they are.
    Place,
    /// Those with equal bytes: best if rows moved.
    Bytes,
    /// The first of a kind with the first of it, and so on, if the names of the kind repeat: best if rows moved and
    /// changed, and none came or went.
    Order,
}

/// Whether each row that differs differs in one field: no alignment gives fewer differences.
fn is_simple(rows: &[RowChange]) -> bool {
    rows.iter().all(|row| match row {
        RowChange::Added(..) | RowChange::Removed(..) => false,
        RowChange::Changed(_, fields) => fields.len() == 1,
        RowChange::Rewritten(..) => true,
    })
}

/// The length of differences in a reply, in no unit: equal changes are one line, and a row without a partner is all
/// its own.
fn cost(rows: &[RowChange]) -> usize {
    let mut seen = FxHashSet::default();
    let each = rows.iter().map(|row| match row {
        RowChange::Added(..) | RowChange::Removed(..) => 4,
        RowChange::Changed(row, fields) => {
            let change = fields.iter().map(|field| match &field.step {
                Some(step) => (field.name.as_ref(), Some(step), None),
                None => (field.name.as_ref(), None, Some((&field.then, &field.now))),
            });
            let new = seen.insert((row.kind.as_ref(), change.collect::<Vec<_>>()));
            1 + if new { 2 * fields.len() } else { 0 }
        }
        RowChange::Rewritten(..) => 1,
    });
    each.sum()
}

/// The differences by an alignment of rows.
fn aligned<M: Domain>(
    (then, old): (&M, &[Written]),
    (now, new): (&M, &[Written]),
    alignment: Alignment,
) -> Vec<RowChange> {
    let by_place = match alignment {
        Alignment::Place => true,
        Alignment::Bytes => false,
        Alignment::Order => return hunk((then, old), (now, new), &[[Key::Kind; 3]]),
    };
    let place = |model: &M, row: &Written| {
        let shown = by_place.then(|| show(model, row.id)).flatten();
        shown.and_then(|shown| shown.place)
    };
    let places: Vec<Option<String>> = old.iter().map(|row| place(then, row)).collect();
    let mut input = InternedInput::default();
    let rows = old.iter().zip(&places);
    input.update_before(rows.map(|(row, place)| (row.bytes.clone(), place.clone())));
    input.update_after(new.iter().map(|row| (row.bytes.clone(), place(now, row))));
    let mut found: Vec<RowChange> = Vec::new();
    let part = |rows: std::ops::Range<u32>| rows.start as usize..rows.end as usize;
    // Rows with equal bytes may be at another place, or in another track. The content of one
    // without a place may depend on others: the end of a track.
    let moved = |from: std::ops::Range<usize>, to: usize, found: &mut Vec<RowChange>| {
        for (ix, is) in from.zip(new.iter().skip(to)) {
            let (Some(was), Some(None)) = (old.get(ix), places.get(ix)) else {
                continue;
            };
            let (Some(before), Some(after)) = (named(then, was.id), named(now, is.id)) else {
                continue;
            };
            let is_moved = before.place != after.place || before.name != after.name;
            let may_differ = after.place.is_none() && before.fields != after.fields;
            if !is_moved && !may_differ {
                continue;
            }
            match changed(now, before.clone(), after.clone(), None, (&[], &[])) {
                Some(change) => found.push(change),
                None => found.extend([removed(then, was.id, before), added(now, is.id, after)]),
            }
        }
    };
    let (mut from, mut to) = (0, 0);
    for stretch in Diff::compute(Algorithm::Myers, &input).hunks() {
        let (before, after) = (part(stretch.before), part(stretch.after));
        moved(from..before.start, to, &mut found);
        (from, to) = (before.end, after.end);
        let gone = old.get(before).unwrap_or_default();
        let come = new.get(after).unwrap_or_default();
        found.extend(hunk((then, gone), (now, come), &KEYS));
    }
    moved(from..old.len(), to, &mut found);
    found
}

/// The keys by which the rows of a differing range are paired: named ones keep their name, others their place.
const KEYS: [[Key; 3]; 2] = [
    [Key::NameAndPlace, Key::Name, Key::Place],
    [Key::NameAndPlace, Key::Place, Key::Name],
];

/// The differences within a range, by those of `keys` that give the fewest.
fn hunk<M: Domain>(
    (then, gone): (&M, &[Written]),
    (now, come): (&M, &[Written]),
    keys: &[[Key; 3]],
) -> Vec<RowChange> {
    let shown = |model: &M, rows: &[Written]| -> Vec<Option<Shown>> {
        rows.iter().map(|row| named(model, row.id)).collect()
    };
    let (old, new) = (shown(then, gone), shown(now, come));
    let repeating: FxHashSet<String> = [&old, &new]
        .into_iter()
        .flat_map(|rows| repeating(rows))
        .collect();
    let mut best: Option<Vec<RowChange>> = None;
    for keys in keys {
        if best.as_deref().is_some_and(is_simple) {
            break;
        }
        let mut free = vec![true; new.len()];
        let mut found = Vec::new();
        for ((was, row), other) in old
            .iter()
            .zip(gone)
            .zip(partners(&old, &new, *keys, &repeating))
        {
            let Some(was) = was else { continue };
            let other = other.and_then(|at| {
                *free.get_mut(at)? = false;
                new.get(at)?.as_ref()
            });
            match other {
                Some(is) => found.extend(changed(now, was.clone(), is.clone(), None, (&[], &[]))),
                None => found.push(removed(then, row.id, was.clone())),
            }
        }
        for ((is, row), free) in new.iter().zip(come).zip(free) {
            if let (Some(is), true) = (is, free) {
                found.push(added(now, row.id, is.clone()));
            }
        }
        if best.as_ref().is_none_or(|best| cost(&found) < cost(best)) {
            best = Some(found);
        }
    }
    best.unwrap_or_default()
}

/// The kinds of which two rows have one name.
fn repeating(rows: &[Option<Shown>]) -> FxHashSet<String> {
    let mut names: FxHashSet<(&str, &str)> = FxHashSet::default();
    let shown = rows.iter().flatten();
    let again = shown.filter(|row| !names.insert((&row.kind, &row.name)));
    again.map(|row| row.kind.to_string()).collect()
}

/// The properties that two rows of one kind share, if they are taken for the same row.
#[derive(Clone, Copy)]
enum Key {
    NameAndPlace,
    Name,
    Place,
    /// The kind alone, for kinds whose names repeat.
    Kind,
}

impl Key {
    fn of<'r>(
        self,
        row: &'r Shown,
        repeating: &FxHashSet<String>,
    ) -> Option<(&'r str, &'r str, &'r str)> {
        let place = row.place.as_deref();
        Some(match self {
            Self::NameAndPlace => (&row.kind, &row.name, place?),
            Self::Name => (&row.kind, &row.name, ""),
            Self::Place => (&row.kind, "", place?),
            Self::Kind if repeating.contains(&*row.kind) => (&row.kind, "", ""),
            Self::Kind => (&row.kind, &row.name, ""),
        })
    }
}

/// The index in `new` of the partner of each row of `old`, by the first key that finds one. Of several rows with one
/// key, the first takes the first.
fn partners(
    old: &[Option<Shown>],
    new: &[Option<Shown>],
    keys: [Key; 3],
    repeating: &FxHashSet<String>,
) -> Vec<Option<usize>> {
    let mut partner: Vec<Option<usize>> = vec![None; old.len()];
    let mut free = vec![true; new.len()];
    for key in keys {
        let mut by_key: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (ix, (row, free)) in new.iter().zip(&free).enumerate().rev() {
            if let (Some(key), true) = (row.as_ref().and_then(|row| key.of(row, repeating)), free) {
                by_key.entry(key).or_default().push(ix);
            }
        }
        for (row, slot) in old.iter().zip(&mut partner) {
            let (Some(key), None) = (row.as_ref().and_then(|row| key.of(row, repeating)), &slot)
            else {
                continue;
            };
            *slot = by_key.get_mut(&key).and_then(Vec::pop);
            if let Some(free) = slot.and_then(|at| free.get_mut(at)) {
                *free = false;
            }
        }
    }
    partner
}

fn removed<M: Domain>(model: &M, id: u32, shown: Shown) -> RowChange {
    let line = show_line(model, id, &|_| true).unwrap_or_else(|| shown.title());
    RowChange::Removed(shown, line)
}

fn added<M: Domain>(model: &M, id: u32, shown: Shown) -> RowChange {
    let line = show_line(model, id, &|_| true).unwrap_or_else(|| shown.title());
    RowChange::Added(shown, line)
}
