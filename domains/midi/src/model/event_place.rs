//! The place of a new event: track, chunk, channel, tick.

use fcp::prelude::*;

use super::{Chunk, Track};
use crate::values::Channel;

/// The place of a channel event of a track.
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
