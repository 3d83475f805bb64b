//! One event of a track, with its spelling.

use serde::{Deserialize, Serialize};

use super::bytes::Bytes;
use super::vlq;

/// One event of a track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Ticks since the start of the track.
    pub tick: u64,
    /// Its spelling in the file.
    pub spelling: Spelling,
    /// Its content.
    pub body: Body,
}

/// The spelling of an event in a file, apart from its content. The default is plain: short numbers
/// and an explicit status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Spelling {
    /// Minimum width of the delta time in bytes; zero for the shortest number.
    pub delta_width: u8,
    /// Minimum width of the length of a meta, sysex or escape in bytes; zero for the shortest.
    pub length_width: u8,
    /// Whether the status byte of a channel message is written.
    pub status: Status,
}

/// Whether a channel message has its status byte in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Status {
    /// It does.
    #[default]
    Written,
    /// It uses the status of the channel message just before it. If that has another status, or is
    /// not a channel message, the writer writes the status, so this is always safe to request.
    Running,
    /// It uses the status of the last channel message across other events, which cancel running
    /// status by RP-001. Some programs write this, and it is kept.
    Carried,
}

/// The content of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Body {
    /// A channel message, status 80 to EF.
    Channel {
        /// Kind in the high, channel (from 0) in the low four bits.
        status: u8,
        /// Two data bytes; the second is 0 if the status has only one.
        data: [u8; 2],
    },
    /// A meta event, FF. Never the end of track (kind 2F), which is a [`super::End`].
    Meta {
        /// Its type byte.
        kind: u8,
        /// The bytes after the length.
        bytes: Bytes,
    },
    /// F0, a sysex or the first packet of one: the bytes after the length, including the F7 that
    /// ends a complete one.
    Sysex(Bytes),
    /// F7, a further packet of a sysex or an escape with any bytes: the bytes after the length.
    Escape(Bytes),
    /// A bare system message in the track, F1 to F6 or F8 to FE, which RP-001 does not allow.
    System {
        /// Its status byte.
        status: u8,
        /// Data bytes; unused ones are 0.
        data: [u8; 2],
    },
}

impl Body {
    /// The channel, from 0, of a channel message.
    #[must_use]
    pub fn channel(&self) -> Option<u8> {
        match self {
            Self::Channel { status, .. } => Some(status & 15),
            _ => None,
        }
    }

    /// The bytes as in a track after the delta time, with an explicit status and the shortest
    /// length. Events with equal content have equal bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.push(true, 0, &mut out);
        out
    }

    /// Appends the bytes after the delta time to `out`.
    pub(super) fn push(&self, with_status: bool, length_width: u8, out: &mut Vec<u8>) {
        match self {
            Self::Channel { status, data } => {
                if with_status {
                    out.push(*status);
                }
                out.extend_from_slice(&data[..data_len(*status)]);
            }
            Self::System { status, data } => {
                out.push(*status);
                out.extend_from_slice(&data[..data_len(*status)]);
            }
            Self::Meta { kind, bytes } => {
                out.extend_from_slice(&[0xff, *kind]);
                push_sized(bytes, length_width, out);
            }
            Self::Sysex(bytes) => {
                out.push(0xf0);
                push_sized(bytes, length_width, out);
            }
            Self::Escape(bytes) => {
                out.push(0xf7);
                push_sized(bytes, length_width, out);
            }
        }
    }
}

impl Event {
    /// An event in the plain spelling.
    #[must_use]
    pub fn new(tick: u64, body: Body) -> Self {
        Self {
            tick,
            spelling: Spelling::default(),
            body,
        }
    }

    /// Whether it is a channel message.
    #[must_use]
    pub fn is_channel(&self) -> bool {
        matches!(self.body, Body::Channel { .. })
    }

    /// [`Body::bytes`] of its body.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.body.bytes()
    }
}

/// Number of data bytes after a status byte from 80 on; 0 for undefined ones.
pub(super) fn data_len(status: u8) -> usize {
    match status {
        0x80..=0xbf | 0xe0..=0xef | 0xf2 => 2,
        0xc0..=0xdf | 0xf1 | 0xf3 => 1,
        _ => 0,
    }
}

/// Appends the length of `bytes`, at least `width` bytes wide, and `bytes`.
pub(super) fn push_sized(bytes: &[u8], width: u8, out: &mut Vec<u8>) {
    vlq::write(bytes.len() as u64, width, out);
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::{Body, Event};

    #[test]
    fn an_event_fits_in_half_a_cache_line() {
        assert!(size_of::<Event>() <= 32);
    }

    #[test]
    fn canonical_bytes() {
        assert_eq!(
            Body::Channel {
                status: 0xc1,
                data: [5, 0]
            }
            .bytes(),
            [0xc1, 5]
        );
        assert_eq!(
            Body::Channel {
                status: 0x91,
                data: [60, 1]
            }
            .bytes(),
            [0x91, 60, 1]
        );
        assert_eq!(
            Body::System {
                status: 0xf2,
                data: [1, 2]
            }
            .bytes(),
            [0xf2, 1, 2]
        );
        assert_eq!(
            Body::System {
                status: 0xf8,
                data: [0, 0]
            }
            .bytes(),
            [0xf8]
        );
        assert_eq!(
            Body::Meta {
                kind: 1,
                bytes: "la".into()
            }
            .bytes(),
            *b"\xff\x01\x02la"
        );
        assert_eq!(
            Body::Sysex(b"\x43\xf7".into()).bytes(),
            [0xf0, 2, 0x43, 0xf7]
        );
        assert_eq!(Body::Escape(b"\xf3\x01".into()).bytes(), [0xf7, 2, 0xf3, 1]);
    }
}
