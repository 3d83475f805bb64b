//! Reading the events of one track, with running status.

use super::bytes::Bytes;
use super::event::{Body, Event, Spelling, Status, data_len};
use super::file::{End, Fault};
use super::vlq::{self, BadNumber, Number};

/// The latest tick of an event, 2 to the 60th; a later event is a fault. It leaves room to add
/// ticks without overflow.
pub const MAX_TICK: u64 = 1 << 60;

/// The content of a track.
pub(super) struct Track {
    pub events: Vec<Event>,
    pub end: Option<End>,
    /// The index of the first byte that belongs to no event.
    pub rest: usize,
    pub fault: Option<Fault>,
}

/// Reads the events from `at` up to the end of track, a fault, or `limit`.
pub(super) fn read(bytes: &[u8], at: usize, limit: usize) -> Track {
    let mut reader = Reader {
        bytes,
        at,
        limit,
        tick: 0,
        last: None,
        live: false,
    };
    // Most events take four bytes; memory for more is not reserved in advance.
    let mut events = Vec::with_capacity((limit.saturating_sub(at) / 4).min(1024));
    let mut rest = at;
    let (mut end, mut fault) = (None, None);
    while reader.at < limit {
        match reader.event() {
            Ok(Read::Event(event)) => {
                events.push(event);
                rest = reader.at;
            }
            Ok(Read::End(found)) => {
                end = Some(found);
                rest = reader.at;
                break;
            }
            Err(found) => {
                fault = Some(found);
                break;
            }
        }
    }
    if events.capacity() / 2 > events.len() {
        events.shrink_to_fit();
    }
    Track {
        events,
        end,
        rest,
        fault,
    }
}

enum Read {
    Event(Event),
    End(End),
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    limit: usize,
    tick: u64,
    /// The status of the last channel message.
    last: Option<u8>,
    /// Whether that message was the last event.
    live: bool,
}

impl Reader<'_> {
    fn event(&mut self) -> Result<Read, Fault> {
        let start = self.at;
        let delta = self.number("delta time")?;
        let tick = self.tick.saturating_add(delta.value);
        if tick > MAX_TICK {
            return Err(fault(start, "the delta time goes beyond tick 2^60"));
        }
        let mut spelling = Spelling {
            delta_width: delta.width,
            ..Spelling::default()
        };
        let at = self.at;
        let first = self.byte("an event")?;
        let body = match first {
            0..=0x7f => {
                let Some(status) = self.last else {
                    return Err(fault(
                        at,
                        format!("the data byte {first:02X} is where a status byte is due"),
                    ));
                };
                self.at = at;
                spelling.status = if self.live {
                    Status::Running
                } else {
                    Status::Carried
                };
                Body::Channel {
                    status,
                    data: self.data(status)?,
                }
            }
            0x80..=0xef => Body::Channel {
                status: first,
                data: self.data(first)?,
            },
            0xf0 => Body::Sysex(self.sized(&mut spelling)?),
            0xf7 => Body::Escape(self.sized(&mut spelling)?),
            0xff => {
                let kind = self.byte("a meta event")?;
                let bytes = self.sized(&mut spelling)?;
                if kind == 0x2f {
                    return Ok(Read::End(End {
                        tick,
                        spelling,
                        bytes,
                    }));
                }
                Body::Meta { kind, bytes }
            }
            _ => Body::System {
                status: first,
                data: self.data(first)?,
            },
        };
        self.tick = tick;
        self.live = false;
        if let Body::Channel { status, .. } = body {
            self.last = Some(status);
            self.live = true;
        }
        Ok(Read::Event(Event {
            tick,
            spelling,
            body,
        }))
    }

    fn byte(&mut self, of: &str) -> Result<u8, Fault> {
        match self.bytes.get(self.at) {
            Some(&byte) if self.at < self.limit => {
                self.at += 1;
                Ok(byte)
            }
            _ => Err(fault(self.limit, format!("the track ends inside {of}"))),
        }
    }

    fn data(&mut self, status: u8) -> Result<[u8; 2], Fault> {
        let mut data = [0; 2];
        for place in &mut data[..data_len(status)] {
            *place = self.byte("a message")?;
            if *place > 0x7f {
                let message =
                    format!("the data byte {place:02X} of a message {status:02X} is above 7F");
                return Err(fault(self.at - 1, message));
            }
        }
        Ok(data)
    }

    fn number(&mut self, of: &str) -> Result<Number, Fault> {
        match vlq::read(self.bytes, self.at, self.limit) {
            Ok(number) => {
                self.at = number.next;
                Ok(number)
            }
            Err(BadNumber::Cut) => Err(fault(self.limit, format!("the track ends inside a {of}"))),
            Err(BadNumber::Huge) => Err(fault(self.at, format!("the {of} is too large a number"))),
        }
    }

    fn sized(&mut self, spelling: &mut Spelling) -> Result<Bytes, Fault> {
        let at = self.at;
        let length = self.number("length")?;
        spelling.length_width = length.width;
        let left = self.limit - self.at;
        match usize::try_from(length.value) {
            Ok(length) if length <= left => {
                let bytes = Bytes::new(&self.bytes[self.at..self.at + length]);
                self.at += length;
                Ok(bytes)
            }
            _ => Err(fault(
                at,
                format!(
                    "a length of {} goes past the end of the track, {left} bytes on",
                    length.value
                ),
            )),
        }
    }
}

/// Whether the bytes before the data of a channel message, its delta time and its status byte, have
/// the latter.
#[must_use]
pub fn status_form(before: &[u8]) -> Option<&'static str> {
    let delta = vlq::read(before, 0, before.len()).ok()?;
    Some(match delta.next == before.len() {
        true => "status byte left out",
        false => "status byte written",
    })
}

fn fault(offset: usize, message: impl Into<String>) -> Fault {
    Fault {
        offset: offset as u64,
        message: message.into(),
    }
}
