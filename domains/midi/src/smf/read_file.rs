//! Reading a file: the container, the header and the chunks.

use std::collections::HashMap;
use std::fmt;

use super::bytes::Bytes;
use super::file::{Chunk, Claim, Container, Fault, File, Header, Riff, TrackChunk};
use super::read_track;

/// The reason why a file cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The problem and its place, beginning with `not a MIDI file:`.
    pub message: String,
    /// The byte of the file at which it is.
    pub offset: u64,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

/// Parses a file. Only a file without a readable MThd fails; other damage is kept as a [`Fault`] of
/// its track or as trailing bytes, and is written back unchanged.
///
/// ```
/// use fcp_midi::smf;
/// let bytes = b"MThd\0\0\0\x06\0\0\0\x01\0\x60MTrk\0\0\0\x0b\0\x90\x3c\x40\x60\x3c\0\0\xff\x2f\0";
/// let file = smf::read(bytes)?;
/// assert_eq!(file.tracks().next().unwrap().events[1].bytes(), [0x90, 0x3c, 0x00]);
/// assert_eq!(smf::write(&file), bytes);
/// # Ok::<(), smf::ReadError>(())
/// ```
///
/// # Errors
/// There is no MThd, or none that can be read.
pub fn read(bytes: &[u8]) -> Result<File, ReadError> {
    let (container, start, end) = container(bytes)?;
    let bytes = &bytes[..end];
    let mut layout = Layout::of(bytes);
    let (header, mut at) = header(&mut layout, start)?;
    let mut chunks = Vec::new();
    while let Some((id, length)) = fitting_chunk(bytes, at) {
        if &id == TRACK {
            let (track, next) = track_at(&mut layout, at, length);
            chunks.push(Chunk::Track(track));
            at = next;
        } else {
            let content = at + 8;
            at = content + length as usize;
            chunks.push(Chunk::Other {
                id,
                bytes: Bytes::new(&bytes[content..at]),
            });
        }
    }
    Ok(File {
        container,
        header,
        chunks,
        trailing: Bytes::new(&bytes[at..]),
    })
}

/// The container, and the range of the MIDI file in it.
fn container(bytes: &[u8]) -> Result<(Container, usize, usize), ReadError> {
    if !bytes.starts_with(b"RIFF") {
        return Ok((Container::Bare, 0, bytes.len()));
    }
    let (Some(size), Some(form)) = (le_at(bytes, 4), id_at(bytes, 8)) else {
        return Err(error(
            bytes.len(),
            format!("a RIFF header of 12 bytes, cut off at byte {}", bytes.len()),
        ));
    };
    let found = bytes[12..]
        .windows(12)
        .position(|window| &window[..4] == b"data" && &window[8..] == b"MThd");
    let Some(found) = found else {
        let message = format!(
            "a RIFF file of the form {}, without a chunk data that begins with MThd",
            shown(&form)
        );
        return Err(error(8, message));
    };
    let start = 12 + found + 8;
    let length = le_at(bytes, start - 4).unwrap_or(0);
    let end = start.saturating_add(length as usize).min(bytes.len());
    let data_claim = claim(length, end - start);
    let stated = 8usize.saturating_add(size as usize);
    let (riff_end, riff_claim) = if (end..=bytes.len()).contains(&stated) {
        (stated, None)
    } else {
        (bytes.len(), claim(size, bytes.len() - 8))
    };
    // The byte after an odd length is padding, unless it begins the type of another chunk.
    let pad = match bytes[end..riff_end].first() {
        _ if (end - start).is_multiple_of(2) => Some(0),
        Some(&byte) if !byte.is_ascii_graphic() => Some(byte),
        _ => None,
    };
    let after = if (end - start).is_multiple_of(2) || pad.is_none() {
        end
    } else {
        end + 1
    };
    let riff = Riff {
        form,
        before: Bytes::new(&bytes[12..start - 8]),
        pad,
        after: Bytes::new(&bytes[after..riff_end]),
        beyond: Bytes::new(&bytes[riff_end..]),
        claim: riff_claim,
        data_claim,
    };
    Ok((Container::Riff(riff), start, end))
}

/// The header, and the index of the byte after it.
fn header(layout: &mut Layout<'_>, at: usize) -> Result<(Header, usize), ReadError> {
    let bytes = layout.bytes;
    let found = &bytes[at..bytes.len().min(at + 8)];
    if found.is_empty() {
        return Err(error(at, "it is empty".to_owned()));
    }
    if found == b"SMF2CLIP" {
        return Err(error(
            at,
            format!("byte {at} begins a MIDI 2.0 clip file (SMF2CLIP), which is another format"),
        ));
    }
    if is_abc(bytes) {
        let message = "it holds ABC notation, which is written but not read; write its notes with phrase: phrase TRACK \"C4/e D E F | G4/q A4/h\"";
        return Err(error(at, message.to_owned()));
    }
    if !found.starts_with(b"MThd") {
        let message = format!(
            "byte {at} holds {}, not MThd",
            shown(&found[..found.len().min(4)])
        );
        return Err(error(at, message));
    }
    let fields = |place: usize| {
        bytes
            .get(at + place..at + place + 2)
            .map(|two| u16::from_be_bytes([two[0], two[1]]))
    };
    let (Some(length), Some(format), Some(claimed_tracks), Some(division)) =
        (u32_at(bytes, at + 4), fields(8), fields(10), fields(12))
    else {
        let message = format!(
            "the header MThd at byte {at} is cut off, {} of 14 bytes",
            bytes.len() - at
        );
        return Err(error(bytes.len(), message));
    };
    let stated = (at + 8).saturating_add(length as usize);
    let fits = length >= 6 && stated <= bytes.len();
    let end = if fits && layout.boundary(stated) {
        stated
    } else if layout.chunk_at(at + 14) {
        at + 14
    } else if fits {
        stated
    } else {
        let message = format!(
            "the header MThd at byte {at} says it has {length} bytes; it needs at least 6, and {} are here",
            bytes.len() - at - 8
        );
        return Err(error(at + 4, message));
    };
    let surplus = Bytes::new(&bytes[at + 14..end]);
    Ok((
        Header {
            format,
            claimed_tracks,
            division,
            surplus,
            claim: claim(length, end - at - 8),
        },
        end,
    ))
}

/// The track at `at` with a declared length of `length` bytes, and the index of its end.
///
/// A length is trusted if it leads to a chunk or to the end of the file. If not, the end of track
/// is, if that does; programs that get the length wrong end their tracks correctly.
fn track_at(layout: &mut Layout<'_>, at: usize, length: u32) -> (TrackChunk, usize) {
    let bytes = layout.bytes;
    let start = at + 8;
    let stated = start.saturating_add(length as usize);
    let mut end = stated.min(bytes.len());
    let mut read;
    if stated <= bytes.len() && layout.boundary(stated) {
        read = read_track::read(bytes, start, stated);
    } else {
        read = read_track::read(bytes, start, bytes.len());
        if read.end.is_some() && layout.boundary(read.rest) {
            end = read.rest;
        } else if read.end.is_none() || read.rest > end {
            read = read_track::read(bytes, start, end);
        }
    }
    let claim = claim(length, end - start);
    let fault = read.fault.or_else(|| {
        let message = format!(
            "the track says it has {length} bytes but has {}",
            end - start
        );
        claim.map(|_| Fault {
            offset: at as u64 + 4,
            message,
        })
    });
    let tail = Bytes::new(&bytes[read.rest..end]);
    (
        TrackChunk {
            events: read.events,
            end: read.end,
            tail,
            fault,
            claim,
        },
        end,
    )
}

/// Whether the first line that is not a comment is the number of a tune.
fn is_abc(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"%"));
    let number = first.and_then(|line| line.strip_prefix(b"X:"));
    number.is_some_and(|number| {
        let number = number.trim_ascii();
        !number.is_empty() && number.iter().all(u8::is_ascii_digit)
    })
}

/// The type of a track.
const TRACK: &[u8; 4] = b"MTrk";

/// The places of a file at which chunks begin.
struct Layout<'b> {
    bytes: &'b [u8],
    /// Whether the chunks from a place on lead to a track or to the end. Kept, since many tracks
    /// with a wrong length may lead to the same long row of chunks.
    led: HashMap<usize, bool>,
}

impl<'b> Layout<'b> {
    fn of(bytes: &'b [u8]) -> Self {
        Self {
            bytes,
            led: HashMap::new(),
        }
    }

    /// Whether a chunk or the end of the file is at `at`.
    fn boundary(&mut self, at: usize) -> bool {
        at == self.bytes.len() || self.chunk_at(at)
    }

    /// Whether a chunk is at `at`. A type of printable characters suffices. With another type, the
    /// chunks from there on must lead to a track or to the end.
    fn chunk_at(&mut self, at: usize) -> bool {
        let mut visited = Vec::new();
        let mut next = at;
        let is_led = loop {
            if next == self.bytes.len() {
                break next > at;
            }
            if let Some(known) = self.led.get(&next) {
                break *known;
            }
            let Some((id, length)) = fitting_chunk(self.bytes, next) else {
                break false;
            };
            if id.iter().all(|byte| matches!(byte, b' '..=b'~')) {
                break true;
            }
            visited.push(next);
            next += 8 + length as usize;
        };
        self.led.extend(visited.into_iter().map(|at| (at, is_led)));
        is_led
    }
}

/// The type and the length of the chunk at `at`, if there can be one.
///
/// A track counts even if its length is too large. Another chunk must fit, and its type must not be
/// zeros, which are padding.
fn fitting_chunk(bytes: &[u8], at: usize) -> Option<([u8; 4], u32)> {
    let (id, length) = (id_at(bytes, at)?, u32_at(bytes, at + 4)?);
    if &id == TRACK {
        return Some((id, length));
    }
    let rest = bytes.get(at + 8..)?.get(length as usize..);
    (id != [0; 4] && rest.is_some()).then_some((id, length))
}

/// The claim to keep, if `length` is wrong.
fn claim(length: u32, found: usize) -> Option<Claim> {
    let actual = found as u64;
    (u64::from(length) != actual).then_some(Claim {
        claimed: length,
        actual,
    })
}

fn id_at(bytes: &[u8], at: usize) -> Option<[u8; 4]> {
    bytes.get(at..)?.first_chunk().copied()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    id_at(bytes, at).map(u32::from_be_bytes)
}

/// A number of the RIFF container, which is little-endian.
fn le_at(bytes: &[u8], at: usize) -> Option<u32> {
    id_at(bytes, at).map(u32::from_le_bytes)
}

fn shown(bytes: &[u8]) -> String {
    if bytes.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        format!("\"{}\"", String::from_utf8_lossy(bytes))
    } else {
        let pairs: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        pairs.join(" ")
    }
}

fn error(offset: usize, what: String) -> ReadError {
    ReadError {
        message: format!("not a MIDI file: {what}"),
        offset: offset as u64,
    }
}
