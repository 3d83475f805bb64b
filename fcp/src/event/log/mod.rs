//! A sequence of entries with a cursor.
//!
//! The sequence is a gap buffer whose gap is the cursor: `past` is before it, `ahead` (the redo
//! tail) after it. So undo and redo cost by the entries they pass, and clearing the redo tail, or
//! restoring it when a batch is rolled back, has a cost that does not grow with the tail.
//!
//! A checkpoint is a sentinel: it takes a place in the sequence but does not count in undo, redo or
//! listings. Checkpoints are identified by two numbers that no later edit changes: their position,
//! and the number of entries before them (their ordinal).

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::mem;

use serde::{Deserialize, Serialize};

mod checkpoint;
mod save;

use checkpoint::Mark;
pub use checkpoint::{Checkpoint, CheckpointError, Place, Since};
pub use save::Savepoint;

/// The weight of a sentinel, besides its name, in bytes.
const SENTINEL_WEIGHT: usize = 64;

/// One undoable step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<E> {
    /// The id of the state that this entry leads to. Counts up from 1.
    pub serial: u64,
    /// The call it came from; see [`EventLog::begin_batch`].
    pub batch: u64,
    /// Its weight in bytes, as given to [`EventLog::append`].
    pub weight: usize,
    /// The recorded event.
    pub event: E,
}

/// The log of a document. See the [module](self).
pub struct EventLog<E> {
    past: VecDeque<Item<E>>,
    past_entries: usize,
    past_weight: usize,
    ahead: Ahead<E>,
    checkpoints: BTreeMap<String, Mark>,
    limit: usize,
    next_serial: u64,
    batch: u64,
    /// Places dropped at the oldest end, and the entries among them.
    dropped_places: usize,
    dropped_entries: usize,
    /// The serial of the last dropped entry, or 0.
    floor: u64,
    /// Entries that were dropped and not yet taken.
    spilled: Vec<Entry<E>>,
    saves: save::Saves<E>,
}

#[derive(Debug)]
enum Item<E> {
    Entry(Entry<E>),
    Sentinel(String),
}

impl<E> Item<E> {
    fn entry(&self) -> Option<&Entry<E>> {
        match self {
            Self::Entry(entry) => Some(entry),
            Self::Sentinel(_) => None,
        }
    }

    /// The number of entries (0 or 1), and the weight.
    fn size(&self) -> (usize, usize) {
        match self {
            Self::Entry(entry) => (1, entry.weight),
            Self::Sentinel(name) => (0, name.len().saturating_add(SENTINEL_WEIGHT)),
        }
    }
}

/// The redo tail; the item next to the cursor is last.
#[derive(Debug)]
struct Ahead<E> {
    items: Vec<Item<E>>,
    entries: usize,
    weight: usize,
}

impl<E> Default for Ahead<E> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            entries: 0,
            weight: 0,
        }
    }
}

/// The extent of undo and redo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Entries that can be undone.
    pub undo: usize,
    /// Entries that can be redone.
    pub redo: usize,
    /// Older entries that were dropped to save memory.
    pub dropped: usize,
}

impl<E> Default for EventLog<E> {
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl<E: fmt::Debug> fmt::Debug for EventLog<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventLog")
            .field("past", &self.past)
            .field("ahead", &self.ahead.items)
            .field("checkpoints", &self.checkpoints)
            .finish_non_exhaustive()
    }
}

impl<E> EventLog<E> {
    /// An empty log that keeps entries of at most `limit` bytes in total. The newest applied entry
    /// is kept even if it alone exceeds the limit, so that the last op can always be undone.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            past: VecDeque::new(),
            past_entries: 0,
            past_weight: 0,
            ahead: Ahead::default(),
            checkpoints: BTreeMap::new(),
            limit,
            next_serial: 1,
            batch: 0,
            dropped_places: 0,
            dropped_entries: 0,
            floor: 0,
            spilled: Vec::new(),
            saves: save::Saves::default(),
        }
    }

    /// Starts a new call: entries appended from now on belong to it. Returns its number.
    pub fn begin_batch(&mut self) -> u64 {
        self.batch += 1;
        self.batch
    }

    /// Adds an event of `weight` bytes and clears the redo tail. Returns the entry's serial.
    pub fn append(&mut self, event: E, weight: usize) -> u64 {
        self.cut();
        let serial = self.next_serial;
        self.next_serial += 1;
        self.push(Item::Entry(Entry {
            serial,
            batch: self.batch,
            weight,
            event,
        }));
        self.saves.pushed();
        self.spill();
        serial
    }

    /// Goes back over `n` entries, or as many as there are; returns them newest first.
    pub fn undo(&mut self, n: usize) -> Vec<&Entry<E>> {
        let n = n.min(self.past_entries);
        let (mut entries, mut places) = (0, 0);
        for item in self.past.iter().rev() {
            if entries == n {
                break;
            }
            places += 1;
            entries += item.size().0;
        }
        self.step_back(places);
        newest_first(&self.ahead.items, places)
    }

    /// Goes back over the entries of the call that the last applied entry came from; returns them
    /// newest first.
    pub fn undo_batch(&mut self) -> Vec<&Entry<E>> {
        let Some(batch) = self.applied().next_back().map(|entry| entry.batch) else {
            return Vec::new();
        };
        let n = self
            .applied()
            .rev()
            .take_while(|entry| entry.batch == batch)
            .count();
        self.undo(n)
    }

    /// Goes forward over `n` undone entries, or as many as there are, and over the sentinels after
    /// the last of them, so that a checkpoint at the new state survives the next append. Returns
    /// the entries oldest first.
    pub fn redo(&mut self, n: usize) -> Vec<&Entry<E>> {
        let n = n.min(self.ahead.entries);
        let (mut entries, mut places) = (0, 0);
        for item in self.ahead.items.iter().rev() {
            if n == 0 || (entries == n && item.entry().is_some()) {
                break;
            }
            places += 1;
            entries += item.size().0;
        }
        self.step_forward(places);
        let start = self.past.len().saturating_sub(places);
        self.past.range(start..).filter_map(Item::entry).collect()
    }

    /// The applied entries, oldest first.
    pub fn applied(&self) -> impl DoubleEndedIterator<Item = &Entry<E>> {
        self.past.iter().filter_map(Item::entry)
    }

    /// The undone entries that can be redone, oldest (next to be redone) first.
    pub fn undone(&self) -> impl DoubleEndedIterator<Item = &Entry<E>> {
        self.ahead.items.iter().rev().filter_map(Item::entry)
    }

    /// The last `n` applied entries, oldest first.
    #[must_use]
    pub fn recent(&self, n: usize) -> Vec<&Entry<E>> {
        let mut entries: Vec<_> = self.applied().rev().take(n).collect();
        entries.reverse();
        entries
    }

    /// The number of entries that can be undone.
    #[must_use]
    pub const fn undoable(&self) -> usize {
        self.past_entries
    }

    /// The number of entries that can be redone.
    #[must_use]
    pub const fn redoable(&self) -> usize {
        self.ahead.entries
    }

    /// The extent of undo and redo, and the number of older entries that were dropped.
    #[must_use]
    pub const fn reach(&self) -> Reach {
        Reach {
            undo: self.past_entries,
            redo: self.ahead.entries,
            dropped: self.dropped_entries,
        }
    }

    /// The id of the present state: the serial of the last applied entry, or 0 if there never was
    /// one. Checkpoints do not change it. Equal ids mean equal states, so a document is unsaved if
    /// this differs from its value at the last save.
    #[must_use]
    pub fn state_id(&self) -> u64 {
        self.applied()
            .next_back()
            .map_or(self.floor, |entry| entry.serial)
    }

    /// The entries that were dropped since the last call of [`Self::take_spilled`], oldest first.
    pub fn spilled(&self) -> impl Iterator<Item = &Entry<E>> {
        self.spilled.iter()
    }

    /// Takes the entries that were dropped to save memory since the last call, oldest first.
    pub fn take_spilled(&mut self) -> Vec<Entry<E>> {
        mem::take(&mut self.spilled)
    }

    /// The number of places in the sequence, including sentinels.
    #[must_use]
    pub fn len(&self) -> usize {
        self.past.len() + self.ahead.items.len()
    }

    /// Whether the sequence is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of places before the cursor, including sentinels.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.past.len()
    }

    /// The weight of the sequence, in bytes.
    #[must_use]
    pub const fn weight(&self) -> usize {
        self.past_weight.saturating_add(self.ahead.weight)
    }

    /// The limit of the weight, in bytes.
    #[must_use]
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// Changes the limit of the weight, in bytes. Drops the oldest entries beyond it, but never
    /// undone ones.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        self.spill();
    }

    /// The cursor, including dropped places.
    fn position(&self) -> usize {
        self.dropped_places + self.past.len()
    }

    /// The number of entries before the cursor, including dropped ones.
    const fn ordinal(&self) -> usize {
        self.dropped_entries + self.past_entries
    }

    /// Clears the redo tail and the checkpoints in it.
    fn cut(&mut self) {
        if self.ahead.items.is_empty() {
            return;
        }
        let (position, ordinal) = (self.position(), self.ordinal());
        let saves = &mut self.saves;
        self.checkpoints.retain(|name, mark| {
            if mark.position < position || (mark.position == position && !mark.sentinel) {
                return true;
            }
            saves.named(name, Some(*mark));
            // A name without a sentinel means a state. If that is the present one, the name stays
            // and moves to the present place, since its own is cleared.
            mark.position = position;
            !mark.sentinel && mark.ordinal == ordinal
        });
        saves.cut(mem::take(&mut self.ahead));
    }

    fn push(&mut self, item: Item<E>) {
        let (entries, weight) = item.size();
        self.past_entries += entries;
        self.past_weight = self.past_weight.saturating_add(weight);
        self.past.push_back(item);
    }

    fn pop(&mut self) -> Option<Item<E>> {
        let item = self.past.pop_back()?;
        let (entries, weight) = item.size();
        self.past_entries -= entries;
        self.past_weight = self.past_weight.saturating_sub(weight);
        Some(item)
    }

    fn step_back(&mut self, places: usize) {
        for _ in 0..places {
            let Some(item) = self.pop() else { break };
            let (entries, weight) = item.size();
            self.ahead.entries += entries;
            self.ahead.weight = self.ahead.weight.saturating_add(weight);
            self.ahead.items.push(item);
        }
        self.saves.moved_back(places);
    }

    fn step_forward(&mut self, places: usize) {
        for _ in 0..places {
            let Some(item) = self.ahead.items.pop() else {
                break;
            };
            let (entries, weight) = item.size();
            self.ahead.entries -= entries;
            self.ahead.weight = self.ahead.weight.saturating_sub(weight);
            self.push(item);
        }
        self.saves.moved_forward(places);
    }

    /// Drops the oldest entries while the log is over its limit. Waits while a savepoint is open,
    /// since a rollback restores everything.
    fn spill(&mut self) {
        if self.saves.is_open() {
            return;
        }
        while self.weight() > self.limit && self.past_entries > 1 {
            let Some(item) = self.past.pop_front() else {
                break;
            };
            let (entries, weight) = item.size();
            self.past_entries -= entries;
            self.past_weight = self.past_weight.saturating_sub(weight);
            self.dropped_places += 1;
            self.dropped_entries += entries;
            if let Item::Entry(entry) = item {
                self.floor = entry.serial;
                self.spilled.push(entry);
            }
        }
    }
}

/// The entries among the last `places` items of the redo tail, newest first.
fn newest_first<E>(items: &[Item<E>], places: usize) -> Vec<&Entry<E>> {
    let start = items.len().saturating_sub(places);
    items
        .get(start..)
        .unwrap_or(&[])
        .iter()
        .filter_map(Item::entry)
        .collect()
}
