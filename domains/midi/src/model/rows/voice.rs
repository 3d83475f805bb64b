//! Bends and aftertouch of a track.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kinds::{Chunk, Track};
use crate::model::index::controls::{END, Moment, START};
use crate::model::index::event_places::{Mark, Timeline};
use crate::values::{Channel, Pitch};

/// A pitch bend.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(kind = "bend", index = BendIndex)]
#[schemars(rename = "Bend")]
pub struct PitchBend {
    /// Its chunk.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its track.
    #[fcp(view, readonly, selector)]
    pub track: Id<Track>,
    /// Its position, in ticks.
    #[fcp(readonly, alias = "tick")]
    pub at: u64,
    /// From -8192 to 8191; 0 means unbent.
    #[fcp(readonly)]
    pub value: i32,
    /// Its channel.
    #[fcp(readonly, key = "ch", alias = "channel")]
    pub channel: Channel,
    /// Place and spelling.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub mark: Mark,
}

impl PitchBend {
    /// Its place among the events of its chunk.
    #[must_use]
    pub const fn moment(&self) -> Moment {
        (self.at, self.mark.pos, self.mark.seq)
    }

    /// The value of two data bytes.
    #[must_use]
    pub fn of_data([low, high]: [u8; 2]) -> i32 {
        (i32::from(high) << 7 | i32::from(low)) - 8192
    }

    /// Its two data bytes.
    #[must_use]
    pub fn data(&self) -> [u8; 2] {
        let value = u16::try_from(self.value.clamp(-8192, 8191) + 8192).unwrap_or(0);
        let [high, low] = (value << 1).to_be_bytes();
        [low >> 1, high]
    }
}

/// The bends in the order of the file, and by channel.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct BendIndex {
    /// All bends in the order of the file.
    pub time: Timeline,
    /// Chunk, channel, place, id.
    channels: BTreeSet<(u32, u8, Moment, u32)>,
}

impl BendIndex {
    fn entry(id: Id<PitchBend>, row: &PitchBend) -> (u32, u8, Moment, u32) {
        let (chunk, channel) = (row.chunk.number(), row.channel.get());
        (chunk, channel, row.moment(), id.number())
    }

    /// The first bend of a channel in a chunk after a moment.
    #[must_use]
    pub fn next(
        &self,
        chunk: Id<Chunk>,
        channel: Channel,
        moment: Moment,
    ) -> Option<Id<PitchBend>> {
        let (chunk, channel) = (chunk.number(), channel.get());
        let range = (chunk, channel, moment, u32::MAX)..=(chunk, channel, END, u32::MAX);
        let next = self.channels.range(range).next();
        next.map(|entry| Id::new(entry.3))
    }

    /// The bends of a channel in a chunk up to and including a tick, the last one first.
    pub fn up_to(
        &self,
        chunk: Id<Chunk>,
        channel: Channel,
        tick: u64,
    ) -> impl Iterator<Item = Id<PitchBend>> + use<'_> {
        let (chunk, channel) = (chunk.number(), channel.get());
        let last = (tick, u32::MAX, u32::MAX);
        let range = (chunk, channel, START, 0)..=(chunk, channel, last, u32::MAX);
        let found = self.channels.range(range).rev();
        found.map(|entry| Id::new(entry.3))
    }
}

impl RowIndex<PitchBend> for BendIndex {
    fn in_file(one: &PitchBend, other: &PitchBend) -> Ordering {
        Timeline::in_file(one, other)
    }
    fn insert(&mut self, id: Id<PitchBend>, row: &PitchBend) {
        self.time.insert(id, row);
        self.channels.insert(Self::entry(id, row));
    }
    fn remove(&mut self, id: Id<PitchBend>, row: &PitchBend) {
        self.time.remove(id, row);
        self.channels.remove(&Self::entry(id, row));
    }
    fn agrees(&self, other: &Self) -> bool {
        self == other
    }
}

/// Aftertouch: pressure on a key that is held, or on all of the channel.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(kind = "touch", plural = "touches", index = Timeline)]
#[schemars(rename = "Touch")]
pub struct Aftertouch {
    /// Its chunk.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its track.
    #[fcp(view, readonly, selector)]
    pub track: Id<Track>,
    /// Its position, in ticks.
    #[fcp(readonly, alias = "tick")]
    pub at: u64,
    /// The pressed key by name, C4; none for the whole channel.
    #[fcp(readonly)]
    pub pitch: Option<Pitch>,
    /// The pressure, from 0 to 127.
    #[fcp(readonly)]
    pub value: u8,
    /// Its channel.
    #[fcp(readonly, key = "ch", alias = "channel")]
    pub channel: Channel,
    /// Place and spelling.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub mark: Mark,
}

impl Aftertouch {
    /// Its status without the channel, and its data bytes.
    #[must_use]
    pub fn message(&self) -> (u8, [u8; 2]) {
        match self.pitch {
            Some(pitch) => (0xa0, [pitch.get(), self.value]),
            None => (0xd0, [self.value, 0]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bend_is_its_two_bytes() {
        for value in -8192..=8191 {
            let bend = PitchBend {
                chunk: Id::new(0),
                track: Id::new(0),
                at: 0,
                value,
                channel: Channel::FIRST,
                mark: Mark::default(),
            };
            assert!(bend.data().iter().all(|byte| *byte < 128));
            assert_eq!(PitchBend::of_data(bend.data()), value);
        }
        assert_eq!(PitchBend::of_data([0, 64]), 0);
    }
}
