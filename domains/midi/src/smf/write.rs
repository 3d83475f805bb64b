//! Writing a file from its parts.

use std::borrow::Cow;

use super::event::{Body, Spelling, Status, data_len, push_sized};
use super::file::{Chunk, Claim, Container, End, File, Header};
use super::vlq;

/// A chunk ready to be written: see [`assemble`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawChunk<'a> {
    /// Its type.
    pub id: [u8; 4],
    /// Its content.
    pub content: Cow<'a, [u8]>,
    /// A wrong length to write, as long as the content has its original length.
    pub claim: Option<Claim>,
}

impl RawChunk<'_> {
    fn frame(&self) -> Frame {
        Frame {
            id: self.id,
            length: self.content.len(),
            claim: self.claim,
        }
    }
}

/// The bytes of `file`. A file that was read and not changed is written as it was.
#[must_use]
pub fn write(file: &File) -> Vec<u8> {
    let chunks = file.chunks.iter().map(|chunk| match chunk {
        Chunk::Track(track) => {
            let events = track
                .events
                .iter()
                .map(|event| (event.tick, event.spelling, &event.body));
            let content = write_track(events, track.end.as_ref(), &track.tail);
            RawChunk {
                id: *b"MTrk",
                content: content.into(),
                claim: track.claim,
            }
        }
        Chunk::Other { id, bytes } => RawChunk {
            id: *id,
            content: Cow::Borrowed(bytes),
            claim: None,
        },
    });
    assemble(&file.container, &file.header, chunks, &file.trailing)
}

/// The content of a chunk MTrk, without its type and length.
#[must_use]
pub fn write_track<'a>(
    events: impl IntoIterator<Item = (u64, Spelling, &'a Body)>,
    end: Option<&End>,
    tail: &[u8],
) -> Vec<u8> {
    let mut out = Vec::new();
    let mut speller = TrackSpeller::default();
    for (tick, spelling, body) in events {
        speller.event(tick, spelling, body, &mut out);
    }
    if let Some(end) = end {
        speller.end(end, &mut out);
    }
    out.extend_from_slice(tail);
    out
}

/// Writes the events of a chunk MTrk, one after the other.
///
/// Each event keeps its spelling if that is valid: a running status only after a channel message of
/// the same status, a carried one only if the last channel message had it. An event earlier than
/// its predecessor is written at the tick of that one, and so is the end of track.
#[derive(Debug, Default)]
pub struct TrackSpeller {
    now: u64,
    last: Option<u8>,
    /// The event before was a channel message.
    live: bool,
}

impl TrackSpeller {
    /// Appends the next event. Returns the number of its bytes that depend on the event before it: its delta time and
    /// status byte.
    #[inline]
    pub fn event(
        &mut self,
        tick: u64,
        spelling: Spelling,
        body: &Body,
        out: &mut Vec<u8>,
    ) -> usize {
        let delta = self.delta(tick);
        let Body::Channel { status, data } = *body else {
            let from = out.len();
            vlq::write(delta, spelling.delta_width, out);
            self.live = false;
            let before = out.len() - from;
            body.push(true, spelling.length_width, out);
            return before;
        };
        let with_status = match spelling.status {
            Status::Written => true,
            Status::Running => !self.live || self.last != Some(status),
            Status::Carried => self.last != Some(status),
        };
        self.last = Some(status);
        self.live = true;
        // Nearly all events of a song come here: their few bytes are put together in one number.
        let Some(delta) = vlq::short(delta, spelling.delta_width) else {
            let from = out.len();
            vlq::write(delta, spelling.delta_width, out);
            let before = out.len() - from + usize::from(with_status);
            body.push(with_status, 0, out);
            return before;
        };
        let mut bytes = delta;
        if with_status {
            bytes.push(status);
        }
        let before = bytes.len();
        let data = data.iter().take(data_len(status));
        data.for_each(|byte| bytes.push(*byte));
        bytes.append_to(out);
        before
    }

    /// Appends the end of track. Returns the number of its bytes that depend on the event before it.
    pub fn end(&mut self, end: &End, out: &mut Vec<u8>) -> usize {
        let from = out.len();
        let delta = self.delta(end.tick);
        vlq::write(delta, end.spelling.delta_width, out);
        let before = out.len() - from;
        out.extend_from_slice(&[0xff, 0x2f]);
        push_sized(&end.bytes, end.spelling.length_width, out);
        before
    }

    /// The ticks from the event before to the one at `tick`.
    fn delta(&mut self, tick: u64) -> u64 {
        let delta = tick.saturating_sub(self.now);
        self.now = self.now.max(tick);
        delta
    }
}

/// A file of a header, chunks and trailing bytes, in its container.
#[must_use]
pub fn assemble<'a>(
    container: &Container,
    header: &Header,
    chunks: impl IntoIterator<Item = RawChunk<'a>>,
    trailing: &[u8],
) -> Vec<u8> {
    let chunks: Vec<RawChunk<'a>> = chunks.into_iter().collect();
    let frames: Vec<Frame> = chunks.iter().map(RawChunk::frame).collect();
    let mut out = Vec::new();
    spell_file(
        container,
        header,
        &frames,
        trailing,
        &mut |piece| match piece {
            FilePiece::Shell(bytes) | FilePiece::Length(bytes) | FilePiece::Name(_, bytes) => {
                out.extend_from_slice(bytes);
            }
            FilePiece::Content(ix) => {
                out.extend_from_slice(chunks.get(ix).map_or(&[], |chunk| &*chunk.content));
            }
        },
    );
    out
}

/// A chunk without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its type.
    pub id: [u8; 4],
    /// The length of its content, in bytes.
    pub length: usize,
    /// A wrong length to write, as long as the content has its original length.
    pub claim: Option<Claim>,
}

/// A piece of a file outside the chunks' contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePiece<'a> {
    /// Bytes of the container, the header or the end of the file.
    Shell(&'a [u8]),
    /// A length or a count, which depends on the rest of the file.
    Length(&'a [u8]),
    /// The type of the chunk with this index.
    Name(usize, &'a [u8]),
    /// The place of the content of the chunk with this index.
    Content(usize),
}

/// Writes a file piece by piece, except the contents of its chunks.
pub fn spell_file(
    container: &Container,
    header: &Header,
    chunks: &[Frame],
    trailing: &[u8],
    sink: &mut impl FnMut(FilePiece<'_>),
) {
    use FilePiece::{Content, Length, Name, Shell};
    let head = 6 + header.surplus.len();
    let contents = chunks.iter().map(|chunk| 8 + chunk.length).sum::<usize>();
    let inner = 8 + head + contents + trailing.len();
    if let Container::Riff(riff) = container {
        let pad = riff.pad.filter(|_| !inner.is_multiple_of(2));
        let after = usize::from(pad.is_some()) + riff.after.len();
        let whole = 4 + riff.before.len() + 8 + inner + after;
        sink(Shell(b"RIFF"));
        // RIFF numbers are little-endian.
        sink(Length(&stated(riff.claim, whole).to_le_bytes()));
        sink(Shell(&riff.form));
        sink(Shell(&riff.before));
        sink(Shell(b"data"));
        sink(Length(&stated(riff.data_claim, inner).to_le_bytes()));
    }
    sink(Shell(b"MThd"));
    sink(Length(&stated(header.claim, head).to_be_bytes()));
    sink(Shell(&header.format.to_be_bytes()));
    sink(Length(&header.claimed_tracks.to_be_bytes()));
    sink(Shell(&header.division.to_be_bytes()));
    sink(Shell(&header.surplus));
    for (ix, chunk) in chunks.iter().enumerate() {
        sink(Name(ix, &chunk.id));
        sink(Length(&stated(chunk.claim, chunk.length).to_be_bytes()));
        sink(Content(ix));
    }
    sink(Shell(trailing));
    if let Container::Riff(riff) = container {
        if let Some(pad) = riff.pad.filter(|_| !inner.is_multiple_of(2)) {
            // Its presence depends on the length of the content before.
            sink(Length(&[pad]));
        }
        sink(Shell(&riff.after));
        sink(Shell(&riff.beyond));
    }
}

/// The length to write for content of `length` bytes.
fn stated(claim: Option<Claim>, length: usize) -> u32 {
    match claim {
        Some(claim) if claim.actual == length as u64 => claim.claimed,
        _ => u32::try_from(length).unwrap_or(u32::MAX),
    }
}
