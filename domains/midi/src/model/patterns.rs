//! Files of patterns, and the owner of a channel in a file of one chunk.

use fcp::prelude::*;

use super::{Chunk, Song, SongIndex, Track};

impl Song {
    /// The track of a chunk in a file of patterns. In other files a chunk is not a song of its own.
    #[must_use]
    pub fn pattern(&self, chunk: Id<Chunk>) -> Option<Id<Track>> {
        if !self.is_patterns() {
            return None;
        }
        self.tracks.index().of(chunk).next()
    }

    /// The chunk, if it has song rows of its own: in a file of patterns.
    #[must_use]
    pub fn of_its_own(&self, chunk: Id<Chunk>) -> Option<Id<Chunk>> {
        self.is_patterns().then_some(chunk)
    }

    /// The track of a row; for a row of the song in a file of patterns its pattern.
    #[must_use]
    pub fn owner_of(&self, row: Row) -> Option<Id<Track>> {
        let pattern = || self.pattern(self.chunk_of(row)?);
        self.track_of(row).or_else(pattern)
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
    pub fn holds_at<T, M>(
        &self,
        rows: &SongIndex<M>,
        chunk: Id<Chunk>,
        tick: u64,
    ) -> Option<Id<T>> {
        let last = rows.up_to(self.of_its_own(chunk), tick);
        last.filter(|(at, _)| *at == tick).map(|(_, id)| id)
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
        let own = |id: &Id<Track>| {
            let own = self.tracks.get(*id).and_then(|row| row.channel);
            own.is_some_and(|own| own.get() == channel)
        };
        match self.tracks.index().of(chunk).find(own) {
            Some(track) => Ok(Some(track)),
            None => bail!("no track of this file plays on that channel"),
        }
    }
}
