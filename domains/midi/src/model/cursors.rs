//! Cursors: the ticks where the music of tracks goes on.

use std::collections::BTreeSet;

use fcp::prelude::*;

use super::{Chunk, Song, Track};

impl Song {
    /// Notes that the music that was added to a track ended at `tick`.
    pub fn set_cursor(&mut self, track: Id<Track>, tick: u64) {
        if self.cursors.0.get(&track.number()) != Some(&tick) {
            self.cursors.modify(|cursors| {
                cursors.0.insert(track.number(), tick);
            });
        }
    }

    /// Notes that a track holds no music that anything could go on from.
    pub fn forget_cursor(&mut self, track: Id<Track>) {
        if self.cursors.0.contains_key(&track.number()) {
            self.cursors.modify(|cursors| {
                cursors.0.remove(&track.number());
            });
        }
    }

    /// Lets music go on elsewhere on the tracks of some chunks.
    pub fn move_cursors(&mut self, chunks: &[Id<Chunk>], moved: impl Fn(u64) -> u64) {
        let tracks = self.tracks.iter();
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
