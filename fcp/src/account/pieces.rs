//! A file as the pieces that it is written in.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::diag::Result;
use crate::model::{Id, Model, ModelShape};

use super::section::{Section, Unchanged};
use super::spans::Spans;

/// The owner of the bytes in a piece of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// A row, by the number of its id.
    Row(u32),
    /// A part of the model that holds one value, by its index in [`ModelShape::parts`].
    Part(usize),
    /// The two pieces around it: a delta time, a separator.
    Neighbours,
    /// All other pieces: a length, a count, a whole file that is not written row by row.
    Rest,
}

/// Codes of other owners, above the ids of rows.
const NEIGHBOURS: u32 = u32::MAX;
const REST: u32 = u32::MAX - 1;
const FIRST_PART: u32 = u32::MAX - 1024;

impl Owner {
    pub(super) fn code(self) -> u32 {
        match self {
            Self::Row(id) => id,
            Self::Part(ix) => FIRST_PART.saturating_add(u32::try_from(ix).unwrap_or(0)),
            Self::Neighbours => NEIGHBOURS,
            Self::Rest => REST,
        }
    }

    fn of(code: u32) -> Self {
        match code {
            NEIGHBOURS => Self::Neighbours,
            REST => Self::Rest,
            FIRST_PART.. => Self::Part((code - FIRST_PART) as usize),
            id => Self::Row(id),
        }
    }
}

/// A file while it is written: its bytes, and the row that each of them belongs to.
///
/// A domain's [`write`](crate::domain::Domain::write) adds one piece after the other, in the order
/// of the file. A save and the query `diff` compare the pieces with those of the opened file: a
/// piece of a row may differ only if an op changed that row.
///
/// ```
/// use fcp::account::Pieces;
/// use fcp::model::Id;
///
/// # struct Task;
/// # #[derive(fcp::FcpModel)]
/// # #[fcp(domain = "none", title = "Nothing")]
/// # struct List { title: fcp::model::Slot<String> }
/// let mut out = Pieces::of::<List>();
/// out.row(Id::<Task>::new(1), "- paint");
/// out.neighbours("\n");
/// out.row(Id::<Task>::new(2), "- clean");
/// assert_eq!(out.into_file(), b"- paint\n- clean");
/// ```
#[derive(Clone, Debug)]
pub struct Pieces {
    shape: &'static ModelShape,
    content: Vec<u8>,
    spans: Spans,
    packed: Option<Vec<u8>>,
    pub(super) sections: Vec<Section>,
    /// The ids of the rows that were written since the last section began.
    ids: Range<u32>,
    /// Sections that need not be written again.
    unchanged: Option<Unchanged>,
}

/// An owner's code and a number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) code: u32,
    pub(super) len: u32,
}

impl Span {
    pub(super) fn owner(self) -> Owner {
        Owner::of(self.code)
    }

    /// Whether its owner is [`Owner::Neighbours`].
    pub(super) const fn is_joint(self) -> bool {
        self.code == NEIGHBOURS
    }

    /// Whether its owner is [`Owner::Rest`].
    pub(super) const fn is_rest(self) -> bool {
        self.code == REST
    }
}

impl Pieces {
    /// An empty file of a domain.
    #[must_use]
    pub fn of<M: Model>() -> Self {
        Self::new(M::SHAPE)
    }

    fn new(shape: &'static ModelShape) -> Self {
        Self {
            shape,
            content: Vec::new(),
            spans: Spans::default(),
            packed: None,
            sections: Vec::new(),
            ids: 0..0,
            unchanged: None,
        }
    }

    /// An empty file of the same domain, to [append](Self::append) when its length is known.
    #[must_use]
    pub fn inner(&self) -> Self {
        Self::new(self.shape)
    }

    /// An empty file of the same domain, with room for about as much as this one holds.
    #[must_use]
    pub(crate) fn empty_alike(&self) -> Self {
        let mut alike = self.inner();
        // Most edits add little.
        alike
            .content
            .reserve(self.content.len() + self.content.len() / 64);
        alike.spans.reserve(self.spans.bytes() / 2);
        alike
    }

    /// Adds one piece with bytes of a row. The beginning and the end of a row that contains others
    /// are two pieces.
    pub fn row<T>(&mut self, row: Id<T>, bytes: impl AsRef<[u8]>) {
        self.add(row.number(), bytes.as_ref());
    }

    /// Adds one piece with bytes of a row that a function appends. It may only append.
    pub fn row_by<T>(&mut self, row: Id<T>, append: impl FnOnce(&mut Vec<u8>)) {
        let from = self.content.len();
        append(&mut self.content);
        self.mark(row.number(), self.content.len().saturating_sub(from));
    }

    /// Adds one piece with bytes of a row, after bytes that depend only on it and the piece before. A function appends
    /// both, and returns how many are of the first kind. It may only append.
    pub fn joined<T>(&mut self, row: Id<T>, append: impl FnOnce(&mut Vec<u8>) -> usize) {
        let from = self.content.len();
        let before = append(&mut self.content);
        let all = self.content.len().saturating_sub(from);
        let (before, own) = (before.min(all), all.saturating_sub(before));
        let code = row.number();
        if let (Ok(joint @ 1..), Ok(len @ 1..)) = (u32::try_from(before), u32::try_from(own)) {
            self.count(&(code..code + 1));
            let joint = Span {
                code: NEIGHBOURS,
                len: joint,
            };
            self.spans.push_joined(joint, Span { code, len });
        } else {
            self.mark(NEIGHBOURS, before);
            self.mark(code, own);
        }
    }

    /// Adds bytes of the part of the model in a field, a `Slot`. If there is no field of this name,
    /// they count as [`Owner::Rest`].
    pub fn part(&mut self, field: &str, bytes: impl AsRef<[u8]>) {
        let ix = self.shape.parts.iter().position(|part| part.name == field);
        let owner = ix.map_or(Owner::Rest, Owner::Part);
        self.add(owner.code(), bytes.as_ref());
    }

    /// Adds bytes that depend only on the pieces before and after them: a delta time, a separator.
    pub fn neighbours(&mut self, bytes: impl AsRef<[u8]>) {
        self.add(NEIGHBOURS, bytes.as_ref());
    }

    /// Adds bytes that depend on all others: a length, a count. A format that is not written row by
    /// row is one such piece.
    pub fn rest(&mut self, bytes: impl AsRef<[u8]>) {
        self.add(REST, bytes.as_ref());
    }

    /// Adds a piece of an owner by its code.
    pub(super) fn add_span(&mut self, code: u32, bytes: &[u8]) {
        self.add(code, bytes);
    }

    /// The ids of the rows whose content sections hold.
    pub(crate) fn section_rows(&self) -> impl Iterator<Item = u32> {
        self.sections.iter().filter_map(|section| section.of)
    }

    /// The ids of the rows of sections.
    pub(crate) fn section_keys(&self) -> impl Iterator<Item = u32> {
        self.sections.iter().map(|section| section.key)
    }

    fn add(&mut self, code: u32, bytes: &[u8]) {
        self.content.extend_from_slice(bytes);
        self.mark(code, bytes.len());
    }

    /// Assigns the last bytes to an owner.
    fn mark(&mut self, code: u32, mut len: usize) {
        if code < FIRST_PART {
            self.count(&(code..code + 1));
        }
        // A piece larger than any file that can be opened is split, so that the lengths stay true.
        while u32::try_from(len).is_err() {
            let most = u32::MAX;
            self.spans.push(Span { code, len: most });
            len -= most as usize;
        }
        let len = u32::try_from(len).unwrap_or_default();
        if len == 0 {
            return;
        }
        // Bytes that depend on neighbours are one piece between two of them. Pieces of one row stay
        // separate: another row may come between them.
        self.spans.push(Span { code, len });
    }

    #[inline]
    fn count(&mut self, ids: &Range<u32>) {
        if self.ids.is_empty() {
            self.ids = ids.clone();
        } else if !ids.is_empty() {
            self.ids = self.ids.start.min(ids.start)..self.ids.end.max(ids.end);
        }
    }

    /// Adds all pieces of another file.
    pub fn append(&mut self, other: &Self) {
        self.content.extend_from_slice(&other.content);
        self.spans.append(&other.spans);
        self.count(&other.ids);
    }

    /// Adds a section: pieces that depend only on a row and on the rows inside it, by their
    /// [parents](crate::model::Entity). `write` is not called if none of them has changed since the file was opened; the
    /// bytes are then those of the opened file.
    pub fn section<T>(&mut self, row: Id<T>, write: impl FnOnce(&mut Self)) {
        self.section_of(row, None::<Id<T>>, write);
    }

    /// Adds a [section](Self::section) that holds the content of another row, if `of` names one: where that moves to
    /// the section of another row, the whole section has moved.
    pub fn section_of<T, U>(
        &mut self,
        row: Id<T>,
        of: Option<Id<U>>,
        write: impl FnOnce(&mut Self),
    ) {
        let key = row.number();
        let (start, from) = (self.content.len(), self.spans.place());
        self.ids = 0..0;
        let base = self.unchanged.as_ref().and_then(|unchanged| {
            let section = unchanged.section(key)?.clone();
            Some((Arc::clone(&unchanged.base), section))
        });
        let copied = base.is_some();
        match base {
            Some((base, section)) => {
                let bytes = base.content.get(section.content).unwrap_or_default();
                self.content.extend_from_slice(bytes);
                self.spans.append_between(&base.spans, section.spans);
                self.ids = section.ids;
            }
            None => write(self),
        }
        self.sections.push(Section {
            key,
            of: of.map(Id::number),
            content: start..self.content.len(),
            spans: [from, self.spans.place()],
            ids: self.ids.clone(),
            copied,
        });
    }

    /// The bytes of each section, in order.
    pub(crate) fn section_ranges(&self) -> impl Iterator<Item = &Range<usize>> {
        self.sections.iter().map(|section| &section.content)
    }

    pub(crate) const fn has_sections(&self) -> bool {
        !self.sections.is_empty()
    }

    /// The length of a [section](Self::section) that need not be written, in bytes.
    #[must_use]
    pub fn unchanged<T>(&self, row: Id<T>) -> Option<usize> {
        let section = self.unchanged.as_ref()?.section(row.number())?;
        Some(section.content.len())
    }

    /// Takes sections from an earlier state from now on.
    pub(crate) fn set_unchanged(&mut self, unchanged: Unchanged) {
        self.unchanged = Some(unchanged);
    }

    /// Whether sections were copied from this very state.
    pub(super) fn is_copied_from(&self, other: &Self) -> bool {
        let unchanged = self.unchanged.as_ref();
        unchanged.is_some_and(|unchanged| std::ptr::eq(&*unchanged.base, other))
    }

    /// Makes room for `bytes` more bytes in `pieces` more pieces.
    pub fn reserve(&mut self, bytes: usize, pieces: usize) {
        self.content.reserve(bytes);
        self.spans.reserve(pieces);
    }

    /// The number of bytes added, before packing.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.content.len()
    }

    /// Whether no bytes were added.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.content.is_empty()
    }

    /// Packs the added bytes: the file is the result of `pack`. The account covers the bytes
    /// inside.
    ///
    /// # Errors
    /// Those of `pack`.
    pub fn pack(&mut self, pack: impl FnOnce(&[u8]) -> Result<Vec<u8>>) -> Result<()> {
        self.packed = Some(pack(&self.content)?);
        Ok(())
    }

    /// The added bytes, before packing.
    #[must_use]
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    /// The bytes of the file.
    #[must_use]
    pub fn file(&self) -> &[u8] {
        self.packed.as_deref().unwrap_or(&self.content)
    }

    /// The bytes of the file.
    #[must_use]
    pub fn into_file(self) -> Vec<u8> {
        self.packed.unwrap_or(self.content)
    }

    /// The pieces in order, each with its owner.
    pub fn iter(&self) -> impl Iterator<Item = (Owner, &[u8])> {
        let mut at = 0;
        self.spans.iter().map(move |span| {
            let from = at;
            at += span.len as usize;
            (span.owner(), self.content.get(from..at).unwrap_or_default())
        })
    }

    /// The ids of the rows that have bytes here, but not in `part`.
    pub(crate) fn rows_without(&self, part: &Self) -> FxHashSet<u32> {
        let rows = |pieces: &Self| {
            let owners = pieces.spans.iter().map(Span::owner);
            let rows = owners.filter_map(|owner| match owner {
                Owner::Row(id) => Some(id),
                _ => None,
            });
            rows.collect::<FxHashSet<u32>>()
        };
        let kept = rows(part);
        let mut rows = rows(self);
        rows.retain(|id| !kept.contains(id));
        rows
    }

    /// The state that an account starts from: the content alone, in as little memory as it takes.
    #[must_use]
    pub(crate) fn into_base(mut self) -> Self {
        self.packed = None;
        self.unchanged = None;
        self.content.shrink_to_fit();
        self.spans.shrink();
        self
    }

    pub(super) const fn spans(&self) -> &Spans {
        &self.spans
    }
}
