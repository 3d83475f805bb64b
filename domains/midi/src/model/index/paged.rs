//! A sorted map of small entries in pages.
//!
//! Like a B-tree, but faster to build from sorted entries, to drop, and to append to, which is
//! where music is written. Indexing a song of a million events takes half the time.

use std::ops::{Bound, RangeBounds};

use fcp::work;

/// The most entries of a page: inserting into one moves a few thousand bytes.
const MOST: usize = 128;

/// Entries per page after a bulk load: some can be added before it is split.
const FILL: usize = 96;

/// Two adjacent pages with at most this many entries together are joined.
const FEW: usize = MOST / 2;

/// The entries that an iterator passes in the time of one step.
const ENTRIES_A_STEP: usize = 8;

/// A map from keys to values, in the order of the keys.
#[derive(Clone, Debug)]
pub(in crate::model) struct Paged<K, V> {
    /// Pages with their first keys; none is empty.
    pages: Vec<(K, Vec<(K, V)>)>,
    len: usize,
}

/// A place: page and entry in it. After the last entry of a page comes the first of the next.
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
    /// Builds the map from sorted entries. Of two with one key, the later counts.
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

    /// Sets the value of a key.
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
        // Appending leaves full pages.
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

    /// Removes a key, if it has this value.
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

    /// Joins a page and the next, if they hold few entries together. Returns whether they did.
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

    /// The number of entries before a key.
    pub(in crate::model) fn rank(&self, key: &K) -> usize {
        let (at, ix) = self.place(|own| own < key);
        let before = self.pages.iter().take(at);
        before.map(|(_, page)| page.len()).sum::<usize>() + ix
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

    /// The entries from one key to another, in order, page by page: a loop over the entries of a
    /// slice takes half the time of one over [`range`](Self::range). Each page that is passed counts
    /// as steps of the call.
    pub(in crate::model) fn slices<R: RangeBounds<K>>(
        &self,
        keys: R,
    ) -> impl Iterator<Item = &[(K, V)]> + use<'_, K, V, R> {
        let Run { pages, from, to } = self.range(keys);
        (from.0..=to.0).filter_map(move |at| {
            let (_, page) = pages.get(at)?;
            let start = if at == from.0 { from.1 } else { 0 };
            let end = if at == to.0 { to.1 } else { page.len() };
            if start < end && end == page.len() {
                count(end);
            }
            page.get(start..end)
        })
    }

    /// Every entry, in order.
    pub(in crate::model) fn iter(&self) -> Run<'_, K, V> {
        self.range(..)
    }

    /// The page of a key, present or not.
    fn page_of(&self, key: &K) -> usize {
        let pages = self.pages.partition_point(|(first, _)| first <= key);
        pages.saturating_sub(1)
    }

    /// The place of the first entry whose key is not `before`.
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

// The page boundaries do not matter.
impl<K: Copy + Ord, V: Copy + PartialEq> PartialEq for Paged<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<K: Copy + Ord, V: Copy + Eq> Eq for Paged<K, V> {}

/// Counts the entries of a page as steps of the call, which fails at its next check.
fn count(entries: usize) {
    let _ = work::spend(entries / ENTRIES_A_STEP);
}

/// Consecutive entries. Each page that is passed counts as steps of the call.
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
            count(page.len());
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
                let page = &self.pages.get(at)?.1;
                count(page.len());
                (at, page.len().checked_sub(1)?)
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
        fn it_equals_a_map(
            begun in proptest::collection::btree_map(0_u16..2000, 0_u8..4, 0..900),
            // Runs of keys, so that pages fill up and empty.
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
                prop_assert_eq!(own.rank(&one), map.range(..one).count());
                prop_assert!(own.range(low..high).eq(map.range(low..high).map(copied)));
                prop_assert!(own.range(low..=high).eq(map.range(low..=high).map(copied)));
                prop_assert!(own.slices(low..=high).flatten().copied().eq(map.range(low..=high).map(copied)));
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
