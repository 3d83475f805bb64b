//! The content hash: equal for equal contents, kept up to date by the change.
//!
//! A row's hash is of its fields, without ids. The hashes of rows that belong to the same row are summed, so that a
//! change costs its own row; a row with children is mixed with their sums and its place among its siblings when the
//! hash is asked for.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::any::AnyTable;
use super::entity::Entity;
use super::{Model, ModelExt, Part};

/// The hash of a row's content. A row that has none, its fields all spelling or view, is what others make it and adds
/// nothing.
pub fn hash_of<T: Entity>(row: &T) -> u64 {
    let mut content = Content::default();
    row.content(&mut content);
    if content.any {
        spread(content.hasher.finish())
    } else {
        0
    }
}

/// A hasher that knows whether anything was put in.
#[derive(Default)]
struct Content {
    hasher: FxHasher,
    any: bool,
}

macro_rules! passed_on {
    ($($write:ident: $kind:ty),*) => {$(
        fn $write(&mut self, value: $kind) {
            self.any = true;
            self.hasher.$write(value);
        }
    )*};
}

impl Hasher for Content {
    fn finish(&self) -> u64 {
        self.hasher.finish()
    }

    passed_on! { write: &[u8], write_u8: u8, write_u16: u16, write_u32: u32, write_u64: u64, write_u128: u128, write_usize: usize }
}

/// Makes sums of hashes as good as hashes: the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
pub(crate) const fn spread(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

const fn mix(a: u64, b: u64) -> u64 {
    spread(a.rotate_left(23) ^ spread(b))
}

/// The hash of a model's whole content.
pub fn content_hash<M: Model>(model: &M) -> u64 {
    let mut total = 0;
    for (ix, shape) in M::SHAPE.parts.iter().enumerate() {
        if shape.view {
            continue;
        }
        total = mix(total, ix as u64);
        match model.part(ix) {
            Some(Part::Value(hash)) => total = mix(total, hash),
            Some(Part::Rows(rows)) if rows.shape().parent.is_none() => {
                total = mix(total, Kin::of(model, ix).map_or(0, |kin| kin.hash(None)));
            }
            _ => {}
        }
    }
    total
}

/// A table and those whose rows belong to its rows.
struct Kin<'m> {
    rows: &'m dyn AnyTable,
    children: Vec<Self>,
}

impl<'m> Kin<'m> {
    fn of<M: Model>(model: &'m M, part: usize) -> Option<Self> {
        let rows = model.rows(part)?;
        let kind = rows.shape().kind;
        let parts = M::SHAPE.parts.iter().enumerate();
        let children = parts
            .filter(|(_, shape)| !shape.view)
            .filter(|(_, shape)| {
                shape
                    .shape
                    .is_some_and(|entity| entity.parent == Some(kind))
            })
            // A table whose rows belong to each other is no family of its own.
            .filter(|(ix, _)| *ix != part)
            .filter_map(|(ix, _)| Self::of(model, ix));
        Some(Self {
            rows,
            children: children.collect(),
        })
    }

    /// The hash of the rows that belong to `parent`, with everything that belongs to them.
    fn hash(&self, parent: Option<u32>) -> u64 {
        if self.children.is_empty() {
            return self.rows.sum(parent.unwrap_or(0));
        }
        let mut total = 0_u64;
        let own = self
            .rows
            .ids()
            .filter(|id| parent.is_none() || self.rows.parent(*id) == parent);
        for (place, id) in own.enumerate() {
            let mut hash = mix(place as u64, self.rows.row_hash(id));
            for child in &self.children {
                hash = mix(hash, child.hash(Some(id)));
            }
            total = mix(total, hash);
        }
        total
    }
}
