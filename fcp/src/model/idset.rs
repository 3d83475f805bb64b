//! A sorted set of ids that can count the ids before each.

/// The largest number of ids in a page.
const PAGE: usize = 512;

/// Sorted ids in pages: inserting, removing and counting cost a page and the number of pages.
#[derive(Debug, Default)]
pub(super) struct IdSet {
    pages: Vec<Vec<u32>>,
    len: usize,
}

/// Sets with the same ids are equal, whatever their pages.
impl PartialEq for IdSet {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl Eq for IdSet {}

impl IdSet {
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The index of the page that an id belongs to.
    fn page(&self, id: u32) -> usize {
        let last = |page: &Vec<u32>| page.last().is_some_and(|last| *last < id);
        self.pages.partition_point(last)
    }

    pub fn insert(&mut self, id: u32) {
        let at = self.page(id).min(self.pages.len().saturating_sub(1));
        let Some(page) = self.pages.get_mut(at) else {
            self.pages.push(vec![id]);
            self.len += 1;
            return;
        };
        let Err(place) = page.binary_search(&id) else {
            return;
        };
        page.insert(place, id);
        self.len += 1;
        if page.len() > PAGE {
            // Ids that arrive in order leave full pages.
            let keep = if place == PAGE { PAGE } else { PAGE / 2 };
            let rest = page.split_off(keep);
            self.pages.insert(at + 1, rest);
        }
    }

    pub fn remove(&mut self, id: u32) {
        let at = self.page(id);
        let Some(page) = self.pages.get_mut(at) else {
            return;
        };
        let Ok(place) = page.binary_search(&id) else {
            return;
        };
        page.remove(place);
        self.len -= 1;
        if page.is_empty() {
            self.pages.remove(at);
        }
    }

    /// The number of ids before one in the set.
    pub fn rank(&self, id: u32) -> Option<usize> {
        let at = self.page(id);
        let place = self.pages.get(at)?.binary_search(&id).ok()?;
        let before = self.pages.iter().take(at).map(Vec::len);
        Some(before.sum::<usize>() + place)
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.pages.iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_sorted_set(changes in proptest::collection::vec((any::<bool>(), 0_u32..3_000), 0..4_000)) {
            let (mut ids, mut known) = (IdSet::default(), BTreeSet::new());
            for (comes, id) in changes {
                match comes {
                    true => {
                        ids.insert(id);
                        known.insert(id);
                    }
                    false => {
                        ids.remove(id);
                        known.remove(&id);
                    }
                }
            }
            prop_assert_eq!(ids.len(), known.len());
            prop_assert!(ids.iter().eq(known.iter().copied()));
            for (rank, id) in known.iter().enumerate().step_by(50) {
                prop_assert_eq!(ids.rank(*id), Some(rank));
            }
        }
    }
}
