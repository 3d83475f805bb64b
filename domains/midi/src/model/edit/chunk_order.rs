//! Swaps the content of chunks; mutes and solos tracks.

use std::collections::BTreeMap;

use fcp::prelude::*;

use crate::model::IsKind;
use crate::model::rows::kinds::{Chunk, RawEvent, Track};
use crate::model::song::Song;

impl Song {
    /// Whether a row names a track, or in format 0 is the channel prefix of a name.
    #[must_use]
    pub fn names_track(&self, row: Row) -> bool {
        let other = self.others.get(row.of());
        row.is::<RawEvent>()
            && other.is_some_and(|other| other.is_name() || self.is_own_prefix(other))
    }

    /// Clears mute and solo of a removed track: a solo would silence all others.
    pub fn forget_mute(&mut self, track: Id<Track>) {
        let number = track.number();
        if self.mutes.muted.contains(&number) || self.mutes.solo.contains(&number) {
            self.mutes.modify(|mutes| {
                mutes.muted.remove(&number);
                mutes.solo.remove(&number);
            });
        }
    }

    /// Mutes or unmutes a track. Returns whether anything changed.
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

    /// Sets or clears solo of a track. Returns whether anything changed.
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

    /// Exchanges the content of chunks: that of the first of each pair moves to the second. The
    /// content of track `moved` changes last, so that it counts as the most recent.
    ///
    /// # Errors
    /// A row is missing.
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
        // Unnamed tracks are named by their place.
        self.relabel_all();
        Ok(())
    }
}
