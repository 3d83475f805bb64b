//! Converts the events of a file to rows.

use std::collections::{BTreeMap, VecDeque};

use fcp::prelude::*;
use rustc_hash::FxHashMap;

use crate::model::{
    Aftertouch, Chunk, ControlChange, Envelope, KeyChange, Lyric, Mark, Marker, MeterChange,
    NEUTRAL_OFF, Note, PitchBend, Program, RawEvent, Song, Tempo, TextEvent, Track,
};
use crate::smf::{self, Body, Event};
use crate::values::{Channel, Encoding, Pitch, TextKind, Velocity};

/// Reads a file.
///
/// # Errors
/// The bytes are not a MIDI file. Damage after the header is not an error: readable events become
/// rows, the rest is kept.
pub fn read(bytes: &[u8]) -> Result<Song> {
    read_in(bytes, None)
}

/// Reads a file, with the encoding of text that is not UTF-8 if it is known.
///
/// # Errors
/// As for [`read`].
pub fn read_in(bytes: &[u8], encoding: Option<Encoding>) -> Result<Song> {
    let file = smf::read(bytes).map_err(|error| Diagnostic::new(error.to_string()))?;
    let mut song = Song::default();
    song.encoding.give(encoding);
    let tracks = file.tracks().count();
    song.file.set(Envelope {
        container: file.container,
        read_tracks: u16::try_from(tracks).unwrap_or(u16::MAX),
        header: file.header,
        trailing: file.trailing,
    });
    let mut number = 0_usize;
    for chunk in file.chunks {
        match chunk {
            smf::Chunk::Other { id, bytes } => {
                song.chunks.insert(Chunk {
                    name: id,
                    bytes,
                    end: None,
                    ..Chunk::track()
                });
            }
            smf::Chunk::Track(track) => {
                let chunk = song.chunks.insert(Chunk {
                    tail: track.tail,
                    end: track.end,
                    fault: track.fault.map(Box::new),
                    claim: track.claim.map(Box::new),
                    ..Chunk::track()
                });
                events(&mut song, chunk, number, &track.events);
                number += 1;
            }
        }
    }
    song.own_names();
    song.relabel_all();
    Ok(song)
}

/// Creates the rows of one track chunk.
fn events(song: &mut Song, chunk: Id<Chunk>, number: usize, events: &[Event]) {
    let format = song.file.header.format;
    let sounds = events.iter().any(Event::is_channel);
    // In format 0 every channel is a track; else the chunk is one, except the first of format 1 if
    // it has no channel messages.
    let mut tracks: BTreeMap<u8, Id<Track>> = BTreeMap::new();
    let mut whole = None;
    if format == 0 {
        let mut channels: Vec<u8> = events
            .iter()
            .filter_map(|event| event.body.channel())
            .collect();
        channels.sort_unstable();
        channels.dedup();
        for channel in channels {
            let row = Track {
                chunk,
                name: String::new(),
                channel: Channel::new(channel),
            };
            tracks.insert(channel, song.tracks.insert(row));
        }
    } else if sounds || number > 0 || format != 1 {
        let channel = most_used(events).and_then(Channel::new);
        whole = Some(song.tracks.insert(Track {
            chunk,
            name: String::new(),
            channel,
        }));
    }
    let ends = ends(events);
    let place = |ix: usize| events.get(ix).map(|event| (event.tick, mark(ix, event)));
    for (ix, event) in events.iter().enumerate() {
        let (at, mark) = (event.tick, mark(ix, event));
        match event.body {
            Body::Channel { status, data } => {
                let index = status & 15;
                let track = whole.or_else(|| tracks.get(&index).copied());
                let (Some(channel), Some(track)) = (Channel::new(index), track) else {
                    continue;
                };
                let voice = Voice {
                    song,
                    chunk,
                    track,
                    channel,
                    at,
                    mark,
                };
                let end = match ends.get(ix) {
                    Some(Ends::Another) => continue,
                    Some(Ends::At(end)) => place(*end as usize).map(|(at, mark)| Ending {
                        at,
                        mark,
                        message: events
                            .get(*end as usize)
                            .and_then(|end| off_velocity(&end.body)),
                    }),
                    _ => None,
                };
                voice.enter(status, data, end);
            }
            Body::Meta { kind, ref bytes } => {
                let track = if format == 0 { None } else { whole };
                let row = meta(song, (chunk, track), at, mark, kind, bytes);
                if !row {
                    song.others.insert(RawEvent {
                        chunk,
                        track,
                        at,
                        body: event.body.clone(),
                        mark,
                    });
                }
            }
            ref body => {
                song.others.insert(RawEvent {
                    chunk,
                    track: if format == 0 { None } else { whole },
                    at,
                    body: body.clone(),
                    mark,
                });
            }
        }
    }
}

/// The status kind and velocity of a message that may end a note.
fn off_velocity(body: &Body) -> Option<(u8, u8)> {
    match body {
        Body::Channel { status, data } => Some((status & 0xf0, data[1])),
        _ => None,
    }
}

/// The mark of the event at an index in its chunk, counted from 0.
fn mark(ix: usize, event: &Event) -> Mark {
    Mark::read(u32::try_from(ix + 1).unwrap_or(u32::MAX), event.spelling)
}

/// The pairing of an event with the start or end of a note.
#[derive(Clone, Copy)]
enum Ends {
    /// None.
    No,
    /// It starts a note that ends at an index in the chunk.
    At(u32),
    /// It ends a note.
    Another,
}

/// Pairs note-ons and note-offs, by their indexes in the chunk. First in, first out: the file
/// cannot say which of two equal pitches ends.
fn ends(events: &[Event]) -> Vec<Ends> {
    let mut open: FxHashMap<(u8, u8), VecDeque<usize>> = FxHashMap::default();
    let mut ends = vec![Ends::No; events.len()];
    for (ix, event) in events.iter().enumerate() {
        let Body::Channel { status, data } = event.body else {
            continue;
        };
        let voice = (status & 15, data[0]);
        match status & 0xf0 {
            0x90 if data[1] > 0 => open.entry(voice).or_default().push_back(ix),
            0x80 | 0x90 => {
                if let Some(start) = open.get_mut(&voice).and_then(VecDeque::pop_front)
                    && let Some(end) = ends.get_mut(start)
                    && let Ok(ix) = u32::try_from(ix)
                {
                    *end = Ends::At(ix);
                    ends[ix as usize] = Ends::Another;
                }
            }
            _ => {}
        }
    }
    ends
}

/// The channel of most notes, or without notes of most channel messages, from 0.
fn most_used(events: &[Event]) -> Option<u8> {
    let (mut notes, mut counts) = ([0_usize; 16], [0_usize; 16]);
    for event in events {
        if let Body::Channel { status, data } = event.body {
            let channel = usize::from(status & 15);
            counts[channel] += 1;
            notes[channel] += usize::from(status & 0xf0 == 0x90 && data[1] > 0);
        }
    }
    let counts = if notes == [0; 16] { counts } else { notes };
    let most = counts.iter().max().copied().filter(|most| *most > 0)?;
    counts
        .iter()
        .position(|count| *count == most)
        .and_then(|ix| u8::try_from(ix).ok())
}

/// The end of a note: its place, and the kind and velocity of its message.
struct Ending {
    at: u64,
    mark: Mark,
    message: Option<(u8, u8)>,
}

/// A channel message and its place.
struct Voice<'a> {
    song: &'a mut Song,
    chunk: Id<Chunk>,
    track: Id<Track>,
    channel: Channel,
    at: u64,
    mark: Mark,
}

impl Voice<'_> {
    fn enter(self, status: u8, data: [u8; 2], end: Option<Ending>) {
        let Self {
            song,
            chunk,
            track,
            channel,
            at,
            mark,
        } = self;
        let [first, second] = data;
        match status & 0xf0 {
            0x90 if second > 0 => {
                let (Some(pitch), Some(velocity)) = (Pitch::new(first), Velocity::new(second))
                else {
                    return;
                };
                let message = end.as_ref().and_then(|end| end.message);
                let off_by_on = message.is_some_and(|(kind, _)| kind == 0x90);
                let off = message
                    .filter(|_| !off_by_on)
                    .map_or(NEUTRAL_OFF, |(_, velocity)| velocity);
                song.notes.insert(Note {
                    chunk,
                    track,
                    pitch,
                    at,
                    dur: end.as_ref().map(|end| end.at - at),
                    velocity,
                    off,
                    channel,
                    on_mark: mark,
                    off_mark: end.map_or(Mark::default(), |end| end.mark),
                    off_by_on,
                });
            }
            0x80 | 0x90 => {
                let body = Body::Channel { status, data };
                song.others.insert(RawEvent {
                    chunk,
                    track: Some(track),
                    at,
                    body,
                    mark,
                });
            }
            0xb0 => {
                song.controls.insert(ControlChange {
                    chunk,
                    track,
                    at,
                    number: first,
                    value: second,
                    channel,
                    mark,
                });
            }
            0xc0 => {
                song.programs.insert(Program {
                    chunk,
                    track,
                    at,
                    program: first,
                    channel,
                    mark,
                });
            }
            0xe0 => {
                song.bends.insert(PitchBend {
                    chunk,
                    track,
                    at,
                    value: PitchBend::of_data(data),
                    channel,
                    mark,
                });
            }
            _ => {
                let keyed = status & 0xf0 == 0xa0;
                song.touches.insert(Aftertouch {
                    chunk,
                    track,
                    at,
                    pitch: keyed.then(|| Pitch::new(first)).flatten(),
                    value: if keyed { second } else { first },
                    channel,
                    mark,
                });
            }
        }
    }
}

/// Creates the row of one event at a tick, after those of its rank. Not for notes.
///
/// # Errors
/// The chunk is damaged.
pub fn enter(
    song: &mut Song,
    (chunk, track): (Id<Chunk>, Option<Id<Track>>),
    at: u64,
    body: Body,
) -> Result<Row> {
    song.writable(chunk)?;
    // A temporary place; the row gets its own below.
    let mark = Mark::default();
    match (&body, track) {
        (Body::Channel { status, data }, Some(track)) => {
            if let Some(channel) = Channel::new(status & 15) {
                let voice = Voice {
                    song,
                    chunk,
                    track,
                    channel,
                    at,
                    mark,
                };
                voice.enter(*status, *data, None);
            }
        }
        (Body::Meta { kind, bytes }, _) if meta(song, (chunk, track), at, mark, *kind, bytes) => {}
        _ => {
            song.others.insert(RawEvent {
                chunk,
                track,
                at,
                body,
                mark,
            });
        }
    }
    let Some(row) = song.without_place(chunk, at) else {
        bail!("this event makes no row");
    };
    song.put(row, chunk, at);
    song.relabel_chunk(chunk);
    Ok(row)
}

/// Creates the row of a meta event with a kind of its own. Returns false for one of unusual length,
/// which has none.
fn meta(
    song: &mut Song,
    (chunk, track): (Id<Chunk>, Option<Id<Track>>),
    at: u64,
    mark: Mark,
    kind: u8,
    bytes: &smf::Bytes,
) -> bool {
    match (kind, &**bytes) {
        (0x51, &[high, middle, low]) => {
            let micros = u32::from_be_bytes([0, high, middle, low]);
            song.tempos.insert(Tempo {
                chunk,
                at,
                micros,
                mark,
            });
        }
        (0x58, &[beats, power, clocks, thirty_seconds]) => {
            song.meters.insert(MeterChange {
                chunk,
                at,
                beats,
                power,
                clocks,
                thirty_seconds,
                mark,
            });
        }
        (0x59, &[sharps, mode]) => {
            song.keys.insert(KeyChange {
                chunk,
                at,
                sharps: i32::from(sharps.cast_signed()),
                mode,
                mark,
            });
        }
        (0x06, _) => {
            song.markers.insert(Marker {
                chunk,
                at,
                bytes: bytes.clone(),
                text: song.encoding().shown(bytes),
                mark,
            });
        }
        (0x05, _) => {
            song.lyrics.insert(Lyric {
                chunk,
                track,
                at,
                bytes: bytes.clone(),
                text: song.encoding().shown(bytes),
                mark,
            });
        }
        _ => {
            let Some(kind) = TextKind::of(kind) else {
                return false;
            };
            song.texts.insert(TextEvent {
                chunk,
                track,
                at,
                kind,
                bytes: bytes.clone(),
                text: song.encoding().shown(bytes),
                mark,
            });
        }
    }
    true
}
