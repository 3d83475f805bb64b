//! State of a line while it is read, with the notes so far.

use fcp::prelude::*;

use super::item::Item;
use crate::model::{Chunk, Song, Track};
use crate::values::{Dur, Frac, Pitch, Velocity};

/// Notes that start together.
#[derive(Clone, Debug)]
pub struct Sound {
    /// Their start.
    pub start: Frac,
    /// The end of their length.
    pub end: Frac,
    /// Whether they sound for only half of their length.
    pub short: bool,
    /// Their velocity.
    pub velocity: Velocity,
    /// Their pitches.
    pub pitches: Vec<Pitch>,
}

/// The state while reading a phrase.
pub(super) struct Reader<'a> {
    pub(super) song: &'a Song,
    pub(super) track: &'a Track,
    pub(super) chunk: Id<Chunk>,
    /// The exact start of the next item.
    pub(super) at: Frac,
    /// The start of the current bar.
    pub(super) bar: Frac,
    pub(super) dur: Dur,
    pub(super) octave: i8,
    pub(super) velocity: Velocity,
    /// Whether the last item was a rest, or there was none.
    pub(super) silent: bool,
    pub(super) sounds: Vec<Sound>,
    /// The indexes and starts of the bar's items.
    pub(super) begun: Vec<(usize, u64)>,
    /// The index and start of the last item.
    pub(super) last: Option<(usize, Frac)>,
    /// The number of items before the bar, and the length in effect there.
    pub(super) before: (usize, Dur),
    /// The initial length.
    pub(super) first: Dur,
}

impl Reader<'_> {
    /// The exact ticks of a length here.
    pub(super) fn length(&self, dur: &Dur) -> Result<Frac, ValueError> {
        dur.exact(&self.song.clock(self.chunk), self.at)
    }

    /// Starts a bar with the item at an index.
    pub(super) fn begin_bar(&mut self, nth: usize) {
        self.bar = self.at;
        self.begun.clear();
        self.before = (nth, self.dur.clone());
    }
}

pub(super) fn ticks(at: Frac) -> u64 {
    u64::try_from(at.round()).unwrap_or(0)
}

/// The length that an item states.
pub(super) const fn length(item: &Item) -> Option<&Dur> {
    match item {
        Item::Notes { dur, .. } | Item::Rest(dur) | Item::Hold(dur) => dur.as_ref(),
        Item::Bar | Item::Loud(_) => None,
    }
}
