//! Row ids: `#12`.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The id of a row of `T`. Ids count up from 1 across all tables of a model and are never reused,
/// except those that undo gave back.
pub struct Id<T> {
    number: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    /// The id with this number. Only the table knows whether the row exists.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self {
            number,
            kind: PhantomData,
        }
    }

    /// The number shown after `#`.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.number
    }
}

// Derives would require the same of `T`, which an id does not hold.
impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.number.cmp(&other.number)
    }
}
impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.number)
    }
}
impl<T> fmt::Display for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.number)
    }
}
impl<T> Serialize for Id<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number.serialize(serializer)
    }
}
impl<'de, T> Deserialize<'de> for Id<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer).map(Self::new)
    }
}
impl<T> schemars::JsonSchema for Id<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Id".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        u32::json_schema(generator)
    }
}

/// A row of any kind: its table in the model, and its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Row {
    part: u16,
    id: u32,
}

impl Row {
    /// The row `id` of the table at `part`.
    #[must_use]
    pub const fn new(part: usize, id: u32) -> Self {
        // No model is a struct with 65,536 fields.
        #[allow(clippy::cast_possible_truncation)]
        let part = part as u16;
        Self { part, id }
    }

    /// The index of the table in [`super::ModelShape::parts`].
    #[must_use]
    pub const fn part(self) -> usize {
        self.part as usize
    }

    /// The row's id.
    #[must_use]
    pub const fn id(self) -> u32 {
        self.id
    }

    /// The id as one of `T`'s, for a row of a table of `T`.
    #[must_use]
    pub const fn of<T>(self) -> Id<T> {
        Id::new(self.id)
    }
}

/// The counter that the rows of one model draw their ids from. It also limits the rows that an op
/// may make.
#[derive(Debug)]
pub struct Ids(Arc<Counter>);

#[derive(Debug)]
struct Counter {
    next: AtomicU32,
    /// An op is only tried, to suggest it as a repair.
    is_trial: AtomicBool,
    /// This trial ran out of room for rows.
    is_short: AtomicBool,
}

impl Default for Ids {
    fn default() -> Self {
        Self(Arc::new(Counter {
            next: AtomicU32::new(1),
            is_trial: AtomicBool::new(false),
            is_short: AtomicBool::new(false),
        }))
    }
}

impl Ids {
    /// The same counter, for another table.
    #[must_use]
    pub fn share(&self) -> Self {
        Self(Arc::clone(&self.0))
    }

    /// The most rows that one op makes.
    pub const MOST: u64 = 1_000_000;

    /// The most rows made to try a repair: it takes a few milliseconds. A repair that would make
    /// more is shown untried.
    const MOST_IN_TRIAL: u64 = 4_096;

    /// The number of rows of a selection that a trial uses.
    const SAMPLE: usize = 512;

    /// The id the next new row gets.
    #[must_use]
    pub fn peek(&self) -> u32 {
        self.0.next.load(Ordering::Relaxed)
    }

    /// Whether an op may make `rows` new rows in total.
    ///
    /// A verb that multiplies rows asks before it makes the first one, when all else is checked,
    /// and fails if not. There is less room while the op is only tried, as a repair of another one.
    #[must_use]
    pub fn have_room(&self, rows: u64) -> bool {
        rows <= Self::MOST && self.have_time(rows)
    }

    /// Whether an op may change `rows` rows. Only a trial has a limit.
    ///
    /// A verb that changes a whole document, whatever is selected, asks and fails if not.
    /// Selections may have any size, since a trial uses only some of their rows.
    #[must_use]
    pub fn have_time(&self, rows: u64) -> bool {
        let is_short = rows > Self::MOST_IN_TRIAL && self.is_trial();
        if is_short {
            self.0.is_short.store(true, Ordering::Relaxed);
        }
        !is_short
    }

    fn is_trial(&self) -> bool {
        self.0.is_trial.load(Ordering::Relaxed)
    }

    /// In a trial, keeps some of the rows, spread evenly, with the first and the last; otherwise
    /// keeps all.
    pub(crate) fn sample<T>(&self, rows: &mut Vec<T>) {
        let (len, mut ix, mut next) = (rows.len(), 0, 0);
        if len <= Self::SAMPLE || !self.is_trial() {
            return;
        }
        rows.retain(|_| {
            let stays = ix == next * (len - 1) / (Self::SAMPLE - 1);
            next += usize::from(stays);
            ix += 1;
            stays
        });
    }

    /// Begins or ends a trial. Returns whether the ended one ran out of room.
    pub(crate) fn trial(&self, begins: bool) -> bool {
        self.0.is_trial.store(begins, Ordering::Relaxed);
        self.0.is_short.swap(false, Ordering::Relaxed)
    }

    /// Draws an id.
    pub(crate) fn draw(&self) -> u32 {
        self.0.next.fetch_add(1, Ordering::Relaxed)
    }

    /// Whether an id was ever drawn.
    pub(crate) fn is_drawn(&self, id: u32) -> bool {
        id < self.0.next.load(Ordering::Relaxed)
    }

    /// Sets the counter, when undo gives ids back.
    pub(crate) fn set(&self, next: u32) {
        self.0.next.store(next, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_has_less_room_and_reports_when_it_runs_out() {
        let ids = Ids::default();
        assert!(ids.have_room(Ids::MOST));
        assert!(!ids.have_room(Ids::MOST + 1));
        ids.trial(true);
        assert!(ids.have_room(Ids::MOST_IN_TRIAL));
        assert!(!ids.trial(true));
        assert!(!ids.have_room(Ids::MOST_IN_TRIAL + 1));
        assert!(ids.trial(false));
        // A number too high for any op is not too high because of the trial.
        ids.trial(true);
        assert!(!ids.have_room(Ids::MOST + 1));
        assert!(!ids.trial(false));
        assert!(ids.have_room(Ids::MOST));
    }

    #[test]
    fn a_trial_is_made_with_some_of_the_rows() {
        let ids = Ids::default();
        let sample = |len: usize| {
            let mut rows: Vec<usize> = (0..len).collect();
            ids.sample(&mut rows);
            rows
        };
        assert_eq!(sample(9999).len(), 9999);
        ids.trial(true);
        for len in [0, 1, Ids::SAMPLE, Ids::SAMPLE + 1, 777, 9999, 500_000] {
            let rows = sample(len);
            assert_eq!(rows.len(), len.min(Ids::SAMPLE));
            assert_eq!(rows.first().copied(), (len > 0).then_some(0));
            assert_eq!(rows.last().copied(), len.checked_sub(1));
        }
    }
}
