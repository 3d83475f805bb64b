//! The place of a new event: track, chunk, channel, tick.

use fcp::prelude::*;

use super::{Chunk, Track};
use crate::values::Channel;

/// Where an event of a track is to stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The track.
    pub track: Id<Track>,
    /// Its chunk.
    pub chunk: Id<Chunk>,
    /// The channel.
    pub channel: Channel,
    /// The tick.
    pub at: u64,
}
