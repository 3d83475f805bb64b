//! The content hash: equal for equal contents, updated by each change.
//!
//! A row's hash covers its fields, without ids. The hashes of rows that belong to the same row are
//! summed, so that a change costs only its own row; a row with children is mixed with their sums
//! and its place among its siblings when the hash is requested. Rows that refer to others are also
//! summed by the rows they refer to, and these sums are mixed with the content of those rows: this
//! costs by the number of different combinations.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::entity::Entity;
use super::{AnyTable, Model, ModelExt, Part, Row};

/// The hash of a row's content. A row without content, whose fields are all spelling or view, is
/// determined by others and adds nothing.
pub fn hash_of<T: Entity>(row: &T) -> u64 {
    let mut content = Content::default();
    row.content(&mut content);
    if content.any {
        spread(content.hasher.finish())
    } else {
        0
    }
}

/// A hasher that records whether it was fed anything.
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

/// The number of bytes in the texts and lists of a row's content; other values that it feeds to a
/// hash are in the row itself.
pub(super) fn heap_of<T: Entity>(row: &T) -> usize {
    // A type without a destructor owns no memory.
    if !std::mem::needs_drop::<T>() {
        return 0;
    }
    let mut heap = Heap(0);
    row.content(&mut heap);
    heap.0
}

/// A hasher that only counts the bytes of texts and lists.
#[derive(Default)]
pub(super) struct Heap(pub(super) usize);

impl Hasher for Heap {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = self.0.saturating_add(bytes.len());
    }

    fn write_u8(&mut self, _: u8) {}
    fn write_u16(&mut self, _: u16) {}
    fn write_u32(&mut self, _: u32) {}
    fn write_u64(&mut self, _: u64) {}
    fn write_u128(&mut self, _: u128) {}
    fn write_usize(&mut self, _: usize) {}
}

/// Makes a sum of hashes as good as a hash: the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
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
    let mut families = Families {
        model,
        by_parent: FxHashMap::default(),
    };
    let mut total = 0;
    for (ix, shape) in M::SHAPE.parts.iter().enumerate() {
        if shape.view {
            continue;
        }
        total = mix(total, ix as u64);
        match model.part(ix) {
            Some(Part::Value(hash)) => total = mix(total, hash),
            Some(Part::Rows(rows)) => {
                if let Some(content) = rows.content() {
                    total = mix(total, content);
                    continue;
                }
                // Rows that belong to others are reached through those; these belong to none.
                total = mix(total, families.of(ix, rows.shape().kind, 0));
                total = mix(total, ties(model, rows));
            }
            None => {}
        }
    }
    total
}

/// The tables whose rows belong to rows of a kind, with their own kinds.
fn children<M: Model>(kind: &str) -> impl Iterator<Item = (usize, &'static str)> {
    let parts = M::SHAPE.parts.iter().enumerate();
    parts
        .filter(|(_, shape)| !shape.view)
        .filter_map(move |(ix, shape)| {
            let entity = shape.shape.filter(|entity| entity.parent == Some(kind))?;
            Some((ix, entity.kind))
        })
}

/// The rows of tables that have children, by their own parent; 0 for none.
struct Families<'m, M> {
    model: &'m M,
    by_parent: FxHashMap<usize, FxHashMap<u32, Vec<u32>>>,
}

impl<M: Model> Families<'_, M> {
    /// The hash of the rows of one table that belong to `parent`, with all their descendants.
    fn of(&mut self, part: usize, kind: &str, parent: u32) -> u64 {
        let Some(rows) = self.model.rows(part) else {
            return 0;
        };
        // The child tables; with the rows themselves if they have no children: most do not, and
        // there are many lookups.
        let model = self.model;
        let children: Vec<(usize, &'static str, Option<&dyn AnyTable>)> = children::<M>(kind)
            .map(|(ix, kind)| {
                let leaf = children::<M>(kind).next().is_none();
                (ix, kind, model.rows(ix).filter(|_| leaf))
            })
            .collect();
        if children.is_empty() {
            return rows.sum(parent);
        }
        let by_parent = self.by_parent.entry(part).or_insert_with(|| {
            let mut by_parent: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
            for id in rows.ids() {
                let parent = rows.parent(id).unwrap_or(0);
                by_parent.entry(parent).or_default().push(id);
            }
            by_parent
        });
        // Each row is visited once, so its siblings may be taken out; this also ends a cycle.
        let own = by_parent.remove(&parent).unwrap_or_default();
        let mut total = 0_u64;
        for (place, id) in own.into_iter().enumerate() {
            let mut hash = mix(place as u64, rows.row_hash(id));
            for (child, kind, leaf) in &children {
                let family = leaf.map_or_else(|| self.of(*child, kind, id), |rows| rows.sum(id));
                hash = mix(hash, family);
            }
            total = mix(total, hash);
        }
        total
    }
}

/// The hash of the references of a table's rows. A target is identified by its own content, since
/// ids are not content.
fn ties<M: Model>(model: &M, rows: &dyn AnyTable) -> u64 {
    let fields = rows.shape().tied();
    let targets: Vec<Option<usize>> = fields.map(|(_, kind)| M::part_of(kind)).collect();
    let mut total = 0_u64;
    for (ids, sum) in rows.ties() {
        let mut hash = sum;
        for (id, part) in ids.iter().zip(&targets) {
            let token = match part {
                Some(part) if *id != 0 => token(model, *part, *id, 8),
                _ => 0,
            };
            hash = mix(hash, token);
        }
        total = total.wrapping_add(spread(hash));
    }
    total
}

/// Identifies a row by its content and that of the rows it belongs to.
fn token<M: Model>(model: &M, part: usize, id: u32, depth: usize) -> u64 {
    let row = Row::new(part, id);
    let own = model.rows(part).map_or(0, |rows| rows.row_hash(id));
    match model.parent_of(row).filter(|_| depth > 0) {
        Some(parent) => mix(own, token(model, parent.part(), parent.id(), depth - 1)),
        None => own,
    }
}
