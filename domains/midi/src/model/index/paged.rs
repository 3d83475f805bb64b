//! A sorted map of small entries in pages.
//!
//! What a B-tree does, but quicker to make of entries that are in order, quicker to drop, and quicker to add to at its
//! end, which is where music is written. A song of a million events is indexed anew in half the time.

use std::ops::{Bound, RangeBounds};

/// The most entries of a page: to make room in one is to move a few thousand bytes.
const MOST: usize = 128;

/// The entries of a page that was just made of many: some can be added before it is parted.
const FILL: usize = 96;

/// Two pages that hold no more than this together become one.
const FEW: usize = MOST / 2;

/// A map from keys to values, in the order of the keys.
#[derive(Clone, Debug)]
pub(in crate::model) struct Paged<K, V> {
    /// Each with its first key; none is empty.
    pages: Vec<(K, Vec<(K, V)>)>,
    len: usize,
}

/// Where an entry is: which page, and which entry of it. Behind the last entry of a page is the first of the next.
type Place = (usize, usize);

impl<K, V> Default for Paged<K, V> {
    fn default() -> Self {
        Self {
            pages: Vec::new(),
            len: 0,
        }
    }
}

impl<K: Copy + Ord, V: Copy> Paged<K, V> {
    /// Makes the map of entries that come in order. Of two with one key the later counts.
    pub(in crate::model) fn of_sorted(entries: impl Iterator<Item = (K, V)>) -> Self {
        let mut new = Self::default();
        let mut page: Vec<(K, V)> = Vec::with_capacity(FILL);
        for entry in entries {
            if let Some(last) = page.last_mut().filter(|last| last.0 == entry.0) {
                *last = entry;
                continue;
            }
            if page.len() == FILL {
                new.append(std::mem::replace(&mut page, Vec::with_capacity(FILL)));
            }
            page.push(entry);
        }
        page.shrink_to_fit();
        new.append(page);
        new
    }

    fn append(&mut self, page: Vec<(K, V)>) {
        self.len += page.len();
        let first = page.first().map(|(key, _)| *key);
        self.pages.extend(first.map(|first| (first, page)));
    }

    pub(in crate::model) const fn len(&self) -> usize {
        self.len
    }

    pub(in crate::model) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts a value at a key, instead of the one there.
    pub(in crate::model) fn insert(&mut self, key: K, value: V) {
        let at = self.page_of(&key);
        let Some((first, page)) = self.pages.get_mut(at) else {
            self.append(vec![(key, value)]);
            return;
        };
        let ix = match page.binary_search_by(|entry| entry.0.cmp(&key)) {
            Ok(ix) => {
                page[ix].1 = value;
                return;
            }
            Err(ix) => ix,
        };
        self.len += 1;
        if page.len() < MOST {
            page.insert(ix, (key, value));
            *first = page[0].0;
            return;
        }
        // What is written on at the end leaves full pages behind it.
        let is_end = at + 1 == self.pages.len() && ix == MOST;
        let (own, page) = &mut self.pages[at];
        let mut behind = Vec::with_capacity(MOST);
        behind.extend(page.drain(if is_end { MOST } else { MOST / 2 }..));
        if ix < page.len() {
            page.insert(ix, (key, value));
            *own = page[0].0;
        } else {
            behind.insert(ix - page.len(), (key, value));
        }
        self.pages.insert(at + 1, (behind[0].0, behind));
    }

    /// Takes the value at a key, if it is this one.
    pub(in crate::model) fn remove(&mut self, key: &K, value: &V)
    where
        V: PartialEq,
    {
        let at = self.page_of(key);
        let Some((first, page)) = self.pages.get_mut(at) else {
            return;
        };
        let found = page.binary_search_by(|entry| entry.0.cmp(key));
        let Some(ix) = found.ok().filter(|ix| page[*ix].1 == *value) else {
            return;
        };
        page.remove(ix);
        self.len -= 1;
        if let Some((key, _)) = page.first() {
            *first = *key;
        }
        if page.is_empty() {
            self.pages.remove(at);
        } else if !self.join(at) && at > 0 {
            self.join(at - 1);
        }
    }

    /// Makes a page and the one behind it one, if they hold few together. Says whether they did.
    fn join(&mut self, at: usize) -> bool {
        let length = |at: usize| self.pages.get(at).map(|(_, page)| page.len());
        let few = length(at).zip(length(at + 1));
        let few = few.is_some_and(|(own, next)| own + next <= FEW);
        if few {
            let (_, next) = self.pages.remove(at + 1);
            self.pages[at].1.extend(next);
        }
        few
    }

    /// The entries from one key to another, in order.
    pub(in crate::model) fn range(&self, keys: impl RangeBounds<K>) -> Run<'_, K, V> {
        let from = match keys.start_bound() {
            Bound::Unbounded => (0, 0),
            Bound::Included(key) => self.place(|own| own < key),
            Bound::Excluded(key) => self.place(|own| own <= key),
        };
        let to = match keys.end_bound() {
            Bound::Unbounded => (self.pages.len(), 0),
            Bound::Included(key) => self.place(|own| own <= key),
            Bound::Excluded(key) => self.place(|own| own < key),
        };
        Run {
            pages: &self.pages,
            from,
            to: to.max(from),
        }
    }

    /// Every entry, in order.
    pub(in crate::model) fn iter(&self) -> Run<'_, K, V> {
        self.range(..)
    }

    /// The page that a key is in, or would be.
    fn page_of(&self, key: &K) -> usize {
        let pages = self.pages.partition_point(|(first, _)| first <= key);
        pages.saturating_sub(1)
    }

    /// The place of the first entry whose key is not before another.
    fn place(&self, before: impl Fn(&K) -> bool) -> Place {
        let page = self.pages.partition_point(|(first, _)| before(first));
        let Some((at, (_, entries))) = page
            .checked_sub(1)
            .and_then(|at| Some((at, self.pages.get(at)?)))
        else {
            return (0, 0);
        };
        match entries.partition_point(|(key, _)| before(key)) {
            ix if ix == entries.len() => (page, 0),
            ix => (at, ix),
        }
    }
}

// Where pages end is nobody's business.
impl<K: Copy + Ord, V: Copy + PartialEq> PartialEq for Paged<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<K: Copy + Ord, V: Copy + Eq> Eq for Paged<K, V> {}

/// Entries that follow each other.
#[derive(Debug)]
pub(in crate::model) struct Run<'a, K, V> {
    pages: &'a [(K, Vec<(K, V)>)],
    from: Place,
    to: Place,
}

impl<K, V> Clone for Run<'_, K, V> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<K: Copy, V: Copy> Iterator for Run<'_, K, V> {
    type Item = (K, V);

    fn next(&mut self) -> Option<(K, V)> {
        if self.from >= self.to {
            return None;
        }
        let (at, ix) = self.from;
        let (_, page) = self.pages.get(at)?;
        self.from = if ix + 1 == page.len() {
            (at + 1, 0)
        } else {
            (at, ix + 1)
        };
        page.get(ix).copied()
    }
}

impl<K: Copy, V: Copy> DoubleEndedIterator for Run<'_, K, V> {
    fn next_back(&mut self) -> Option<(K, V)> {
        if self.from >= self.to {
            return None;
        }
        let (at, ix) = self.to;
        self.to = match ix.checked_sub(1) {
            Some(ix) => (at, ix),
            None => {
                let at = at.checked_sub(1)?;
                (at, self.pages.get(at)?.1.len().checked_sub(1)?)
            }
        };
        let (at, ix) = self.to;
        self.pages.get(at)?.1.get(ix).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn check(own: &Paged<u16, u8>, map: &BTreeMap<u16, u8>) {
        let wanted: Vec<(u16, u8)> = map.iter().map(|(key, value)| (*key, *value)).collect();
        assert_eq!(own.iter().collect::<Vec<_>>(), wanted);
        assert_eq!(own.len(), wanted.len());
        for (first, page) in &own.pages {
            assert_eq!(page.first().map(|(key, _)| key), Some(first));
            assert!(page.len() <= MOST);
        }
    }

    proptest! {
        #[test]
        fn it_holds_what_a_map_holds(
            begun in proptest::collection::btree_map(0_u16..2000, 0_u8..4, 0..900),
            // Runs of keys, so that pages fill and empty.
            steps in proptest::collection::vec((0_u16..2000, 1_u16..300, 0_u8..4, any::<bool>()), 1..12),
            asked in proptest::collection::vec((0_u16..2100, 0_u16..2100), 20),
        ) {
            let mut map = begun;
            let mut own = Paged::of_sorted(map.iter().map(|(key, value)| (*key, *value)));
            check(&own, &map);
            for (from, count, value, goes) in steps {
                for key in from..from + count {
                    if goes {
                        own.remove(&key, &value);
                        if map.get(&key) == Some(&value) {
                            map.remove(&key);
                        }
                    } else {
                        own.insert(key, value);
                        map.insert(key, value);
                    }
                }
                check(&own, &map);
            }
            let copied = |(key, value): (&u16, &u8)| (*key, *value);
            for (one, two) in asked {
                let (low, high) = (one.min(two), one.max(two));
                prop_assert!(own.range(low..high).eq(map.range(low..high).map(copied)));
                prop_assert!(own.range(low..=high).eq(map.range(low..=high).map(copied)));
                prop_assert!(own.range(..low).rev().eq(map.range(..low).rev().map(copied)));
                prop_assert!(own.range(low..).rev().eq(map.range(low..).rev().map(copied)));
                prop_assert_eq!(own.range(one..two).count(), if one < two { map.range(one..two).count() } else { 0 });
                // From both ends to the middle.
                let (mut run, mut wanted) = (own.range(low..=high), map.range(low..=high).map(copied));
                loop {
                    let ends = (run.next(), run.next_back());
                    prop_assert_eq!(ends, (wanted.next(), wanted.next_back()));
                    if ends == (None, None) {
                        break;
                    }
                }
            }
            let again = Paged::of_sorted(map.iter().map(copied));
            prop_assert_eq!(own, again);
        }
    }
}
