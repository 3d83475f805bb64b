//! Chunks that change places, with all that stands in them.

use std::collections::BTreeMap;

use fcp::prelude::*;

use crate::model::rows::kinds::{Chunk, RawEvent, Track};
use crate::model::song::Song;
use crate::model::tables::part;

impl Song {
    /// Whether a row is the event that names a chunk.
    #[must_use]
    pub fn names_track(&self, row: Row) -> bool {
        let other = self.others.get(row.of());
        row.part() == part::<RawEvent>()
            && other.is_some_and(|other| other.is_name() || self.is_own_prefix(other))
    }

    /// Forgets that a track that is gone was muted, or solo: else no other would be heard.
    pub fn forget_mute(&mut self, track: Id<Track>) {
        let number = track.number();
        if self.mutes.muted.contains(&number) || self.mutes.solo.contains(&number) {
            self.mutes.modify(|mutes| {
                mutes.muted.remove(&number);
                mutes.solo.remove(&number);
            });
        }
    }

    /// Mutes a track, or lets it be heard. Says whether that made a difference.
    pub fn mute(&mut self, track: Id<Track>, on: bool) -> bool {
        let number = track.number();
        let differs = self.mutes.muted.contains(&number) != on;
        if differs {
            self.mutes.modify(|mutes| {
                if on {
                    mutes.muted.insert(number);
                } else {
                    mutes.muted.remove(&number);
                }
            });
        }
        differs
    }

    /// Lets a track be heard alone, or with the others. Says whether that made a difference.
    pub fn solo(&mut self, track: Id<Track>, on: bool) -> bool {
        let number = track.number();
        let differs = self.mutes.solo.contains(&number) != on;
        if differs {
            self.mutes.modify(|mutes| {
                if on {
                    mutes.solo.insert(number);
                } else {
                    mutes.solo.remove(&number);
                }
            });
        }
        differs
    }

    /// Lets chunks hold what others held: what stood in the first of each pair stands in the second. The track that this
    /// is done for is the last to change, so that it is the most recent of all that do.
    ///
    /// # Errors
    /// One is gone.
    pub fn exchange(
        &mut self,
        chunks: &BTreeMap<Id<Chunk>, Id<Chunk>>,
        moved: Id<Track>,
    ) -> Result<()> {
        let mut moving: Vec<(Id<Chunk>, Row)> = Vec::new();
        let mut contents = Vec::new();
        for (from, to) in chunks {
            let mut rows = Vec::new();
            self.starting(*from, 0, u64::MAX, &mut rows);
            moving.extend(rows.into_iter().map(|(_, row)| (*to, row)));
            contents.push((*to, self.chunks.need(*from)?.clone()));
        }
        for (to, content) in contents {
            self.chunks.modify(to, |chunk| *chunk = content);
        }
        for (chunk, row) in moving {
            self.rehome(row, chunk);
        }
        let homes = self.tracks.iter();
        let homes = homes.filter_map(|(id, row)| Some((id, *chunks.get(&row.chunk)?)));
        let mut homes: Vec<(Id<Track>, Id<Chunk>)> = homes.collect();
        homes.sort_by_key(|(id, _)| *id == moved);
        for (id, chunk) in homes {
            self.tracks.modify(id, |row| row.chunk = chunk);
        }
        // Tracks without a name are called by their place.
        self.relabel_all();
        Ok(())
    }
}
