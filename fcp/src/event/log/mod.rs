//! A sequence of entries with a cursor.
//!
//! The sequence is kept as a gap buffer whose gap is the cursor: `past` lies before it, `ahead` (the redo tail) after
//! it. So undo and redo cost by the entries they pass, and cutting the redo tail, or putting it back when a batch is
//! rolled back, costs nothing that grows with the tail.
//!
//! A checkpoint is a sentinel: it takes a place in the sequence and counts in no undo, redo or listing. Checkpoints are
//! known by two numbers that no later edit moves: their position, and how many entries precede them (their ordinal).

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::mem;

use serde::{Deserialize, Serialize};

mod checkpoint;
mod save;

use checkpoint::Mark;
pub use checkpoint::{Checkpoint, CheckpointError, Place, Since};
pub use save::Savepoint;

/// The weight of a sentinel beside its name, in bytes.
const SENTINEL_WEIGHT: usize = 64;

/// One undoable step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<E> {
    /// Names the state this entry leads to. Counts up from 1.
    pub serial: u64,
    /// The call it came from; see [`EventLog::begin_batch`].
    pub batch: u64,
    /// What it costs to keep, in bytes, as said to [`EventLog::append`].
    pub weight: usize,
    /// What happened.
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
    /// Places, and entries among them, that were dropped at the oldest end.
    dropped_places: usize,
    dropped_entries: usize,
    /// The serial of the last entry that was dropped, or 0.
    floor: u64,
    /// Entries that were dropped and not taken since.
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

    /// How many entries this is (0 or 1), and its weight.
    fn size(&self) -> (usize, usize) {
        match self {
            Self::Entry(entry) => (1, entry.weight),
            Self::Sentinel(name) => (0, name.len().saturating_add(SENTINEL_WEIGHT)),
        }
    }
}

/// The redo tail, the item next to the cursor last.
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

/// How far undo and redo go.
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
    /// An empty log that keeps entries of at most `limit` bytes together. The newest applied entry is kept even if it
    /// alone weighs more, so that the last op can always be undone.
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

    /// Starts a new call: entries appended from here on belong to it. Answers its number.
    pub fn begin_batch(&mut self) -> u64 {
        self.batch += 1;
        self.batch
    }

    /// Adds what was just done, which weighs `weight` bytes, and cuts the redo tail. Answers the entry's serial.
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

    /// Goes back over `n` entries, or as many as there are; answers them newest first.
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

    /// Goes back over the entries of the call that the last applied entry came from; answers them newest first.
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

    /// Goes forward over `n` undone entries, or as many as there are, and over the sentinels that follow the last of
    /// them, so that a checkpoint made at the state that is reached outlives the next append. Answers the entries
    /// oldest first.
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

    /// Entries that can be undone.
    #[must_use]
    pub const fn undoable(&self) -> usize {
        self.past_entries
    }

    /// Entries that can be redone.
    #[must_use]
    pub const fn redoable(&self) -> usize {
        self.ahead.entries
    }

    /// How far undo and redo go, and whether older entries were dropped.
    #[must_use]
    pub const fn reach(&self) -> Reach {
        Reach {
            undo: self.past_entries,
            redo: self.ahead.entries,
            dropped: self.dropped_entries,
        }
    }

    /// Names the present state: the serial of the last applied entry, or 0 if there never was one. Checkpoints do not
    /// change it. Two equal ids mean the same state, so a document is unsaved when this differs from what it was at
    /// the last save.
    #[must_use]
    pub fn state_id(&self) -> u64 {
        self.applied()
            .next_back()
            .map_or(self.floor, |entry| entry.serial)
    }

    /// The entries that were dropped since [`Self::take_spilled`] was called last, oldest first.
    pub fn spilled(&self) -> impl Iterator<Item = &Entry<E>> {
        self.spilled.iter()
    }

    /// Hands over the entries that were dropped to save memory since the last call, oldest first.
    pub fn take_spilled(&mut self) -> Vec<Entry<E>> {
        mem::take(&mut self.spilled)
    }

    /// Places held in the sequence, sentinels counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.past.len() + self.ahead.items.len()
    }

    /// Whether nothing is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Places before the cursor, sentinels counted.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.past.len()
    }

    /// What is held, in bytes.
    #[must_use]
    pub const fn weight(&self) -> usize {
        self.past_weight.saturating_add(self.ahead.weight)
    }

    /// What may be held, in bytes.
    #[must_use]
    pub const fn limit(&self) -> usize {
        self.limit
    }

    /// Changes what may be held, in bytes. Drops the oldest entries that are then too many; never undone ones.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        self.spill();
    }

    /// The cursor, dropped places counted.
    fn position(&self) -> usize {
        self.dropped_places + self.past.len()
    }

    /// The entries before the cursor, dropped ones counted.
    const fn ordinal(&self) -> usize {
        self.dropped_entries + self.past_entries
    }

    /// Cuts the redo tail and forgets the checkpoints in it.
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
            // A name without a sentinel stands for a state. If that is the present one it stays, and moves to the
            // present place, since its own is cut.
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

    /// Drops the oldest entries while the log is too heavy. Waits while a savepoint is open, since a rollback gives
    /// everything back.
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
