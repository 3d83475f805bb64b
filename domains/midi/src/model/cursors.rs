//! Cursors: the ticks where the music of tracks goes on.

use std::collections::BTreeSet;

use fcp::prelude::*;
use fcp::work;

use super::{Chunk, Song, Track};

/// The cursors that are copied in the time of a step.
const ENTRIES_A_STEP: usize = 4;

impl Song {
    /// Sets the end of the music last added to a track.
    pub fn set_cursor(&mut self, track: Id<Track>, tick: u64) {
        self.set_cursors([(track, tick)]);
    }

    /// Sets the ends of the music last added to some tracks, all at once: each change is of the
    /// whole table.
    pub fn set_cursors(&mut self, ends: impl IntoIterator<Item = (Id<Track>, u64)>) {
        let moved =
            |(track, tick): &(Id<Track>, u64)| self.cursors.0.get(&track.number()) != Some(tick);
        let moved: Vec<(Id<Track>, u64)> = ends.into_iter().filter(moved).collect();
        if !moved.is_empty() {
            self.count_cursors();
            self.cursors.modify(|cursors| {
                let moved = moved.into_iter();
                cursors
                    .0
                    .extend(moved.map(|(track, tick)| (track.number(), tick)));
            });
        }
    }

    /// Counts a change of the cursors: the table of all is copied. The call fails at its next check.
    fn count_cursors(&self) {
        let _ = work::spend(self.cursors.0.len() / ENTRIES_A_STEP);
    }

    /// Forgets the end of the music last added to a track.
    pub fn forget_cursor(&mut self, track: Id<Track>) {
        if self.cursors.0.contains_key(&track.number()) {
            self.count_cursors();
            self.cursors.modify(|cursors| {
                cursors.0.remove(&track.number());
            });
        }
    }

    /// Moves the ends of added music on the tracks of some chunks.
    pub fn move_cursors(&mut self, chunks: &[Id<Chunk>], moved: impl Fn(u64) -> u64) {
        let tracks = self.tracks.iter();
        let chunks: BTreeSet<Id<Chunk>> = chunks.iter().copied().collect();
        let tracks = tracks.filter(|(_, track)| chunks.contains(&track.chunk));
        let tracks: BTreeSet<u32> = tracks.map(|(id, _)| id.number()).collect();
        let moves = |track: &u32, at: u64| moved(at) != at && tracks.contains(track);
        if self.cursors.0.iter().any(|(track, at)| moves(track, *at)) {
            self.cursors.modify(|cursors| {
                for (track, at) in &mut cursors.0 {
                    if moves(track, *at) {
                        *at = moved(*at);
                    }
                }
            });
        }
    }
}
