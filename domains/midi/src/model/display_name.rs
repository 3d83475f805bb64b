//! Names of tracks and pitches.

use fcp::prelude::*;

use super::{Note, Song, Track, row_of};
use crate::values::{Channel, Pitch};

impl Song {
    /// The name of a track, such that it resolves.
    #[must_use]
    pub fn name_of_track(&self, id: Id<Track>) -> String {
        self.name_of(row_of(id))
    }

    /// A pitch as a track shows it: the drum name on a drum track.
    #[must_use]
    pub fn pitch_name(&self, track: Id<Track>, pitch: Pitch) -> String {
        let channel = self.tracks.get(track).and_then(|track| track.channel);
        self.pitch_on(channel.unwrap_or(Channel::FIRST), pitch)
    }

    /// A pitch as a channel shows it: the drum name on the drum channel.
    #[must_use]
    pub fn pitch_on(&self, channel: Channel, pitch: Pitch) -> String {
        match pitch.drum_name().filter(|_| channel == Channel::DRUMS) {
            Some(name) => name.to_owned(),
            None if self.in_flats() => pitch.name_flat(),
            None => pitch.name_sharp(),
        }
    }

    /// The pitch of a note as its channel shows it.
    #[must_use]
    pub fn pitch_of(&self, note: &Note) -> String {
        self.pitch_on(note.channel, note.pitch)
    }

    /// A free track name: `wanted`, or `wanted` with a number.
    #[must_use]
    pub fn free_name(&self, wanted: &str) -> String {
        let level = fcp::model::Level::Normalised;
        let taken = |name: &str| !self.tracks.by_label(name, level).is_empty();
        if !taken(wanted) {
            return wanted.to_owned();
        }
        let numbered = |n: u64| format!("{wanted}-{n}");
        numbered(fcp::model::next_free(1, |n| taken(&numbered(n))))
    }
}
