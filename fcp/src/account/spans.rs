//! Spans of a file in little memory.

use super::pieces::Span;

/// Spans in order: of each the difference of its owner's code to the one two spans earlier, and its length, as LEB128
/// numbers. Files alternate between rows and what separates them, so nearly all spans are two bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans {
    coded: Vec<u8>,
    /// The codes of the two spans before `last`.
    codes: [u32; 2],
    /// The span that may still grow.
    last: Option<Span>,
}

impl Spans {
    /// Adds a span. Two in a row that depend on their neighbours become one.
    pub(super) fn push(&mut self, span: Span) {
        if let Some(last) = &mut self.last
            && span.is_joint()
            && last.is_joint()
            && let Some(sum) = last.len.checked_add(span.len)
        {
            last.len = sum;
            return;
        }
        self.seal();
        self.last = Some(span);
    }

    /// Adds a span that depends on its neighbours, and the row after it. Nearly all spans of some files come like this.
    #[inline]
    pub(super) fn push_joined(&mut self, joint: Span, row: Span) {
        if let Some(last) = self.last
            && self.codes[1] == joint.code
            && let Some([step, len]) = self.small(last)
            && let Ok(joint_len @ 0..0x80) = u8::try_from(joint.len)
        {
            self.coded.extend_from_slice(&[step, len, 0, joint_len]);
            self.codes = [last.code, joint.code];
            self.last = Some(row);
        } else {
            self.push(joint);
            self.push(row);
        }
    }

    /// Adds all spans of another list.
    pub(super) fn append(&mut self, other: &Self) {
        self.append_all(other.iter(), other.codes);
    }

    /// Adds the spans between two places of another list.
    pub(super) fn append_between(&mut self, other: &Self, [from, to]: [Place; 2]) {
        let rest = Iter {
            coded: other.coded.get(from.coded..to.coded).unwrap_or_default(),
            codes: from.codes,
            last: None,
        };
        self.append_all(rest, to.codes);
    }

    /// Adds spans that end in `codes`.
    fn append_all(&mut self, mut rest: Iter<'_>, codes: [u32; 2]) {
        // The first two are coded by what came before them.
        for span in rest.by_ref().take(2) {
            self.push(span);
        }
        if rest.coded.is_empty() {
            return rest.for_each(|span| self.push(span));
        }
        self.seal();
        self.coded.extend_from_slice(rest.coded);
        (self.codes, self.last) = (codes, rest.last);
    }

    /// The place after the last span, which no longer grows.
    pub(super) fn place(&mut self) -> Place {
        self.seal();
        Place {
            coded: self.coded.len(),
            codes: self.codes,
        }
    }

    /// The spans after a place.
    pub(super) fn after(&self, place: Place) -> Iter<'_> {
        Iter {
            coded: self.coded.get(place.coded..).unwrap_or_default(),
            codes: place.codes,
            last: self.last,
        }
    }

    /// The place of an iterator over this list, as [`Place::coded`].
    pub(super) const fn at(&self, iter: &Iter<'_>) -> usize {
        self.coded.len() - iter.coded.len()
    }

    /// Makes room for `spans` more.
    pub(super) fn reserve(&mut self, spans: usize) {
        self.coded.reserve(2 * spans);
    }

    /// The bytes that the list takes.
    pub(super) const fn bytes(&self) -> usize {
        self.coded.len()
    }

    /// Gives back the room that is not used.
    pub(super) fn shrink(&mut self) {
        self.coded.shrink_to_fit();
    }

    /// The spans in order.
    pub(super) fn iter(&self) -> Iter<'_> {
        Iter {
            coded: &self.coded,
            codes: [0; 2],
            last: self.last,
        }
    }

    fn seal(&mut self) {
        let Some(span) = self.last.take() else { return };
        if let Some(both) = self.small(span) {
            self.coded.extend_from_slice(&both);
        } else {
            let step = self.step(span);
            push(&mut self.coded, step);
            push(&mut self.coded, span.len);
        }
        self.codes = [self.codes[1], span.code];
    }

    #[inline]
    fn step(&self, span: Span) -> u32 {
        let step = span.code.wrapping_sub(self.codes[0]).cast_signed();
        // Zigzag: small steps in either direction are small numbers.
        ((step << 1) ^ (step >> 31)).cast_unsigned()
    }

    /// Both numbers of a span, if they are one byte each, as for nearly all.
    #[inline]
    fn small(&self, span: Span) -> Option<[u8; 2]> {
        let both = (u8::try_from(self.step(span)), u8::try_from(span.len));
        let (Ok(step @ 0..0x80), Ok(len @ 0..0x80)) = both else {
            return None;
        };
        Some([step, len])
    }
}

/// A place between two spans of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of coded bytes before it.
    pub(super) coded: usize,
    /// The codes of the two spans before it.
    codes: [u32; 2],
}

/// The spans of a list.
#[derive(Clone, Debug)]
pub(super) struct Iter<'a> {
    coded: &'a [u8],
    codes: [u32; 2],
    last: Option<Span>,
}

/// The coded bytes that are compared at once, at first and at most.
const BLOCK: [usize; 2] = [1 << 8, 1 << 14];

/// The coded bytes at the end of a block, in which it may end.
const TAIL: usize = 1 << 6;

impl Iter<'_> {
    /// Passes spans that are equal in both lists, as long as `pass` accepts their bytes, given by their length. It stops
    /// only after a span on which `may_end` holds. Spans are compared as they are coded, many at once.
    pub(super) fn pass_equal(
        &mut self,
        other: &mut Iter<'_>,
        may_end: impl Fn(Span) -> bool,
        mut pass: impl FnMut(usize) -> bool,
    ) {
        let (mut size, mut grows) = (BLOCK[0], true);
        while size >= BLOCK[0] && self.codes == other.codes {
            match self.pass_block(other, size, &may_end, &mut pass) {
                true if grows => size = (2 * size).min(BLOCK[1]),
                true => {}
                // The first difference is in this block: smaller ones lead up to it.
                false => (size, grows) = (size / 2, false),
            }
        }
    }

    /// Passes the spans of a block but those in its tail, if each of its numbers is one byte, as nearly always. Returns
    /// their length. The sums take a fraction of the time of decoding span by span.
    fn pass_small(&mut self, block: &[u8]) -> usize {
        if block.iter().any(|byte| *byte >= 0x80) {
            return 0;
        }
        let (mut steps, mut len) = ([0_i32; 2], 0_u32);
        let (pairs, _) = block
            .get(..block.len().saturating_sub(TAIL))
            .unwrap_or_default()
            .as_chunks();
        for [step, one, other, two] in pairs {
            steps[0] += unfolded(u32::from(*step));
            steps[1] += unfolded(u32::from(*other));
            len += u32::from(*one) + u32::from(*two);
        }
        self.coded = self.coded.get(4 * pairs.len()..).unwrap_or_default();
        for (code, step) in self.codes.iter_mut().zip(steps) {
            *code = code.wrapping_add_signed(step);
        }
        len as usize
    }

    /// Passes nearly all spans in the next `size` coded bytes, if they are equal in both lists. Returns whether it did.
    fn pass_block(
        &mut self,
        other: &mut Iter<'_>,
        size: usize,
        may_end: &impl Fn(Span) -> bool,
        pass: &mut impl FnMut(usize) -> bool,
    ) -> bool {
        let Some(block) = self.coded.get(..size) else {
            return false;
        };
        if other.coded.get(..size) != Some(block) {
            return false;
        }
        let mut rest = Self {
            coded: self.coded,
            codes: self.codes,
            last: None,
        };
        let left = |rest: &Self| size.saturating_sub(self.coded.len() - rest.coded.len());
        let (mut len, mut end) = (rest.pass_small(block), None);
        // Both numbers of a span take at most ten bytes.
        while left(&rest) > 10 {
            let tail = left(&rest) < TAIL;
            let Some(span) = rest.next() else { break };
            len += span.len as usize;
            if tail && may_end(span) {
                end = Some((rest.clone(), len));
            }
        }
        let Some((rest, _)) = end.filter(|(_, len)| pass(*len)) else {
            return false;
        };
        let taken = self.coded.len() - rest.coded.len();
        (self.coded, self.codes) = (rest.coded, rest.codes);
        other.coded = other.coded.get(taken..).unwrap_or_default();
        other.codes = rest.codes;
        true
    }
}

impl Iterator for Iter<'_> {
    type Item = Span;

    #[inline]
    fn next(&mut self) -> Option<Span> {
        let Some(step) = take(&mut self.coded) else {
            return self.last.take();
        };
        let len = take(&mut self.coded)?;
        let code = self.codes[0].wrapping_add_signed(unfolded(step));
        self.codes = [self.codes[1], code];
        Some(Span { code, len })
    }
}

fn push(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        // The low seven bits.
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.push(number.to_le_bytes()[0]);
}

/// The step that [`Spans::step`] made a number of.
#[inline]
const fn unfolded(number: u32) -> i32 {
    (number >> 1).cast_signed() ^ -((number & 1).cast_signed())
}

#[inline]
fn take(rest: &mut &[u8]) -> Option<u32> {
    if let [first @ 0..0x80, tail @ ..] = *rest {
        *rest = tail;
        return Some(u32::from(*first));
    }
    let (mut number, mut shift) = (0_u32, 0);
    loop {
        let (first, tail) = rest.split_first()?;
        *rest = tail;
        number |= u32::from(first & 0x7f).checked_shl(shift).unwrap_or(0);
        if first & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spans() -> impl Strategy<Value = Vec<Span>> {
        let code = prop_oneof![0..9_u32, any::<u32>(), Just(u32::MAX)];
        let span = (code, 1..300_u32).prop_map(|(code, len)| Span { code, len });
        proptest::collection::vec(span, 0..8)
    }

    /// The spans as one list would hold them that codes nothing.
    fn merged(spans: impl IntoIterator<Item = Span>) -> Vec<Span> {
        let mut all: Vec<Span> = Vec::new();
        for span in spans {
            match all.last_mut() {
                Some(last) if last.is_joint() && span.is_joint() => last.len += span.len,
                _ => all.push(span),
            }
        }
        all
    }

    proptest! {
        #[test]
        fn equal_spans_are_passed_in_blocks(
            steps in proptest::collection::vec((0..40_u32, 1..100_u32), 1..2000),
            large in proptest::option::of((any::<prop::sample::Index>(), any::<u32>())),
            differs in any::<prop::sample::Index>(),
        ) {
            let mut all: Vec<Span> = steps.iter().map(|(code, len)| Span { code: *code, len: *len }).collect();
            if let Some((at, code)) = large {
                all[at.index(steps.len())] = Span { code, len: 1000 };
            }
            let all = merged(all);
            let differs = differs.index(all.len());
            let [mut one, mut two] = [Spans::default(), Spans::default()];
            all.iter().for_each(|span| one.push(*span));
            for (at, span) in all.iter().enumerate() {
                two.push(Span { len: span.len + u32::from(at == differs), ..*span });
            }
            let (mut then, mut now, mut passed) = (one.iter(), two.iter(), 0);
            then.pass_equal(&mut now, |span| span.code.is_multiple_of(2), |len| {
                passed += len;
                true
            });
            let rest: Vec<Span> = then.collect();
            let count = all.len() - rest.len();
            prop_assert_eq!(&rest, &all[count..]);
            prop_assert!(count <= differs);
            prop_assert!(count == 0 || all[count - 1].code.is_multiple_of(2));
            prop_assert_eq!(passed, all[..count].iter().map(|span| span.len as usize).sum::<usize>());
            prop_assert_eq!(now.map(|span| span.code).collect::<Vec<_>>(), rest.iter().map(|span| span.code).collect::<Vec<_>>());
        }

        #[test]
        fn spans_come_back(lists in proptest::collection::vec(spans(), 1..4)) {
            let mut whole = Spans::default();
            for list in &lists {
                let mut own = Spans::default();
                list.iter().for_each(|span| own.push(*span));
                prop_assert_eq!(own.iter().collect::<Vec<_>>(), merged(list.iter().copied()));
                whole.append(&own);
            }
            prop_assert_eq!(whole.iter().collect::<Vec<_>>(), merged(lists.concat()));
        }
    }
}
