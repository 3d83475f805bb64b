//! Writing a file from its parts.

use std::borrow::Cow;

use super::event::{Body, Spelling, Status, push_sized};
use super::file::{Chunk, Claim, Container, End, File, Header};
use super::vlq;

/// A chunk ready to be written: see [`assemble`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawChunk<'a> {
    /// Its type.
    pub id: [u8; 4],
    /// Its content.
    pub content: Cow<'a, [u8]>,
    /// A wrong length to write, as long as the content has the length it was found with.
    pub claim: Option<Claim>,
}

/// The bytes of `file`. Those of a file that was read and not changed are the bytes it was read
/// from.
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
///
/// Each event keeps its spelling where that is valid: a running status only after a channel
/// message of the same status, a carried one only where the last channel message had it. An event
/// earlier than the one before it is written at the tick of that one, and so is the end of track.
#[must_use]
pub fn write_track<'a>(
    events: impl IntoIterator<Item = (u64, Spelling, &'a Body)>,
    end: Option<&End>,
    tail: &[u8],
) -> Vec<u8> {
    let events = events.into_iter();
    let mut out = Vec::with_capacity(
        events
            .size_hint()
            .0
            .saturating_mul(4)
            .saturating_add(tail.len() + 4),
    );
    let mut now = 0u64;
    let mut last = None;
    let mut live = false;
    for (tick, spelling, body) in events {
        vlq::write(tick.saturating_sub(now), spelling.delta_width, &mut out);
        now = now.max(tick);
        let mut with_status = true;
        if let Body::Channel { status, .. } = body {
            with_status = match spelling.status {
                Status::Written => true,
                Status::Running => !live || last != Some(*status),
                Status::Carried => last != Some(*status),
            };
            last = Some(*status);
            live = true;
        } else {
            live = false;
        }
        body.push(with_status, spelling.length_width, &mut out);
    }
    if let Some(end) = end {
        vlq::write(
            end.tick.saturating_sub(now),
            end.spelling.delta_width,
            &mut out,
        );
        out.extend_from_slice(&[0xff, 0x2f]);
        push_sized(&end.bytes, end.spelling.length_width, &mut out);
    }
    out.extend_from_slice(tail);
    out
}

/// A file of a header, chunks and bytes after them, in its container.
#[must_use]
pub fn assemble<'a>(
    container: &Container,
    header: &Header,
    chunks: impl IntoIterator<Item = RawChunk<'a>>,
    trailing: &[u8],
) -> Vec<u8> {
    let mut out = Vec::new();
    if let Container::Riff(riff) = container {
        out.extend_from_slice(b"RIFF\0\0\0\0");
        out.extend_from_slice(&riff.form);
        out.extend_from_slice(&riff.before);
        out.extend_from_slice(b"data\0\0\0\0");
    }
    let start = out.len();
    let fields = [header.format, header.claimed_tracks, header.division];
    push_chunk(*b"MThd", header.claim, 6 + header.surplus.len(), &mut out);
    out.extend(fields.iter().flat_map(|field| field.to_be_bytes()));
    out.extend_from_slice(&header.surplus);
    for chunk in chunks {
        push_chunk(chunk.id, chunk.claim, chunk.content.len(), &mut out);
        out.extend_from_slice(&chunk.content);
    }
    out.extend_from_slice(trailing);
    if let Container::Riff(riff) = container {
        let length = out.len() - start;
        // RIFF numbers are little-endian.
        out[start - 4..start].copy_from_slice(&stated(riff.data_claim, length).to_le_bytes());
        out.extend(riff.pad.filter(|_| !length.is_multiple_of(2)));
        out.extend_from_slice(&riff.after);
        let size = stated(riff.claim, out.len() - 8).to_le_bytes();
        out[4..8].copy_from_slice(&size);
        out.extend_from_slice(&riff.beyond);
    }
    out
}

fn push_chunk(id: [u8; 4], claim: Option<Claim>, length: usize, out: &mut Vec<u8>) {
    out.reserve(8 + length);
    out.extend_from_slice(&id);
    out.extend_from_slice(&stated(claim, length).to_be_bytes());
}

/// The length to state for content of `length` bytes.
fn stated(claim: Option<Claim>, length: usize) -> u32 {
    match claim {
        Some(claim) if claim.actual == length as u64 => claim.claimed,
        _ => u32::try_from(length).unwrap_or(u32::MAX),
    }
}
