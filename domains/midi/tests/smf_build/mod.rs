//! Bytes of MIDI files assembled by hand, so that the codec is not tested against itself.
#![allow(dead_code, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

pub mod features;

/// The end of track in the plain spelling, at delta time 0.
pub const END: &[u8] = &[0x00, 0xff, 0x2f, 0x00];

/// A chunk with a correct length.
pub fn chunk(id: &[u8; 4], content: &[u8]) -> Vec<u8> {
    lying_chunk(id, u32::try_from(content.len()).unwrap(), content)
}

/// A chunk that declares `length` bytes.
pub fn lying_chunk(id: &[u8; 4], length: u32, content: &[u8]) -> Vec<u8> {
    [&id[..], &length.to_be_bytes(), content].concat()
}

/// The content of a track chunk: events at ticks, those of one tick in the given order, and the end
/// of track after the last.
pub fn track(events: &[(u32, &[u8])]) -> Vec<u8> {
    let mut events = events.to_vec();
    events.sort_by_key(|(at, _)| *at);
    let (mut track, mut last) = (Vec::new(), 0);
    for (at, bytes) in events {
        let delta = at - last;
        let sevens = (0..4).rev().map(|place| delta >> (7 * place) & 0x7f);
        let sevens: Vec<u32> = sevens.skip_while(|seven| *seven == 0).collect();
        let (low, high) = sevens.split_last().unwrap_or((&0, &[]));
        track.extend(high.iter().map(|seven| u8::try_from(seven | 0x80).unwrap()));
        track.push(u8::try_from(*low).unwrap());
        track.extend(bytes);
        last = at;
    }
    [&track, END].concat()
}

/// A header of six bytes.
pub fn header(format: u16, tracks: u16, division: u16) -> Vec<u8> {
    chunk(
        b"MThd",
        &[format, tracks, division].map(u16::to_be_bytes).concat(),
    )
}

/// A file of a header and tracks.
pub fn file(format: u16, division: u16, tracks: &[&[u8]]) -> Vec<u8> {
    let mut bytes = header(format, u16::try_from(tracks.len()).unwrap(), division);
    for track in tracks {
        bytes.extend(chunk(b"MTrk", track));
    }
    bytes
}

/// A file of one track of format 0.
pub fn single(track: &[u8]) -> Vec<u8> {
    file(0, 96, &[track])
}

/// A RIFF file with a correct length, made of parts that already are chunks.
pub fn riff(parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    let size = u32::try_from(content.len() + 4).unwrap().to_le_bytes();
    [b"RIFF", &size[..], b"RMID", &content].concat()
}

/// A chunk of a RIFF file, without padding.
pub fn riff_chunk(id: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [
        &id[..],
        &u32::try_from(content.len()).unwrap().to_le_bytes(),
        content,
    ]
    .concat()
}
