//! The kinds of rows.

use std::borrow::Cow;

use fcp::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::index::by_kind::{ChunkIndex, OtherIndex, ProgramIndex, TrackIndex};
use crate::model::index::controls::{ControlIndex, Moment};
use crate::model::index::event_places::{Mark, Placed, Rank, Timeline};
use crate::model::index::notes::NoteIndex;
use crate::model::index::song_rows::{KeyIndex, MeterIndex, TempoIndex};
use crate::smf::{Body, Bytes, Claim, End, Fault};
use crate::values::{self, Channel, Pitch, Velocity};

/// A chunk of the file: a track chunk, or one kept as bytes.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(index = ChunkIndex)]
pub struct Chunk {
    /// Its type, `MTrk` for a track chunk.
    #[fcp(hidden)]
    pub name: [u8; 4],
    /// The content of a chunk that is not a track chunk.
    #[fcp(hidden)]
    #[schemars(with = "String")]
    pub bytes: Bytes,
    /// Bytes after the end of track, or from a fault on.
    #[fcp(hidden)]
    #[schemars(with = "String")]
    pub tail: Bytes,
    /// The end of track, if there is one.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub end: Option<End>,
    /// Its fault, if it has one.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub fault: Option<Box<Fault>>,
    /// Its stated length, if that is wrong.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub claim: Option<Box<Claim>>,
}

impl Chunk {
    /// An empty track chunk.
    #[must_use]
    pub fn track() -> Self {
        Self {
            name: *b"MTrk",
            bytes: Bytes::default(),
            tail: Bytes::default(),
            end: Some(End::at(0)),
            fault: None,
            claim: None,
        }
    }

    /// Whether it holds events.
    #[must_use]
    pub fn is_track(&self) -> bool {
        self.name == *b"MTrk"
    }
}

/// A track: a track chunk, or in a file of format 0 the events of one channel.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(label = shown, index = TrackIndex)]
pub struct Track {
    /// The chunk of its events.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its name in replies: its own, else its instrument, else its channel or number.
    #[fcp(view, readonly)]
    pub name: String,
    /// The channel that it plays on; in a file the one of most of its notes, else of most of its events.
    #[fcp(view, readonly, key = "ch", alias = "channel")]
    pub channel: Option<Channel>,
}

impl Track {
    fn shown(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.name))
    }

    /// Whether its pitches have drum names: it plays on channel 10.
    #[must_use]
    pub fn is_drums(&self) -> bool {
        self.channel == Some(Channel::DRUMS)
    }
}

/// A note.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(index = NoteIndex)]
pub struct Note {
    /// Its chunk.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its track.
    #[fcp(view, readonly, selector)]
    pub track: Id<Track>,
    /// Its pitch.
    #[fcp(readonly)]
    pub pitch: Pitch,
    /// Its start, in ticks.
    #[fcp(readonly)]
    pub at: u64,
    /// Its length, in ticks; open if nothing ends it.
    #[fcp(readonly)]
    pub dur: Option<u64>,
    /// Its velocity.
    #[fcp(readonly, key = "vel", alias = "velocity")]
    pub velocity: Velocity,
    /// Its release velocity, from 0 to 127; 64 if the file has none.
    #[fcp(readonly)]
    pub off: u8,
    /// Its channel.
    #[fcp(readonly, key = "ch", alias = "channel")]
    pub channel: Channel,
    /// Place and spelling of its note-on.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub on_mark: Mark,
    /// Place and spelling of its note-off.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub off_mark: Mark,
    /// It ends by a note-on of velocity 0.
    #[fcp(spelling)]
    pub off_by_on: bool,
}

impl Note {
    /// Whether its pitch is a drum: it plays on channel 10, whatever its track plays otherwise.
    #[must_use]
    pub fn is_drum(&self) -> bool {
        self.channel == Channel::DRUMS
    }

    /// The place of its note-on among the events of its chunk.
    #[must_use]
    pub const fn onset(&self) -> (u64, u32, u32) {
        (self.at, self.on_mark.pos, self.on_mark.seq)
    }
}

impl Placed for Note {
    fn chunk(&self) -> Id<Chunk> {
        self.chunk
    }
    fn start(&self) -> (u64, Mark, Rank) {
        (self.at, self.on_mark, Rank::On)
    }
    fn end(&self) -> Option<(u64, Mark)> {
        self.dur
            .map(|dur| (self.at.saturating_add(dur), self.off_mark))
    }
}

/// A control change.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(kind = "cc", plural = "cc", index = ControlIndex)]
#[schemars(rename = "Control")]
pub struct ControlChange {
    /// Its chunk.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its track.
    #[fcp(view, readonly, selector)]
    pub track: Id<Track>,
    /// Its position, in ticks.
    #[fcp(readonly, alias = "tick")]
    pub at: u64,
    /// The controller, from 0 to 127.
    #[fcp(readonly)]
    pub number: u8,
    /// Its value, from 0 to 127.
    #[fcp(readonly)]
    pub value: u8,
    /// Its channel.
    #[fcp(readonly, key = "ch", alias = "channel")]
    pub channel: Channel,
    /// Place and spelling.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub mark: Mark,
}

impl ControlChange {
    /// Its place among the events of its chunk.
    #[must_use]
    pub const fn moment(&self) -> Moment {
        (self.at, self.mark.pos, self.mark.seq)
    }
}

/// A program change.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(index = ProgramIndex)]
pub struct Program {
    /// Its chunk.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its track.
    #[fcp(view, readonly, selector)]
    pub track: Id<Track>,
    /// Its position, in ticks.
    #[fcp(readonly, alias = "tick")]
    pub at: u64,
    /// The program, from 0 to 127.
    #[fcp(readonly, alias = "value")]
    pub program: u8,
    /// Its channel.
    #[fcp(readonly, key = "ch", alias = "channel")]
    pub channel: Channel,
    /// Place and spelling.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub mark: Mark,
}

/// A tempo change.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(plural = "tempo", index = TempoIndex)]
pub struct Tempo {
    /// Its chunk.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its position, in ticks.
    #[fcp(readonly, alias = "tick")]
    pub at: u64,
    /// Microseconds a quarter note takes, from 0 to 16,777,215.
    #[fcp(readonly, key = "us", alias = "number")]
    pub micros: u32,
    /// Place and spelling.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub mark: Mark,
}

/// A meter change.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(index = MeterIndex)]
pub struct Meter {
    /// Its chunk.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its position, in ticks.
    #[fcp(readonly, alias = "tick")]
    pub at: u64,
    /// Beats in a bar.
    #[fcp(readonly)]
    pub beats: u8,
    /// The beat's note value, as a power of two: 2 is a quarter.
    #[fcp(readonly)]
    pub power: u8,
    /// MIDI clocks in a metronome click.
    #[fcp(hidden)]
    pub clocks: u8,
    /// Thirty-second notes in 24 MIDI clocks.
    #[fcp(hidden)]
    pub thirty_seconds: u8,
    /// Place and spelling.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub mark: Mark,
}

impl Meter {
    /// A meter as ops write it, at the start until it is placed.
    #[must_use]
    pub fn of(chunk: Id<Chunk>, meter: values::Meter) -> Self {
        let [beats, power] = meter.meta();
        Self {
            chunk,
            at: 0,
            beats,
            power,
            clocks: meter.clocks(),
            thirty_seconds: 8,
            mark: Mark::default(),
        }
    }
}

/// A key signature.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(index = KeyIndex)]
pub struct Key {
    /// Its chunk.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its position, in ticks.
    #[fcp(readonly, alias = "tick")]
    pub at: u64,
    /// Sharps, or flats as a negative number.
    #[fcp(readonly)]
    pub sharps: i32,
    /// 0 for major, 1 for minor.
    #[fcp(readonly)]
    pub mode: u8,
    /// Place and spelling.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub mark: Mark,
}

/// A marker.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(index = Timeline, label = shown)]
pub struct Marker {
    /// Its chunk.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its position, in ticks.
    #[fcp(readonly, alias = "tick")]
    pub at: u64,
    /// Its bytes.
    #[fcp(hidden)]
    #[schemars(with = "String")]
    pub bytes: Bytes,
    /// Its text.
    #[fcp(view, readonly)]
    pub text: String,
    /// Place and spelling.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub mark: Mark,
}

impl Marker {
    fn shown(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.text))
    }
}

/// An event of any other kind: names of tracks, sysex, unknown metas.
#[derive(FcpEntity, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[fcp(kind = "event", index = OtherIndex)]
#[schemars(rename = "Other")]
pub struct RawEvent {
    /// Its chunk.
    #[fcp(parent, hidden)]
    pub chunk: Id<Chunk>,
    /// Its track; none for an event of the song.
    #[fcp(view, readonly, selector)]
    pub track: Option<Id<Track>>,
    /// Its position, in ticks.
    #[fcp(readonly, alias = "tick")]
    pub at: u64,
    /// Its content.
    #[fcp(hidden)]
    #[schemars(skip)]
    pub body: Body,
    /// Place and spelling.
    #[fcp(spelling)]
    #[schemars(skip)]
    pub mark: Mark,
}

impl RawEvent {
    /// Whether it is a name (meta 03): of its chunk, or in a file of format 0 of the song or a
    /// track.
    #[must_use]
    pub fn is_name(&self) -> bool {
        matches!(self.body, Body::Meta { kind: 3, .. })
    }

    /// Whether it is a note-off that ends nothing.
    #[must_use]
    pub fn is_note_off(&self) -> bool {
        self.rank() == Rank::Off
    }

    /// Whether it is a channel prefix (meta 20), which assigns the metas after it.
    #[must_use]
    pub fn is_prefix(&self) -> bool {
        matches!(self.body, Body::Meta { kind: 0x20, .. })
    }

    /// Its channel, if it is a channel message.
    #[must_use]
    pub fn channel(&self) -> Option<Channel> {
        match &self.body {
            Body::Channel { status, .. } => Channel::new(status & 15),
            _ => None,
        }
    }

    pub(crate) fn rank(&self) -> Rank {
        match &self.body {
            // A note-on without a note has velocity 0, and ends nothing.
            Body::Channel { status, .. } if status & 0xf0 < 0xa0 => Rank::Off,
            Body::Channel { .. } => Rank::Bend,
            _ => Rank::Song,
        }
    }
}
