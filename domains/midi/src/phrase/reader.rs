//! State of a line while it is read, with the notes so far.

use fcp::prelude::*;

use super::item::Item;
use crate::model::{Chunk, Song, Track};
use crate::values::{Dur, Frac, Pitch, Velocity};

/// Notes that start together.
#[derive(Clone, Debug)]
pub struct Sound {
    /// Where they start.
    pub start: Frac,
    /// Where their place ends.
    pub end: Frac,
    /// They sound for half of their place.
    pub short: bool,
    /// How hard they are struck.
    pub velocity: Velocity,
    /// What they are.
    pub pitches: Vec<Pitch>,
}

/// How a line is read.
pub(super) struct Reader<'a> {
    pub(super) song: &'a Song,
    pub(super) track: &'a Track,
    pub(super) chunk: Id<Chunk>,
    /// Where the next item starts, exactly.
    pub(super) at: Frac,
    /// Where the bar that is counted began.
    pub(super) bar: Frac,
    pub(super) dur: Dur,
    pub(super) octave: i8,
    pub(super) velocity: Velocity,
    /// The last item was a rest, or there was none.
    pub(super) silent: bool,
    pub(super) sounds: Vec<Sound>,
    /// Where the items of the bar begin, by their numbers.
    pub(super) begun: Vec<(usize, u64)>,
    /// Where the last item began, and which it was.
    pub(super) last: Option<(usize, Frac)>,
    /// How many items came before the bar, and how long one lasted there.
    pub(super) before: (usize, Dur),
    /// How long items last before one says otherwise.
    pub(super) first: Dur,
}

impl Reader<'_> {
    /// How long a length is here.
    pub(super) fn length(&self, dur: &Dur) -> Result<Frac, ValueError> {
        dur.exact(&self.song.clock(self.chunk), self.at)
    }

    /// A bar begins with the item of a number.
    pub(super) fn begin_bar(&mut self, nth: usize) {
        self.bar = self.at;
        self.begun.clear();
        self.before = (nth, self.dur.clone());
    }
}

pub(super) fn ticks(at: Frac) -> u64 {
    u64::try_from(at.round()).unwrap_or(0)
}

/// How long an item says that it lasts.
pub(super) const fn length(item: &Item) -> Option<&Dur> {
    match item {
        Item::Notes { dur, .. } | Item::Rest(dur) | Item::Hold(dur) => dur.as_ref(),
        Item::Bar | Item::Loud(_) => None,
    }
}
