//! The rows of one state in little memory, until those of another are known: only the fields that differ are kept then.

use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash, Hasher};

use super::moves::Rows;
use crate::account::{Field, Shown};
use crate::domain::Domain;
use crate::model::Row;
use crate::queries::show;

/// Rows of one state, with hashes for their fields. The hashes have a random key: no text can be made to look like
/// another.
pub(super) struct Outlines {
    rows: Vec<Outline>,
    values: Vec<u64>,
    key: RandomState,
}

struct Outline {
    id: u32,
    /// The hash of the names of its fields.
    names: u64,
    /// The index of its first value.
    first: usize,
    /// The fields that are the same in the other state, by their indices.
    same: u64,
}

impl Outlines {
    /// The present state of some rows.
    pub fn of<M: Domain>(model: &M, rows: &BTreeMap<u32, Row>) -> Self {
        let mut own = Self {
            rows: Vec::with_capacity(rows.len()),
            values: Vec::new(),
            key: RandomState::new(),
        };
        for id in rows.keys() {
            let Some(shown) = show(model, *id) else {
                continue;
            };
            own.rows.push(Outline {
                id: *id,
                names: own.names(&shown),
                first: own.values.len(),
                same: 0,
            });
            let Self { values, key, .. } = &mut own;
            values.extend(shown.fields.iter().map(|field| value(key, field)));
        }
        own
    }

    /// Whether this state has a row.
    pub fn has(&self, id: u32) -> bool {
        self.at(id).is_some()
    }

    /// The rows of the other state, which is the present one now, without the fields that are the same in both. Rows
    /// for which `whole` holds keep all.
    pub fn other<M: Domain>(
        &mut self,
        model: &M,
        rows: &BTreeMap<u32, Row>,
        whole: impl Fn(u32) -> bool,
    ) -> Rows {
        let mut all = Vec::with_capacity(rows.len());
        for id in rows.keys() {
            let Some(mut shown) = show(model, *id) else {
                continue;
            };
            if !whole(*id) {
                self.compare(*id, &mut shown);
            }
            all.push((*id, shown));
        }
        all
    }

    /// The rows of this state, which is the present one again, without the fields that are the same in both.
    pub fn own<M: Domain>(&self, model: &M) -> Rows {
        let mut all = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let Some(mut shown) = show(model, row.id) else {
                continue;
            };
            keep_others(&mut shown.fields, row.same);
            all.push((row.id, shown));
        }
        all
    }

    /// Drops the fields of another state of a row that are the same in this one, if both have fields of the same names.
    fn compare(&mut self, id: u32, other: &mut Shown) {
        let names = self.names(other);
        let Some(own) = self.at(id).and_then(|at| self.rows.get_mut(at)) else {
            return;
        };
        if own.names != names || other.fields.len() > u64::BITS as usize {
            return;
        }
        let values = self.values.get(own.first..).unwrap_or_default();
        for (ix, (field, hash)) in other.fields.iter().zip(values).enumerate() {
            own.same |= u64::from(value(&self.key, field) == *hash) << ix;
        }
        keep_others(&mut other.fields, own.same);
    }

    fn at(&self, id: u32) -> Option<usize> {
        self.rows.binary_search_by_key(&id, |row| row.id).ok()
    }

    fn names(&self, row: &Shown) -> u64 {
        let mut hasher = self.key.build_hasher();
        for field in &row.fields {
            (&field.name, field.target.is_some()).hash(&mut hasher);
        }
        hasher.finish()
    }
}

/// A number or a hash for a field's value: equal for values that are [the same](Field::is_same).
fn value(key: &RandomState, field: &Field) -> u64 {
    match (field.target, field.number) {
        (Some(target), _) => target.into(),
        (None, Some(number)) => number.cast_unsigned(),
        (None, None) => key.hash_one(&field.text),
    }
}

/// Drops the fields whose bits are set, and gives back their memory.
fn keep_others(fields: &mut Vec<Field>, same: u64) {
    let mut ix = 0;
    fields.retain(|_| {
        let keep = same.checked_shr(ix).unwrap_or(0) & 1 == 0;
        ix += 1;
        keep
    });
    fields.shrink_to_fit();
}
