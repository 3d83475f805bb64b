//! Sections that changed their places as a whole.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Touched;
use super::compare::{Differences, FAULTS, Spans};
use super::pieces::{Owner, Pieces, Span};
use super::section::Section;

/// A new order of sections.
pub(super) struct NewOrder {
    /// The keys of sections in both states, the earlier one first, if they differ.
    pub renamed: Vec<(u32, u32)>,
    /// The sections that moved past others, by their indices in both states.
    moved: Vec<(usize, usize)>,
    /// The rows whose content these hold.
    pub rows: Vec<u32>,
}

impl NewOrder {
    /// `None` if every section is where it was.
    pub fn of(before: &Pieces, after: &Pieces) -> Option<Self> {
        let (old, new) = (&before.sections, &after.sections);
        let same = |(one, other): (&Section, &Section)| one.key == other.key && one.of == other.of;
        if old.len() == new.len() && old.iter().zip(new).all(same) {
            return None;
        }
        let by_row = |ix: usize, section: &Section| Some((section.of?, ix));
        let places = old.iter().enumerate();
        let places = places.filter_map(|(ix, section)| by_row(ix, section));
        let places: FxHashMap<u32, usize> = places.collect();
        // In both states, in the order of the later one.
        let mut both: Vec<(usize, usize)> = Vec::new();
        let mut renamed = Vec::new();
        for (ix, section) in new.iter().enumerate() {
            let place = section.of.and_then(|of| places.get(&of));
            let Some((place, own)) = place.and_then(|place| Some((*place, old.get(*place)?)))
            else {
                continue;
            };
            both.push((place, ix));
            if own.key != section.key {
                renamed.push((own.key, section.key));
            }
        }
        let (was, is): (FxHashSet<u32>, FxHashSet<u32>) = renamed.iter().copied().unzip();
        // Sections behind a new one have the keys of those behind them, and the last one a new key.
        let mut added: Vec<u32> = is.difference(&was).copied().collect();
        let mut left: Vec<u32> = was.difference(&is).copied().collect();
        added.sort_unstable();
        left.sort_unstable();
        // Otherwise sections were split, joined or removed as well.
        let is_added = |key: &u32| is.contains(key) && !was.contains(key);
        let is_new = |of: u32| !places.contains_key(&of);
        let is_left = |key: &u32| was.contains(key) && !is.contains(key);
        let mut begun = new.iter().filter(|section| is_left(&section.key));
        if renamed.is_empty()
            || old.iter().any(|section| is_added(&section.key))
            || !begun.all(|section| section.of.is_some_and(is_new))
        {
            return None;
        }
        renamed.extend(added.into_iter().zip(left));
        let order: Vec<usize> = both.iter().map(|(place, _)| *place).collect();
        let moved = out_of_order(&order).into_iter();
        let moved: Vec<(usize, usize)> = moved.filter_map(|ix| both.get(ix).copied()).collect();
        let rows = moved.iter().filter_map(|(_, ix)| new.get(*ix)?.of);
        Some(Self {
            renamed,
            rows: rows.collect(),
            moved,
        })
    }

    /// Compares two states. A section that moved belongs to the row whose content it holds, except for what differs in
    /// it.
    pub fn differences(&self, before: &Pieces, after: &Pieces, touched: &Touched) -> Differences {
        let (old, new) = (Units::of(before), Units::of(after));
        let renamed: FxHashMap<u32, u32> = self.renamed.iter().copied().collect();
        let touched = &touched.after(&renamed);
        let key = |key: u32| renamed.get(&key).copied().unwrap_or(key);
        let (gone, come): (FxHashSet<usize>, FxHashSet<usize>) = self.moved.iter().copied().unzip();
        let (was, is) = (old.without(&gone, key), new.without(&come, |key| key));
        let mut found = Differences::between(&was.pieces, &is.pieces, touched);
        found.relocate(|at| was.real(at), |at| is.real(at));
        for ((from, to), row) in self.moved.iter().zip(&self.rows) {
            let (was, is) = (old.only(*from, key), new.only(*to, |key| key));
            let mut inner = Differences::between(&was.pieces, &is.pieces, touched);
            inner.relocate(|at| was.real(at), |at| is.real(at));
            let spans = |side: fn(&Spans) -> &Vec<Range<usize>>| -> Vec<Range<usize>> {
                let owners = inner.owners.iter();
                owners.flat_map(|(_, own)| side(own).clone()).collect()
            };
            let rest = Spans {
                before: without(old.bytes(*from), spans(|own| &own.before)),
                after: without(new.bytes(*to), spans(|own| &own.after)),
                ..Spans::default()
            };
            found.add_moved(inner, *row, rest);
            found.gone += old.bytes(*from).len();
            found.come += new.bytes(*to).len();
        }
        found.places += old.stretches(gone) + new.stretches(come);
        found
    }
}

impl Differences {
    /// Replaces the ranges of both states by those that they are copied from.
    fn relocate(
        &mut self,
        old: impl Fn(&Range<usize>) -> Vec<Range<usize>>,
        new: impl Fn(&Range<usize>) -> Vec<Range<usize>>,
    ) {
        for (_, spans) in &mut self.owners {
            spans.before = spans.before.iter().flat_map(&old).collect();
            spans.after = spans.after.iter().flat_map(&new).collect();
        }
        let whole = |ranges: Vec<Range<usize>>| match (ranges.first(), ranges.last()) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => 0..0,
        };
        for fault in &mut self.faults {
            (fault.before, fault.after) = (whole(old(&fault.before)), whole(new(&fault.after)));
        }
    }

    /// Adds the differences inside a section that moved, and the rest of it as a difference of `row`.
    fn add_moved(&mut self, inner: Self, row: u32, rest: Spans) {
        let rest = (Owner::Row(row), rest);
        for (owner, spans) in inner.owners.into_iter().chain([rest]) {
            let next = self.owners.len();
            let ix = *self.seen.entry(owner.code()).or_insert(next);
            match self.owners.get_mut(ix) {
                Some((_, own)) => {
                    own.before.extend(spans.before);
                    own.after.extend(spans.after);
                }
                None => self.owners.push((owner, spans)),
            }
        }
        self.faults.extend(inner.faults);
        self.faults.truncate(FAULTS);
    }
}

/// The sections of a state, each with the pieces of its row before it, and what is between them.
struct Units<'a> {
    pieces: &'a Pieces,
    all: Vec<(Span, usize)>,
    /// Of each section its key, the indices of its pieces, and its bytes.
    units: Vec<(u32, Range<usize>, Range<usize>)>,
}

impl<'a> Units<'a> {
    fn of(pieces: &'a Pieces) -> Self {
        let mut at = 0;
        let spans = pieces.spans().iter().map(|span| {
            let from = at;
            at += span.len as usize;
            (span, from)
        });
        let all: Vec<(Span, usize)> = spans.collect();
        let start_of = |ix: usize| all.get(ix).map_or(pieces.len(), |(_, from)| *from);
        let mut next = 0;
        let mut units = Vec::with_capacity(pieces.sections.len());
        for section in &pieces.sections {
            let before = |ix: usize, end: usize| start_of(ix) < end && ix < all.len();
            let from = next;
            while before(next, section.content.start) {
                next += 1;
            }
            let is_own = |ix: &usize| {
                all.get(*ix)
                    .is_some_and(|(span, _)| span.code == section.key)
            };
            let first = (from..next).find(is_own).unwrap_or(next);
            while before(next, section.content.end) {
                next += 1;
            }
            let bytes = start_of(first)..start_of(next);
            units.push((section.key, first..next, bytes));
        }
        Self { pieces, all, units }
    }

    fn bytes(&self, ix: usize) -> Range<usize> {
        self.units
            .get(ix)
            .map_or(0..0, |(_, _, bytes)| bytes.clone())
    }

    /// One section, with a `key` for its row.
    fn only(&self, ix: usize, key: impl Fn(u32) -> u32) -> Stretches {
        let mut out = Stretches::new(self.pieces);
        if let Some((own, pieces, _)) = self.units.get(ix) {
            self.copy(pieces.clone(), Some((*own, key(*own))), &mut out);
        }
        out
    }

    /// All but some sections, each with a `key` for its row.
    fn without(&self, left_out: &FxHashSet<usize>, key: impl Fn(u32) -> u32) -> Stretches {
        let mut out = Stretches::new(self.pieces);
        let mut next = 0;
        for (ix, (own, pieces, _)) in self.units.iter().enumerate() {
            self.copy(next..pieces.start, None, &mut out);
            if !left_out.contains(&ix) {
                self.copy(pieces.clone(), Some((*own, key(*own))), &mut out);
            }
            next = pieces.end;
        }
        self.copy(next..self.all.len(), None, &mut out);
        out
    }

    fn copy(&self, pieces: Range<usize>, key: Option<(u32, u32)>, out: &mut Stretches) {
        let pieces = self.all.get(pieces).unwrap_or_default();
        let Some((_, from)) = pieces.first() else {
            return;
        };
        out.places.push((out.pieces.len(), *from));
        for (span, from) in pieces {
            let bytes = self.pieces.content().get(*from..*from + span.len as usize);
            let code = match key {
                Some((own, new)) if own == span.code => new,
                _ => span.code,
            };
            out.pieces.add_span(code, bytes.unwrap_or_default());
        }
    }

    /// The number of stretches of bytes that some sections form.
    fn stretches(&self, of: FxHashSet<usize>) -> usize {
        let mut all: Vec<Range<usize>> = of.into_iter().map(|ix| self.bytes(ix)).collect();
        all.retain(|bytes| !bytes.is_empty());
        all.sort_unstable_by_key(|bytes| bytes.start);
        let joins = all
            .array_windows()
            .filter(|[one, next]| one.end == next.start);
        all.len() - joins.count()
    }
}

/// Some stretches of a file, one after the other.
struct Stretches {
    pieces: Pieces,
    /// Of each its start here, and in the file.
    places: Vec<(usize, usize)>,
}

impl Stretches {
    fn new(of: &Pieces) -> Self {
        Self {
            pieces: of.inner(),
            places: Vec::new(),
        }
    }

    /// The bytes of the file.
    fn real(&self, at: &Range<usize>) -> Vec<Range<usize>> {
        let first = self.places.partition_point(|(start, _)| *start <= at.start);
        let first = first.saturating_sub(1);
        let places = self.places.get(first..).unwrap_or_default();
        let mut found = Vec::new();
        for (ix, (start, from)) in places.iter().enumerate() {
            let end = places.get(ix + 1).map_or(usize::MAX, |(start, _)| *start);
            let own = at.start.max(*start)..at.end.min(end);
            let is_last = at.end <= end;
            if !own.is_empty() || is_last && found.is_empty() {
                let to = |at: usize| from + at.saturating_sub(*start);
                found.push(to(own.start)..to(own.end));
            }
            if is_last {
                break;
            }
        }
        found
    }
}

/// A range without some others inside it.
fn without(whole: Range<usize>, mut others: Vec<Range<usize>>) -> Vec<Range<usize>> {
    others.sort_unstable_by_key(|other| other.start);
    let mut at = whole.start;
    let mut found = Vec::new();
    for other in others {
        if at < other.start {
            found.push(at..other.start);
        }
        at = at.max(other.end);
    }
    if at < whole.end {
        found.push(at..whole.end);
    }
    found
}

/// The indices of the numbers that are not in a longest increasing subsequence.
pub(crate) fn out_of_order(numbers: &[usize]) -> Vec<usize> {
    if numbers.is_sorted() {
        return Vec::new();
    }
    // For each length, the index of the smallest number that ends a subsequence of it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (ix, number) in numbers.iter().enumerate() {
        let at = ends.partition_point(|end| numbers.get(*end).is_some_and(|own| own < number));
        before.push(at.checked_sub(1).and_then(|last| ends.get(last).copied()));
        match ends.get_mut(at) {
            Some(end) => *end = ix,
            None => ends.push(ix),
        }
    }
    let mut kept = vec![false; numbers.len()];
    let mut next = ends.last().copied();
    while let Some(ix) = next {
        if let Some(kept) = kept.get_mut(ix) {
            *kept = true;
        }
        next = before.get(ix).copied().flatten();
    }
    (0..numbers.len())
        .filter(|ix| kept.get(*ix) != Some(&true))
        .collect()
}
