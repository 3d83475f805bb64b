//! The account of bytes: the bytes that differ from those of the opened file, and the row that each
//! of them belongs to.
//!
//! A domain writes its files in [`Pieces`], each belonging to a row. A difference between two
//! states of a file must belong to rows that ops changed in between; any other is a [`Fault`] of
//! the domain, which stops a save.

mod aligned;
mod compare;
mod fold;
mod moved;
mod pieces;
mod section;
mod shown;
mod spans;
mod stretches;
mod texts;
mod units;

use std::ops::Range;

pub use compare::Spans;
pub use fold::{FieldChange, LINES, RowChange};
pub(crate) use fold::{counted_lines, whole_lines};
pub(crate) use moved::out_of_order;
pub use pieces::{Owner, Pieces};
pub(crate) use section::Unchanged;
pub use shown::{Field, Shown};
pub(crate) use stretches::stretches;
pub(crate) use texts::parts;

use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::FxHashMap;

use crate::model::{Fate, Row};
use compare::Differences;
use moved::NewOrder;
use pieces::Span;

/// A difference that no op accounts for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The owner of the bytes.
    pub owner: Owner,
    /// The bytes in the opened file.
    pub before: Range<usize>,
    /// The bytes that a save would write.
    pub after: Range<usize>,
}

/// Ranges in the old file and in the new one.
pub(crate) type InBoth = (Vec<Range<usize>>, Vec<Range<usize>>);

/// The bytes of each owner in two states of a file.
pub(crate) type ByOwner = FxHashMap<Owner, InBoth>;

/// The rows and parts of a model that ops changed.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    rows: Bits,
    /// Rows inside moved rows: their places may change, but not their bytes.
    carried: Bits,
    parts: Vec<bool>,
    any: bool,
}

impl Touched {
    /// Adds a row.
    pub fn row(&mut self, id: u32) {
        self.rows.set(id);
        self.any = true;
    }

    /// Adds the row of an event, and, if it moved, the rows `inside` it.
    pub(crate) fn event(&mut self, row: Row, fate: Fate, inside: &dyn Fn(Row) -> Vec<u32>) {
        self.row(row.id());
        if fate == Fate::Moved {
            inside(row).into_iter().for_each(|id| self.carried.set(id));
        }
    }

    /// Adds a part that holds one value.
    pub fn part(&mut self, ix: usize) {
        if ix >= self.parts.len() {
            self.parts.resize(ix + 1, false);
        }
        if let Some(part) = self.parts.get_mut(ix) {
            *part = true;
        }
        self.any = true;
    }

    /// Whether any row or part was touched.
    #[must_use]
    pub const fn any(&self) -> bool {
        self.any
    }

    /// Whether a row with an id in a range was touched, or moved with another.
    fn any_of(&self, ids: &Range<u32>) -> bool {
        self.rows.any_of(ids) || self.carried.any_of(ids)
    }

    /// The bytes of a file that belong to touched rows and parts.
    fn bytes(&self, spans: impl Iterator<Item = Span>) -> Vec<Range<usize>> {
        let mut at = 0;
        let mut bytes = Vec::new();
        for span in spans {
            let end = at + span.len as usize;
            if self.may_differ(span) {
                bytes.push(at..end);
            }
            at = end;
        }
        bytes
    }

    /// The bytes of two states of a file that belong to touched rows and parts. See [`spans_then`].
    pub(crate) fn in_both(&self, base: &Pieces, now: &Pieces) -> InBoth {
        let then = spans_then(base, now);
        (self.bytes(then), self.bytes(now.spans().iter()))
    }

    /// The same with the new keys of sections that have others now: an op before the move touched the rows of the old
    /// ones.
    pub(crate) fn through(self, base: &Pieces, now: &Pieces) -> Self {
        let renamed = NewOrder::of(base, now).map(|order| order.renamed);
        match renamed {
            Some(renamed) => self.after(&renamed.into_iter().collect()),
            None => self,
        }
    }

    fn after(&self, renamed: &FxHashMap<u32, u32>) -> Self {
        let mut touched = self.clone();
        for (old, new) in renamed {
            if self.rows.has(*old) {
                touched.row(*new);
            }
        }
        touched
    }

    /// Whether an owner's place may differ, but not its bytes.
    fn is_carried(&self, owner: Owner) -> bool {
        matches!(owner, Owner::Row(id) if self.carried.has(id) && !self.rows.has(id))
    }

    /// Whether a piece or its place may differ.
    fn may_differ(&self, span: Span) -> bool {
        match span.owner() {
            Owner::Row(id) => self.rows.has(id) || self.carried.has(id),
            Owner::Part(ix) => self.parts.get(ix).is_some_and(|part| *part),
            Owner::Neighbours | Owner::Rest => false,
        }
    }
}

/// The spans of the earlier of two states of a file. If sections moved, those of a section's row
/// are given to the row whose section had its content.
fn spans_then<'p>(base: &'p Pieces, now: &Pieces) -> impl Iterator<Item = Span> + use<'p> {
    let renamed = NewOrder::of(base, now).map(|order| order.renamed);
    let renamed: FxHashMap<u32, u32> = renamed.into_iter().flatten().collect();
    base.spans().iter().map(move |span| Span {
        code: renamed.get(&span.code).copied().unwrap_or(span.code),
        ..span
    })
}

/// The bytes of each row and part in two states of a file. See [`spans_then`].
pub(crate) fn by_owner(base: &Pieces, now: &Pieces) -> ByOwner {
    let mut found = ByOwner::default();
    let mut add = |spans: &mut dyn Iterator<Item = Span>, is_now: bool| {
        let mut at = 0;
        for span in spans {
            let end = at + span.len as usize;
            let (then, now) = found.entry(span.owner()).or_default();
            let ranges = if is_now { now } else { then };
            ranges.push(at..end);
            at = end;
        }
    };
    add(&mut spans_then(base, now), false);
    add(&mut now.spans().iter(), true);
    found
}

/// A set of row ids.
#[derive(Clone, Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn set(&mut self, id: u32) {
        let word = (id / 64) as usize;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        if let Some(word) = self.0.get_mut(word) {
            *word |= 1 << (id % 64);
        }
    }

    fn any_of(&self, ids: &Range<u32>) -> bool {
        let (from, to) = (ids.start / 64, ids.end.div_ceil(64));
        let words = self.0.get(from as usize..(to as usize).min(self.0.len()));
        let mut words = words.unwrap_or_default().iter().zip(from..);
        words.any(|(word, ix)| {
            *word != 0 && (64 * ix..64 * (ix + 1)).any(|id| ids.contains(&id) && self.has(id))
        })
    }

    fn has(&self, id: u32) -> bool {
        let word = self.0.get((id / 64) as usize);
        word.is_some_and(|word| word & 1 << (id % 64) != 0)
    }
}

/// The differences between the opened file and the one that a save would write now.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// The bytes of the earlier state: those of the opened file, unpacked.
    pub before: Vec<u8>,
    /// The bytes of the later state: those that a save would write, before they are packed.
    pub after: Vec<u8>,
    /// The differing spans that belong to rows and parts that ops changed, by owner.
    pub changes: Vec<Change>,
    /// The differing spans that belong to nothing that an op changed.
    pub faults: Vec<Fault>,
    /// The number of stretches of bytes that differ.
    pub places: usize,
    /// The number of equal bytes, each at its place.
    pub same_bytes: usize,
    /// The number of bytes of the earlier state that are not in the later one: together with the
    /// equal bytes, all of the earlier state.
    pub gone_bytes: usize,
    /// The number of bytes of the later state that are not in the earlier one: together with the
    /// equal bytes, all of the later state.
    pub new_bytes: usize,
    /// The rows whose [sections](Pieces::section_of) moved past others.
    pub(crate) moved: Vec<u32>,
    /// The keys of sections in both states, if they differ.
    pub(crate) renamed: Vec<(u32, u32)>,
}

/// The differing spans of one owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The owner.
    pub owner: Owner,
    /// The name of the row, with its kind: `note #12`. Empty in the account of a save.
    pub name: String,
    /// The spans in [`Account::before`].
    pub before: Vec<Range<usize>>,
    /// The spans in [`Account::after`].
    pub after: Vec<Range<usize>>,
    /// Whether the beginning of the row is at another place among the others.
    pub is_moved: bool,
}

impl Account {
    /// Compares a state with the file as written now. `name` returns an owner's name.
    pub(crate) fn of(
        base: &Pieces,
        now: &Pieces,
        touched: &Touched,
        name: impl Fn(Owner) -> String,
    ) -> Self {
        // Nothing has changed since the file was read.
        if std::ptr::eq(base, now) {
            return Self {
                same_bytes: now.len(),
                ..Self::default()
            };
        }
        let order = NewOrder::of(base, now);
        let mut found = match &order {
            Some(order) => order.differences(base, now, touched),
            None => Differences::between(base, now, touched),
        };
        // Equal rows exchanged their places.
        if found.places > 0 && base.content() == now.content() {
            (found.places, found.gone, found.come) = (0, 0, 0);
            found.same = now.content().len();
        }
        let changes = found.owners.into_iter().map(|(owner, spans)| Change {
            owner,
            name: name(owner),
            is_moved: spans.lone == [true; 2],
            before: spans.before,
            after: spans.after,
        });
        let (moved, renamed) =
            order.map_or_else(Default::default, |order| (order.rows, order.renamed));
        Self {
            moved,
            renamed,
            changes: changes.collect(),
            faults: found.faults,
            places: found.places,
            same_bytes: found.same,
            gone_bytes: found.gone,
            new_bytes: found.come,
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    /// Counts the bytes that differ between two files whose rows have no ids in common.
    pub(crate) fn between(then: &Pieces, now: &Pieces) -> Self {
        let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (
            then.iter().map(|(_, bytes)| bytes).collect(),
            now.iter().map(|(_, bytes)| bytes).collect(),
        );
        let differ = old.iter().zip(&new).filter(|(was, is)| was != is).count();
        let hunks: Vec<[Range<usize>; 2]> = match old.len() == new.len() && 2 * differ <= new.len()
        {
            // Pieces changed where they are.
            true => vec![[0..old.len(), 0..new.len()]],
            false => {
                let mut input = InternedInput::default();
                input.update_before(old.iter().copied());
                input.update_after(new.iter().copied());
                let range = |pieces: Range<u32>| pieces.start as usize..pieces.end as usize;
                let diff = Diff::compute(Algorithm::Myers, &input);
                let hunks = diff.hunks();
                hunks
                    .map(|hunk| [range(hunk.before), range(hunk.after)])
                    .collect()
            }
        };
        let mut found = Differences::default();
        let mut at = 0;
        for [gone, come] in hunks {
            let equal = new.get(at..come.start).unwrap_or_default();
            found.same(equal.iter().map(|piece| piece.len()).sum());
            at = come.end;
            let gone = old.get(gone).unwrap_or_default();
            let come = new.get(come).unwrap_or_default();
            // Pieces that replace others one by one differ as those of one row do.
            match gone.len() == come.len() {
                true => gone
                    .iter()
                    .zip(come)
                    .for_each(|(was, is)| found.differs(was, is)),
                false => found.differs(&gone.concat(), &come.concat()),
            }
        }
        let rest = new.get(at..).unwrap_or_default();
        found.same(rest.iter().map(|piece| piece.len()).sum());
        Self {
            places: found.places,
            same_bytes: found.same,
            gone_bytes: found.gone,
            new_bytes: found.come,
            ..Self::default()
        }
    }

    /// Counts the bytes between the common beginning and end of two files.
    pub(crate) fn outer(then: &[u8], now: &[u8]) -> Self {
        let head = then.iter().zip(now).take_while(|(a, b)| a == b).count();
        let most = then.len().min(now.len()) - head;
        let tails = then.iter().rev().zip(now.iter().rev()).take(most);
        let same = head + tails.take_while(|(a, b)| a == b).count();
        let (gone, come) = (then.len() - same, now.len() - same);
        Self {
            places: usize::from(gone + come > 0),
            same_bytes: same,
            gone_bytes: gone,
            new_bytes: come,
            ..Self::default()
        }
    }

    /// Adds the bytes of both states, for callers that read them.
    pub(crate) fn with_bytes(mut self, base: &Pieces, now: &Pieces) -> Self {
        self.before = base.content().to_vec();
        self.after = now.content().to_vec();
        self
    }

    /// The last line of a listing of changes: `bytes: 214 changed in 31 places, 21,034 the same`.
    /// The two numbers add up to the size of the larger state.
    #[must_use]
    pub fn summary(&self) -> String {
        let count = crate::value::thousands;
        let changed = count(self.gone_bytes.max(self.new_bytes));
        match self.places {
            0 => format!("bytes: none changed, {} the same", count(self.same_bytes)),
            1 => format!(
                "bytes: {} changed in 1 place, {} the same",
                changed,
                count(self.same_bytes)
            ),
            places => format!(
                "bytes: {} changed in {} places, {} the same",
                changed,
                count(places),
                count(self.same_bytes)
            ),
        }
    }
}

#[cfg(test)]
mod tests;
