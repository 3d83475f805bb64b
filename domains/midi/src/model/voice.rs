//! How a track sounds besides its notes: bends and aftertouch.

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::mark::{Mark, Timeline};
use super::rows::{Chunk, Track};
use crate::values::{Channel, Pitch};

/// A pitch bend.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(index = Timeline)]
pub struct Bend {
    /// The chunk it stands in.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// The track it belongs to.
    #[fcp(view, readonly, selector)]
    pub track: Id<Track>,
    /// Where it stands, in ticks.
    #[fcp(readonly)]
    pub at: u64,
    /// From -8192 to 8191; 0 is no bend.
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

impl Bend {
    /// The value that two data bytes stand for.
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

/// Aftertouch: pressure on a key that is held, or on all of the channel.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(plural = "touches", index = Timeline)]
pub struct Touch {
    /// The chunk it stands in.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// The track it belongs to.
    #[fcp(view, readonly, selector)]
    pub track: Id<Track>,
    /// Where it stands, in ticks.
    #[fcp(readonly)]
    pub at: u64,
    /// The key that is pressed; none for the whole channel.
    #[fcp(readonly)]
    pub pitch: Option<Pitch>,
    /// How hard, from 0 to 127.
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

impl Touch {
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
            let bend = Bend {
                chunk: Id::new(0),
                track: Id::new(0),
                at: 0,
                value,
                channel: Channel::FIRST,
                mark: Mark::default(),
            };
            assert!(bend.data().iter().all(|byte| *byte < 128));
            assert_eq!(Bend::of_data(bend.data()), value);
        }
        assert_eq!(Bend::of_data([0, 64]), 0);
    }
}
