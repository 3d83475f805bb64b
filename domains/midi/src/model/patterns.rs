//! Files of patterns, and the owner of a channel in a file of one chunk.

use fcp::prelude::*;

use super::{Chunk, Song, Timeline, Track};

impl Song {
    /// The track of a chunk in a file of patterns. In other files a chunk is not a song of its own.
    #[must_use]
    pub fn pattern(&self, chunk: Id<Chunk>) -> Option<Id<Track>> {
        if !self.is_patterns() {
            return None;
        }
        let mut tracks = self.tracks.iter();
        tracks.find(|(_, row)| row.chunk == chunk).map(|(id, _)| id)
    }

    /// The first pattern of a file of patterns.
    pub(crate) fn first_pattern(&self) -> Option<Id<Track>> {
        let first = self.ordered().next().filter(|_| self.is_patterns());
        first.map(|(id, _)| id)
    }

    /// Whether the rows of one chunk also apply to another: in a file of patterns each has its own.
    #[must_use]
    pub fn shares(&self, chunk: Id<Chunk>, other: Id<Chunk>) -> bool {
        !self.is_patterns() || chunk == other
    }

    /// The song row in effect among those exactly at a tick: the last of several.
    #[must_use]
    pub fn holds_at<T>(&self, time: &Timeline, chunk: Id<Chunk>, tick: u64) -> Option<Id<T>> {
        let here = time
            .iter()
            .filter(|(key, _)| key.tick == tick && self.shares(chunk, Id::new(key.chunk)));
        here.map(|(_, spot)| Id::new(spot.id)).last()
    }

    /// The track that a channel message in a chunk belongs to: in a file of format 0 the track of
    /// its channel.
    ///
    /// # Errors
    /// There is no such track.
    pub fn player(
        &self,
        chunk: Id<Chunk>,
        track: Option<Id<Track>>,
        channel: u8,
    ) -> Result<Option<Id<Track>>> {
        if self.file.header.format != 0 {
            return Ok(track);
        }
        let own = |(_, row): &(Id<Track>, &Track)| {
            row.chunk == chunk && row.channel.is_some_and(|own| own.get() == channel)
        };
        match self.tracks.iter().find(own) {
            Some((track, _)) => Ok(Some(track)),
            None => bail!("no track of this file plays on that channel"),
        }
    }
}
