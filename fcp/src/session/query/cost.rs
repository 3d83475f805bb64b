//! The length of differences in a reply, by which alignments are compared.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};

use crate::account::{RowChange, Shown};

/// The cost of a row without a partner.
const LONE: usize = 4;

/// The cost of each field of a change that no other row has: it is a line of its own.
const NEW: usize = 8;

/// The approximate [`cost`] of the differences of pairs.
pub(super) fn cost_of(
    gone: &[Option<Shown>],
    come: &[Option<Shown>],
    pairs: &[Option<usize>],
) -> usize {
    let mut seen = FxHashSet::default();
    let mut sum = LONE * come.len();
    for (was, other) in gone.iter().zip(pairs) {
        let other = other.and_then(|at| come.get(at)?.as_ref());
        let (Some(was), Some(is)) = (was, other) else {
            sum += LONE;
            continue;
        };
        sum -= LONE;
        let mut hasher = FxHasher::default();
        was.kind.hash(&mut hasher);
        let mut count = 0;
        for (then, now) in was.fields.iter().zip(&is.fields) {
            if then.text != now.text {
                count += 1;
                then.name.hash(&mut hasher);
                match (then.number, now.number) {
                    (Some(then), Some(now)) => now.wrapping_sub(then).hash(&mut hasher),
                    _ => (&then.text, &now.text).hash(&mut hasher),
                }
            }
        }
        if count > 0 {
            sum += 1;
            if seen.insert(hasher.finish()) {
                sum += NEW * count;
            }
        }
    }
    sum
}

/// Whether each row that differs differs in one field: no alignment gives fewer differences.
pub(super) fn is_simple<'c>(mut rows: impl Iterator<Item = &'c RowChange>) -> bool {
    rows.all(|row| match row {
        RowChange::Added(..) | RowChange::Removed(..) => false,
        RowChange::Changed(_, fields) => fields.len() == 1,
        RowChange::Rewritten(..) => true,
    })
}

/// The length of differences in a reply, in no unit: equal changes are one line, and a row without a partner is all
/// its own.
pub(super) fn cost<'c>(rows: impl Iterator<Item = &'c RowChange>) -> usize {
    let mut seen = FxHashSet::default();
    let each = rows.map(|row| match row {
        RowChange::Added(..) | RowChange::Removed(..) => LONE,
        RowChange::Changed(row, fields) => {
            let change = fields.iter().map(|field| match &field.step {
                Some(step) => (field.name.as_ref(), Some(step), None),
                None => (field.name.as_ref(), None, Some((&field.then, &field.now))),
            });
            let new = seen.insert((row.kind.as_ref(), change.collect::<Vec<_>>()));
            1 + if new { NEW * fields.len() } else { 0 }
        }
        RowChange::Rewritten(..) => 1,
    });
    each.sum()
}
