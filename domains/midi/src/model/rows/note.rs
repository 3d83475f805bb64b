//! A note that is to be, and what becomes of those in its way.

use fcp::prelude::*;

use super::kinds::Track;
use crate::values::{Channel, Pitch, Velocity};

/// The velocity of a note-off that the file does not give: the value RP-001 calls neutral.
pub const NEUTRAL_OFF: u8 = 64;

/// A note that is to be.
#[derive(Clone, Copy, Debug)]
pub struct NewNote {
    /// The track.
    pub track: Id<Track>,
    /// The channel.
    pub channel: Channel,
    /// The pitch.
    pub pitch: Pitch,
    /// Where it starts, in ticks.
    pub at: u64,
    /// How long it sounds, in ticks, at least 1.
    pub dur: u64,
    /// How hard it is struck.
    pub velocity: Velocity,
    /// How it is let go.
    pub release: Release,
}

/// How a note is let go, and by which message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release {
    /// The release velocity, from 0 to 127.
    pub velocity: u8,
    /// It ends by a note-on of velocity 0.
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

/// What became of other notes when one was put in its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlaps {
    /// Notes that end earlier now.
    pub shortened: usize,
    /// Notes that became one with another.
    pub merged: usize,
    /// Note-offs that ended nothing and would have ended the note instead.
    pub dropped: usize,
    /// Notes that nothing ended, and that end now because others of their pitch follow.
    pub ended: usize,
    /// Key aftertouch that followed its notes.
    pub followed: usize,
}

impl Overlaps {
    /// Counts those of another change too.
    pub const fn add(&mut self, other: Self) {
        self.shortened += other.shortened;
        self.merged += other.merged;
        self.dropped += other.dropped;
        self.ended += other.ended;
        self.followed += other.followed;
    }

    /// ` (2 shortened, 1 merged)`, or nothing.
    #[must_use]
    pub fn told(self) -> String {
        self.told_with(Vec::new())
    }

    /// `2 shortened`, `1 merged`
    #[must_use]
    pub fn parts(self) -> Vec<String> {
        let counts = [
            (self.shortened, "shortened"),
            (self.merged, "merged"),
            (self.dropped, "stray offs dropped"),
            (self.ended, "stuck ended"),
            (self.followed, "key touches with them"),
        ];
        let counts = counts.into_iter().filter(|(n, _)| *n > 0);
        counts.map(|(n, what)| format!("{n} {what}")).collect()
    }

    /// The same behind something else: ` (42 moved, 2 shortened)`.
    #[must_use]
    pub fn told_with(self, mut parts: Vec<String>) -> String {
        parts.extend(self.parts());
        if parts.is_empty() {
            String::new()
        } else {
            format!(" ({})", parts.join(", "))
        }
    }
}
