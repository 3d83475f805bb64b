//! Rows by id, stored contiguously in pages.
//!
//! Ids are drawn in sequence and rarely given back, so a page of consecutive ids is nearly full,
//! or, in a table of few rows, absent. A lookup takes two steps for any number of rows, and
//! consecutive rows are read in order.

/// The number of ids in a page.
const PAGE: u32 = u64::BITS;

/// Values by number, in order of numbers: a map for data of rows, by the numbers of their ids.
#[derive(Clone, Debug)]
pub struct Slab<T> {
    pages: Vec<Option<Box<Page<T>>>>,
    len: usize,
}

/// The values of consecutive numbers: a bit for each that is present, and the values in order.
#[derive(Clone, Debug)]
struct Page<T> {
    there: u64,
    values: Vec<T>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self {
            pages: Vec::new(),
            len: 0,
        }
    }
}

impl<T> Default for Page<T> {
    fn default() -> Self {
        Self {
            there: 0,
            values: Vec::new(),
        }
    }
}

/// The page of a number, and its bit in the page.
const fn place(number: u32) -> (usize, u64) {
    ((number / PAGE) as usize, 1 << (number % PAGE))
}

impl<T> Page<T> {
    /// The index of a bit's value in the page, present or not.
    const fn rank(&self, bit: u64) -> usize {
        let before = bit - 1;
        // Nearly all pages are full, and without a processor instruction for it, counting is dear.
        if self.there & before == before {
            return bit.trailing_zeros() as usize;
        }
        (self.there & before).count_ones() as usize
    }

    fn get(&self, bit: u64) -> Option<&T> {
        let is_there = self.there & bit != 0;
        is_there.then(|| self.values.get(self.rank(bit))).flatten()
    }

    fn get_mut(&mut self, bit: u64) -> Option<&mut T> {
        let (is_there, rank) = (self.there & bit != 0, self.rank(bit));
        is_there.then(|| self.values.get_mut(rank)).flatten()
    }
}

impl<T> Slab<T> {
    /// The number of values.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no values.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of a number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&T> {
        let (page, bit) = place(number);
        self.pages.get(page)?.as_ref()?.get(bit)
    }

    /// The value of a number, to be changed.
    pub fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        let (page, bit) = place(number);
        self.pages.get_mut(page)?.as_mut()?.get_mut(bit)
    }

    /// Inserts a value and returns the one that it replaces.
    pub fn insert(&mut self, number: u32, value: T) -> Option<T> {
        let (at, bit) = place(number);
        if at >= self.pages.len() {
            self.pages.resize_with(at + 1, || None);
        }
        // After a full page, the next page will probably be full too.
        let before = at
            .checked_sub(1)
            .and_then(|at| self.pages.get(at)?.as_ref());
        let full = before.is_some_and(|page| page.there == u64::MAX);
        let page = self.pages.get_mut(at)?.get_or_insert_with(|| {
            let values = Vec::with_capacity(if full { PAGE as usize } else { 0 });
            Box::new(Page { there: 0, values })
        });
        if let Some(own) = page.get_mut(bit) {
            return Some(std::mem::replace(own, value));
        }
        let rank = page.rank(bit);
        page.values.insert(rank, value);
        page.there |= bit;
        self.len += 1;
        None
    }

    /// Removes a value and returns it.
    pub fn remove(&mut self, number: u32) -> Option<T> {
        let (at, bit) = place(number);
        let own = self.pages.get_mut(at)?;
        let page = own.as_mut()?;
        if page.there & bit == 0 {
            return None;
        }
        let value = page.values.remove(page.rank(bit));
        page.there &= !bit;
        self.len -= 1;
        if page.there == 0 {
            *own = None;
        }
        Some(value)
    }

    /// Every value with its number, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, &T)> + Clone {
        self.iter_reporting(|_| ())
    }

    /// [`Self::iter`], reporting the number of values of each page that it reaches.
    pub(super) fn iter_reporting(
        &self,
        report: impl Fn(usize) + Clone,
    ) -> impl DoubleEndedIterator<Item = (u32, &T)> + Clone {
        let pages = self.pages.iter().enumerate();
        pages.flat_map(move |(at, page)| {
            // There are no more pages than 32-bit numbers.
            let first = u32::try_from(at).unwrap_or(u32::MAX).saturating_mul(PAGE);
            let page = page.as_ref();
            let numbers = Bits(page.map_or(0, |page| page.there)).map(move |bit| first + bit);
            let values = page.map_or(&[][..], |page| &page.values);
            report(values.len());
            numbers.zip(values)
        })
    }
}

/// The positions of the set bits of a number.
#[derive(Clone)]
struct Bits(u64);

impl Iterator for Bits {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let bit = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (bit < PAGE).then_some(bit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl DoubleEndedIterator for Bits {
    fn next_back(&mut self) -> Option<u32> {
        let bit = self.0.checked_ilog2()?;
        self.0 &= !(1 << bit);
        Some(bit)
    }
}

impl ExactSizeIterator for Bits {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_holds_what_a_map_holds(
            steps in proptest::collection::vec((0_u32..300, proptest::option::of(0_u8..9)), 0..400),
        ) {
            let (mut slab, mut map) = (Slab::default(), BTreeMap::new());
            for (number, value) in steps {
                match value {
                    Some(value) => prop_assert_eq!(slab.insert(number, value), map.insert(number, value)),
                    None => prop_assert_eq!(slab.remove(number), map.remove(&number)),
                }
                prop_assert_eq!(slab.len(), map.len());
                prop_assert_eq!(slab.get(number), map.get(&number));
                prop_assert_eq!(slab.get_mut(number), map.get_mut(&number));
            }
            let both = |(number, value): (&u32, &u8)| (*number, *value);
            let held: Vec<(u32, u8)> = slab.iter().map(|(number, value)| (number, *value)).collect();
            prop_assert_eq!(held, map.iter().map(both).collect::<Vec<_>>());
            let back: Vec<(u32, u8)> = slab.iter().rev().map(|(number, value)| (number, *value)).collect();
            prop_assert_eq!(back, map.iter().rev().map(both).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_ends_of_a_page_are_its_own() {
        let mut slab = Slab::default();
        for number in [0, 63, 64, 127, 128, 1_000_000] {
            slab.insert(number, number);
        }
        assert_eq!(
            slab.iter().map(|(number, _)| number).collect::<Vec<_>>(),
            [0, 63, 64, 127, 128, 1_000_000]
        );
        assert_eq!(slab.get(65), None);
        assert_eq!(slab.remove(1_000_000), Some(1_000_000));
        assert_eq!(slab.get(1_000_000), None);
    }
}
