//! Compares two states of a file, piece by piece.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::aligned::aligned;
use super::pieces::{Owner, Pieces, Span};
use super::section::Section;
use super::spans::{self, Spans as List};
use super::{Fault, Touched, stretches};

/// The largest number of listed faults. One is enough to stop a save.
pub(super) const FAULTS: usize = 20;

/// The number of pieces that are compared at once.
const RUN: usize = 256;

/// A piece: its span with the owner, and its bytes.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub span: Span,
    at: Range<usize>,
}

/// The pieces of one state, in order.
struct Side<'a> {
    content: &'a [u8],
    list: &'a List,
    spans: spans::Iter<'a>,
    sections: &'a [Section],
    at: usize,
}

impl<'a> Side<'a> {
    fn new(pieces: &'a Pieces) -> Self {
        Self {
            content: pieces.content(),
            list: pieces.spans(),
            spans: pieces.spans().iter(),
            sections: &pieces.sections,
            at: 0,
        }
    }

    fn next(&mut self) -> Option<Piece> {
        let span = self.spans.next()?;
        let at = self.at..self.at + span.len as usize;
        self.at = at.end;
        Some(Piece { span, at })
    }

    fn peek(&self) -> Option<Span> {
        self.spans.clone().next()
    }

    /// The section that begins here, if it is not empty.
    fn section(&mut self) -> Option<&'a Section> {
        let here = self.list.at(&self.spans);
        while let Some((section, rest)) = self.sections.split_first() {
            let [from, to] = section.spans.map(|place| place.coded);
            if from == here && to > here {
                return Some(section);
            }
            if from > here {
                break;
            }
            self.sections = rest;
        }
        None
    }

    fn skip(&mut self, section: &Section) {
        self.spans = self.list.after(section.spans[1]);
        self.at += section.content.len();
    }

    fn bytes(&self, at: &Range<usize>) -> &'a [u8] {
        self.content.get(at.clone()).unwrap_or_default()
    }
}

/// The differing spans of one owner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spans {
    /// In the earlier state.
    pub before: Vec<Range<usize>>,
    /// In the later state.
    pub after: Vec<Range<usize>>,
    /// Whether the first piece of the row has no partner in the other state: of the earlier and of the later one.
    pub(super) lone: [bool; 2],
}

/// The differences between two states of a file.
#[derive(Debug, Default)]
pub(super) struct Differences {
    /// By owner, in the order of the later file if they are in it.
    pub owners: Vec<(Owner, Spans)>,
    pub seen: FxHashMap<u32, usize>,
    pub faults: Vec<Fault>,
    /// The number of stretches of the file that differ.
    pub places: usize,
    /// The number of equal bytes.
    pub same: usize,
    /// The number of bytes of the earlier state that are not in the later one.
    pub gone: usize,
    /// The number of bytes of the later state that are not in the earlier one.
    pub come: usize,
    /// The rows whose first piece was seen, by state.
    begun: [FxHashSet<u32>; 2],
    /// Whether the last byte counted differs: the next differing one belongs to the same place.
    open: bool,
    /// Whether the later state was copied from the earlier one, section by section, as far as they are equal.
    copied: bool,
}

impl Differences {
    /// Compares two states. Content that an op changed may differ; any other difference is a fault.
    pub fn between(before: &Pieces, after: &Pieces, touched: &Touched) -> Self {
        let mut found = Self {
            copied: after.is_copied_from(before),
            ..Self::default()
        };
        let (mut one, mut two) = (Side::new(before), Side::new(after));
        let (mut old, mut new): (Vec<Piece>, Vec<Piece>) = (Vec::new(), Vec::new());
        loop {
            found.pass_equal(&mut one, &mut two, touched);
            fill(&mut old, &mut one, touched, true);
            fill(&mut new, &mut two, touched, true);
            let sections = one.section().is_some() && two.section().is_some();
            if !sections {
                fill(&mut old, &mut one, touched, false);
                fill(&mut new, &mut two, touched, false);
            }
            let any = !old.is_empty() || !new.is_empty();
            found.settle(&one, &two, (&old, &new), touched);
            old.clear();
            new.clear();
            if sections && any {
                // They may be equal as a whole.
                continue;
            }
            match (one.next(), two.next()) {
                (None, None) => break,
                (Some(then), Some(now)) if then.span.code == now.span.code => {
                    found.same_owner(&one, &two, &then, &now);
                }
                (then, now) => {
                    // The order of untouched rows changed, or one is missing: nothing after it can
                    // be compared.
                    found.fault(&one, &two, then.as_ref(), now.as_ref());
                    let taken = |piece: Option<Piece>| piece.map_or(0, |piece| piece.at.len());
                    let gone = one.content.len() - one.at + taken(then);
                    let come = two.content.len() - two.at + taken(now);
                    found.count(gone, come);
                    break;
                }
            }
        }
        found.check_carried(&one, &two, touched);
        found
    }

    /// Checks that rows inside moved rows kept their bytes.
    fn check_carried(&mut self, one: &Side<'_>, two: &Side<'_>, touched: &Touched) {
        let text = |content: &[u8], spans: &[Range<usize>]| -> Vec<u8> {
            let bytes = spans.iter().filter_map(|span| content.get(span.clone()));
            bytes.flatten().copied().collect()
        };
        let carried = self.owners.iter().filter(|(owner, spans)| {
            touched.is_carried(*owner)
                && text(one.content, &spans.before) != text(two.content, &spans.after)
        });
        let faults = carried.map(|(owner, spans)| Fault {
            owner: *owner,
            before: spans.before.first().cloned().unwrap_or_default(),
            after: spans.after.first().cloned().unwrap_or_default(),
        });
        let faults: Vec<Fault> = faults.collect();
        self.faults.extend(faults);
        self.faults.truncate(FAULTS);
    }

    /// Passes the next pieces that are equal on both sides. Nearly all of a file is passed here.
    fn pass_equal(&mut self, one: &mut Side<'_>, two: &mut Side<'_>, touched: &Touched) {
        while self.copied
            && let (Some(then), Some(now)) = (one.section(), two.section())
            && then.key == now.key
            && now.copied
        {
            one.skip(then);
            two.skip(now);
            self.same(now.content.len());
        }
        let (mut from, mut to) = (one.at, two.at);
        let pass = |len: usize| {
            let then = one.content.get(from..from + len);
            let same = then.is_some() && then == two.content.get(to..to + len);
            if same {
                from += len;
                to += len;
            }
            same
        };
        // Next to a touched row, pieces that depend on neighbours are compared with it.
        let may_end = |span: Span| !span.is_joint() && !span.is_rest() && !touched.may_differ(span);
        one.spans.pass_equal(&mut two.spans, may_end, pass);
        self.same(from - one.at);
        (one.at, two.at) = (from, to);
        while self.pass_run(one, two, touched, RUN) {}
        while self.pass_run(one, two, touched, 1) {}
    }

    /// Passes at most `most` pieces that are equal on both sides, or none if any of their bytes differ. Returns
    /// whether it passed any.
    fn pass_run(
        &mut self,
        one: &mut Side<'_>,
        two: &mut Side<'_>,
        touched: &Touched,
        most: usize,
    ) -> bool {
        let (mut then, mut now) = (one.spans.clone(), two.spans.clone());
        let (mut count, mut len) = (0, 0);
        while count < most {
            let (mut was, mut is) = (then.clone(), now.clone());
            let Some(span) = is.next() else { break };
            if was.next() != Some(span) || touched.may_differ(span) {
                break;
            }
            (then, now) = (was, is);
            len += span.len as usize;
            count += 1;
        }
        let same = one.bytes(&(one.at..one.at + len)) == two.bytes(&(two.at..two.at + len));
        if count == 0 || !same {
            return false;
        }
        (one.spans, two.spans) = (then, now);
        one.at += len;
        two.at += len;
        self.same(len);
        true
    }

    /// Compares a piece that no op touched.
    fn same_owner(&mut self, one: &Side<'_>, two: &Side<'_>, then: &Piece, now: &Piece) {
        if one.bytes(&then.at) == two.bytes(&now.at) {
            self.same(now.at.len());
        } else {
            self.fault(one, two, Some(then), Some(now));
            self.differs(one.bytes(&then.at), two.bytes(&now.at));
        }
    }

    fn fault(&mut self, one: &Side<'_>, two: &Side<'_>, then: Option<&Piece>, now: Option<&Piece>) {
        if self.faults.len() >= FAULTS {
            return;
        }
        let at = |piece: Option<&Piece>| piece.map(|piece| piece.at.clone());
        let piece = now.or(then);
        self.faults.push(Fault {
            owner: piece.map_or(Owner::Rest, |piece| piece.span.owner()),
            before: at(then).unwrap_or(one.at..one.at),
            after: at(now).unwrap_or(two.at..two.at),
        });
    }

    /// Compares the pieces between two untouched ones: pieces of touched rows, and those that
    /// depend on them.
    fn settle(
        &mut self,
        one: &Side<'_>,
        two: &Side<'_>,
        (old, new): (&[Piece], &[Piece]),
        touched: &Touched,
    ) {
        if old.is_empty() && new.is_empty() {
            return;
        }
        let depends = |piece: &Piece| piece.span.is_joint() || piece.span.is_rest();
        let rows = |pieces: &[Piece]| pieces.iter().any(|piece| !depends(piece));
        let free = rows(old) || rows(new);
        // Next to a touched row anything may differ; pieces that depend on the whole file may if
        // anything was touched.
        let may_differ = |span: Span| free || span.is_rest() && touched.any();
        let matched = aligned(old, new);
        let (mut from, mut came) = (0, None);
        for (ix, now) in new.iter().enumerate() {
            let is_first = self.begins(now, 1);
            let Some(other) = matched.get(ix).copied().flatten() else {
                if !may_differ(now.span) {
                    self.fault(one, two, None, Some(now));
                }
                self.note(heir(new, ix), None, Some(now));
                self.note_lone(now, is_first, 1);
                self.count(0, now.at.len());
                came = came.or(Some(ix));
                continue;
            };
            for gone in from..other {
                self.gone(one, two, (old, gone), (free, touched));
            }
            let (first, first_came) = (from, came.take());
            let left = old.get(first).filter(|_| first < other);
            from = other + 1;
            let came = first_came.and_then(|ix| new.get(ix));
            let Some(then) = old.get(other) else { continue };
            self.begins(then, 0);
            let (was, is) = (one.bytes(&then.at), two.bytes(&now.at));
            if was == is {
                self.same(is.len());
                continue;
            }
            let handed = match (left, came) {
                (Some(left), None) => handed(one.bytes(&left.at), is, was),
                (None, Some(came)) => handed(two.bytes(&came.at), was, is),
                _ => 0,
            };
            if handed > 0 {
                // The file lost or got all but these bytes of the other piece.
                self.same(was.len().max(is.len()));
                self.gone = self.gone.saturating_sub(left.map_or(0, |_| handed));
                self.come = self.come.saturating_sub(came.map_or(0, |_| handed));
                let owner = first_came.map_or_else(|| heir(old, first), |ix| heir(new, ix));
                let ix = self.seen.get(&owner.code).copied().unwrap_or(0);
                if let Some((_, spans)) = self.owners.get_mut(ix) {
                    shorten(&mut spans.before, left, handed);
                    shorten(&mut spans.after, came, handed);
                }
                continue;
            }
            if depends(now) && !may_differ(now.span) {
                self.fault(one, two, Some(then), Some(now));
            }
            // A delta time differs because of the row that came or went before it.
            let owner = match first_came {
                Some(ix) if now.span.is_joint() => heir(new, ix),
                None if now.span.is_joint() && left.is_some() => heir(old, first),
                _ => heir(new, ix),
            };
            self.note(owner, Some(then), Some(now));
            self.differs(was, is);
        }
        for gone in from..old.len() {
            self.gone(one, two, (old, gone), (free, touched));
        }
    }

    fn gone(
        &mut self,
        one: &Side<'_>,
        two: &Side<'_>,
        (old, ix): (&[Piece], usize),
        (free, touched): (bool, &Touched),
    ) {
        let Some(then) = old.get(ix) else { return };
        if !(free || then.span.is_rest() && touched.any()) {
            self.fault(one, two, Some(then), None);
        }
        self.note(heir(old, ix), Some(then), None);
        let is_first = self.begins(then, 0);
        self.note_lone(then, is_first, 0);
        self.count(then.at.len(), 0);
    }

    /// Returns whether a piece is the first one of its row in a state.
    fn begins(&mut self, piece: &Piece, state: usize) -> bool {
        let is_own = !piece.span.is_joint() && !piece.span.is_rest();
        is_own && self.begun[state].insert(piece.span.code)
    }

    /// Records that a piece, which is noted, has no partner in the other state.
    fn note_lone(&mut self, piece: &Piece, is_first: bool, state: usize) {
        let ix = self.seen.get(&piece.span.code).filter(|_| is_first);
        if let Some((_, spans)) = ix.and_then(|ix| self.owners.get_mut(*ix)) {
            spans.lone[state] = true;
        }
    }

    /// Adds spans to their owner.
    fn note(&mut self, owner: Span, then: Option<&Piece>, now: Option<&Piece>) {
        let next = self.owners.len();
        let ix = *self.seen.entry(owner.code).or_insert(next);
        if ix == next {
            self.owners.push((owner.owner(), Spans::default()));
        }
        if let Some((_, spans)) = self.owners.get_mut(ix) {
            spans.before.extend(then.map(|piece| piece.at.clone()));
            spans.after.extend(now.map(|piece| piece.at.clone()));
        }
    }

    pub fn same(&mut self, bytes: usize) {
        self.same += bytes;
        self.open &= bytes == 0;
    }

    fn count(&mut self, gone: usize, come: usize) {
        if gone + come > 0 && !self.open {
            self.places += 1;
            self.open = true;
        }
        self.gone += gone;
        self.come += come;
    }

    /// Counts the differing bytes of two pieces.
    pub fn differs(&mut self, then: &[u8], now: &[u8]) {
        let mut from = 0;
        for stretch in stretches(then, now) {
            self.same(stretch.before.start - from);
            self.count(stretch.before.len(), stretch.after.len());
            from = stretch.before.end;
        }
        self.same(then.len() - from);
    }
}

/// The number of bytes of whitespace that a piece hands to the next one as it goes, or takes from
/// it as it comes: both begin with them, and the next one is else unchanged.
fn handed(other: &[u8], longer: &[u8], shorter: &[u8]) -> usize {
    let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let handed = longer.strip_suffix(shorter);
    let handed = handed.filter(|lead| other.starts_with(lead) && lead.iter().all(blank));
    handed.map_or(0, <[u8]>::len)
}

/// Takes the first bytes of a piece, which the next one keeps, out of the spans of its owner.
fn shorten(spans: &mut [Range<usize>], piece: Option<&Piece>, bytes: usize) {
    let own = spans.iter_mut().rev();
    let mut own = own.filter(|span| piece.is_some_and(|piece| piece.at == **span));
    if let Some(span) = own.next() {
        span.start = span.end.min(span.start + bytes);
    }
}

/// Takes pieces that may differ, up to the next one that may not, or to the next section.
fn fill(pieces: &mut Vec<Piece>, side: &mut Side<'_>, touched: &Touched, to_section: bool) {
    while side
        .peek()
        .is_some_and(|span| span.is_joint() || span.is_rest() || touched.may_differ(span))
    {
        if to_section && !pieces.is_empty() && side.section().is_some() {
            break;
        }
        pieces.extend(side.next());
    }
}

/// The owner under which a piece is listed: one that depends on its neighbours is listed under the
/// touched row after it, or else before it.
fn heir(pieces: &[Piece], ix: usize) -> Span {
    let own = |ix: usize| pieces.get(ix).map(|piece| piece.span);
    let span = own(ix).unwrap_or(Span { code: 0, len: 0 });
    if !span.is_joint() {
        return span;
    }
    let row = |span: &Span| !span.is_joint() && !span.is_rest();
    let after = own(ix + 1).filter(row);
    let before = ix.checked_sub(1).and_then(own).filter(row);
    after.or(before).unwrap_or(span)
}
