//! A parsed file.

use serde::{Deserialize, Serialize};

use super::bytes::Bytes;
use super::event::{Event, Spelling};

/// A Standard MIDI File, with every byte in its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Its container.
    pub container: Container,
    /// The chunk MThd.
    pub header: Header,
    /// The chunks after it, in file order.
    pub chunks: Vec<Chunk>,
    /// Bytes after the last chunk that are not a chunk.
    pub trailing: Bytes,
}

impl File {
    /// The chunks MTrk, in file order.
    pub fn tracks(&self) -> impl Iterator<Item = &TrackChunk> {
        self.chunks.iter().filter_map(|chunk| match chunk {
            Chunk::Track(track) => Some(track),
            Chunk::Other { .. } => None,
        })
    }

    /// The first fault, with the number of its track from 0.
    #[must_use]
    pub fn first_fault(&self) -> Option<(usize, &Fault)> {
        self.tracks()
            .enumerate()
            .find_map(|(number, track)| Some((number, track.fault.as_ref()?)))
    }
}

/// The container of the chunks of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Container {
    /// None.
    #[default]
    Bare,
    /// A RIFF file, usually of the form RMID, with the MIDI file in its chunk `data`.
    Riff(Riff),
}

/// The parts of a RIFF file around its MIDI file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Riff {
    /// The form type, usually `RMID`.
    pub form: [u8; 4],
    /// The chunks before `data`, as found.
    pub before: Bytes,
    /// The padding byte after `data` if its length is odd; `None` for programs that omit it.
    pub pad: Option<u8>,
    /// The chunks after `data`, as found.
    pub after: Bytes,
    /// Bytes of the file after the end of the RIFF.
    pub beyond: Bytes,
    /// The length in the RIFF header, if it is wrong.
    pub claim: Option<Claim>,
    /// The length in the header of `data`, if it is wrong.
    pub data_claim: Option<Claim>,
}

/// The chunk MThd.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// 0, 1 or 2; others are kept as found.
    pub format: u16,
    /// The number of tracks that it declares. Written as is, right or wrong: code that adds or
    /// removes a track must update it.
    pub claimed_tracks: u16,
    /// Time division: ticks per quarter note; or, with the high bit set, minus the frames per
    /// second in the high byte and the ticks per frame in the low byte.
    pub division: u16,
    /// Bytes after the sixth.
    pub surplus: Bytes,
    /// Its length, if it is wrong.
    pub claim: Option<Claim>,
}

impl Header {
    /// A header of six bytes.
    #[must_use]
    pub fn new(format: u16, claimed_tracks: u16, division: u16) -> Self {
        Self {
            format,
            claimed_tracks,
            division,
            surplus: Bytes::default(),
            claim: None,
        }
    }
}

/// A wrong length. It is written again as long as the content has its original length, and replaced
/// by the true length after that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The length that the file declares, in bytes.
    pub claimed: u32,
    /// The length that was found, in bytes.
    pub actual: u64,
}

/// A chunk after the header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Chunk {
    /// MTrk.
    Track(TrackChunk),
    /// Any other, kept as bytes.
    Other {
        /// Its type.
        id: [u8; 4],
        /// Its content.
        bytes: Bytes,
    },
}

/// A chunk MTrk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackChunk {
    /// The events before the end of track, in order of ticks.
    pub events: Vec<Event>,
    /// The end of track, if there is one.
    pub end: Option<End>,
    /// Bytes after the end of track, or from the first unreadable event on.
    pub tail: Bytes,
    /// Its fault, if it has one.
    pub fault: Option<Fault>,
    /// Its length, if it is wrong.
    pub claim: Option<Claim>,
}

impl TrackChunk {
    /// The tick of its end of track or of its last event, whichever is later.
    #[must_use]
    pub fn last_tick(&self) -> u64 {
        let last = self.events.last().map_or(0, |event| event.tick);
        self.end.as_ref().map_or(last, |end| end.tick.max(last))
    }

    /// Removes a fault, with the tail and the wrong length, and adds an end of track if there is
    /// none. Returns the number of removed bytes.
    pub fn drop_damage(&mut self) -> usize {
        if self.fault.take().is_none() {
            return 0;
        }
        let dropped = self.tail.len();
        let tick = self.last_tick();
        self.end.get_or_insert_with(|| End::at(tick));
        self.tail = Bytes::default();
        self.claim = None;
        dropped
    }
}

/// The meta event FF 2F that ends a track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Ticks since the start of the track. Not written before the last event.
    pub tick: u64,
    /// Its spelling in the file.
    pub spelling: Spelling,
    /// The bytes after its length; none by RP-001.
    pub bytes: Bytes,
}

impl End {
    /// An end of track in the plain spelling.
    #[must_use]
    pub fn at(tick: u64) -> Self {
        Self {
            tick,
            spelling: Spelling::default(),
            bytes: Bytes::default(),
        }
    }
}

/// The place and cause of a failure to read a track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Byte of the file.
    pub offset: u64,
    /// The problem, as a clause without a full stop.
    pub message: String,
}
