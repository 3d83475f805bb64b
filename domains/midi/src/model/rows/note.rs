//! New notes, and their effect on notes in the way.

use fcp::prelude::*;

use super::kinds::Track;
use crate::values::{Channel, Pitch, Velocity};

/// The velocity of a note-off without one in the file: neutral by RP-001.
pub const NEUTRAL_OFF: u8 = 64;

/// A note to add.
#[derive(Clone, Copy, Debug)]
pub struct NewNote {
    /// The track.
    pub track: Id<Track>,
    /// The channel.
    pub channel: Channel,
    /// The pitch.
    pub pitch: Pitch,
    /// Its start, in ticks.
    pub at: u64,
    /// Its length in ticks; 0 only for copies of notes without a length.
    pub dur: u64,
    /// Its velocity.
    pub velocity: Velocity,
    /// Its end.
    pub release: Release,
}

/// Release velocity and message of a note's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// The release velocity, from 0 to 127.
    pub velocity: u8,
    /// Whether a note-on of velocity 0 ends it.
    pub by_on: bool,
}

impl Release {
    /// A note-off of the neutral velocity.
    pub const NEUTRAL: Self = Self {
        velocity: NEUTRAL_OFF,
        by_on: false,
    };

    /// A note-off of a velocity.
    #[must_use]
    pub fn of(velocity: i64) -> Self {
        let velocity = u8::try_from(velocity.clamp(0, 127)).unwrap_or(NEUTRAL_OFF);
        Self {
            velocity,
            ..Self::NEUTRAL
        }
    }
}

/// Effect of a change on other notes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlaps {
    /// Notes that end earlier now.
    pub shortened: usize,
    /// Notes that were merged with another.
    pub merged: usize,
    /// Stray note-offs that would have ended the note, and were removed.
    pub dropped: usize,
    /// Notes without an end that now end, because others of their pitch follow.
    pub ended: usize,
    /// Notes without an end whose copies have one.
    pub given_end: usize,
    /// Key aftertouch that moved with its notes.
    pub followed: usize,
}

impl Overlaps {
    /// Adds the counts of another change.
    pub const fn add(&mut self, other: Self) {
        self.shortened += other.shortened;
        self.merged += other.merged;
        self.dropped += other.dropped;
        self.ended += other.ended;
        self.given_end += other.given_end;
        self.followed += other.followed;
    }

    /// ` (2 shortened, 1 merged)`; empty if there are none.
    #[must_use]
    pub fn describe(self) -> String {
        self.describe_with(Vec::new())
    }

    /// `2 shortened`, `1 merged`
    #[must_use]
    pub fn parts(self) -> Vec<String> {
        let counts = [
            (self.shortened, "shortened"),
            (self.merged, "merged"),
            (self.dropped, "stray offs dropped"),
            (self.ended, "stuck ended"),
            (self.given_end, "stuck copied with an end"),
            (self.followed, "key touches with them"),
        ];
        let counts = counts.into_iter().filter(|(n, _)| *n > 0);
        counts.map(|(n, what)| format!("{n} {what}")).collect()
    }

    /// [`Self::describe`] after other parts: ` (42 moved, 2 shortened)`.
    #[must_use]
    pub fn describe_with(self, mut parts: Vec<String>) -> String {
        parts.extend(self.parts());
        if parts.is_empty() {
            String::new()
        } else {
            format!(" ({})", parts.join(", "))
        }
    }
}
