//! Places of rows: as bars and beats, as seconds, and in their order on a tick.

use std::collections::HashMap;
use std::sync::Arc;

use fcp::prelude::*;

use crate::clock::{MeterMap, Place};
use crate::model::{Chunk, Song};

/// Where ticks of a chunk are.
pub struct Placing<'s> {
    song: &'s Song,
    chunk: Id<Chunk>,
    bars: Option<Arc<MeterMap>>,
}

/// The nearest beat.
pub struct Nearest {
    /// Its bar.
    pub bar: i64,
    /// Which beat of that it is.
    pub beat: i64,
    /// Ticks from there, negative before it.
    pub off: i64,
}

impl<'s> Placing<'s> {
    /// Of a chunk.
    pub fn new(song: &'s Song, chunk: Id<Chunk>) -> Self {
        let bars = song.has_bars().then(|| song.bars(chunk));
        Self { song, chunk, bars }
    }

    /// The bar, the beat, and the ticks after it, if the file has bars.
    pub fn place(&self, tick: u64) -> Option<Place> {
        self.bars.as_ref().map(|bars| bars.place(tick))
    }

    /// The place as ops take it.
    pub fn pos(&self, tick: u64) -> String {
        self.song.shown(self.chunk, tick)
    }

    /// The nearest beat, if the file has bars. Half way it is the later one.
    pub fn nearest(&self, tick: u64) -> Option<Nearest> {
        let bars = self.bars.as_ref()?;
        let (span, own) = (bars.at(tick), bars.place(tick));
        let (mut near, mut beat) = (tick - own.tick, own);
        if own.tick.saturating_mul(2) >= span.beat {
            // A meter may begin before the beat is over.
            let next = bars.bar(own.bar + 1);
            near = (near + span.beat).min(next.max(tick));
            beat = bars.place(near);
        }
        Some(Nearest {
            bar: whole(beat.bar),
            beat: whole(beat.beat),
            off: whole(tick) - whole(near),
        })
    }

    /// Seconds from the start.
    pub fn seconds(&self, tick: u64) -> f64 {
        self.song.seconds(self.chunk, tick)
    }
}

/// A number of ticks, bars or beats as SQL has it.
pub fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Every row but tracks in the order of the file, with its tick and which of those that start there it is, from 1.
pub fn in_order(song: &Song) -> Vec<(Id<Chunk>, u64, i64, Row)> {
    let mut all = Vec::new();
    for (chunk, _) in song.chunks.iter() {
        let mut rows = Vec::new();
        song.starting(chunk, 0, u64::MAX, &mut rows);
        rows.sort_by_key(|(place, _)| (place.tick, place.pos, place.seq));
        let (mut last, mut nth) = (None, 0);
        for (place, row) in rows {
            nth = if last == Some(place.tick) { nth + 1 } else { 1 };
            last = Some(place.tick);
            all.push((chunk, place.tick, nth, row));
        }
    }
    all
}

/// The names of tracks, each made once.
pub fn names(song: &Song) -> HashMap<u32, String> {
    let ids = song.tracks.iter().map(|(id, _)| id);
    ids.map(|id| (id.number(), crate::lines::name(song, id)))
        .collect()
}
