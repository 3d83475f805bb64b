//! The reason for a codec of our own below the domain: each file here comes back from it byte for byte, and not from
//! midly, however its raw bytes are used.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp_midi::smf;
use midly::num::u28;

/// The bytes of a chunk.
fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap().to_be_bytes();
    [&name[..], &length, content].concat()
}

/// A file of format 1 with these chunks, of which `tracks` are tracks.
fn file(tracks: u8, chunks: &[Vec<u8>]) -> Vec<u8> {
    let header = chunk(b"MThd", &[0, 1, 0, tracks, 0, 96]);
    [header, chunks.concat()].concat()
}

/// A file of one track with these events, and an end of track.
fn track(events: &[u8]) -> Vec<u8> {
    file(
        1,
        &[chunk(b"MTrk", &[events, &[0, 0xff, 0x2f, 0]].concat())],
    )
}

fn number(value: u28) -> Vec<u8> {
    let value = value.as_int();
    let sevens = [21, 14, 7, 0].map(|shift| u8::try_from(value >> shift & 0x7f).unwrap());
    let first = sevens[..3].iter().take_while(|seven| **seven == 0).count();
    let (last, before) = sevens[first..].split_last().unwrap();
    before
        .iter()
        .map(|seven| seven | 0x80)
        .chain([*last])
        .collect()
}

/// The most that midly keeps: its raw bytes of each event after the delta time, in the tracks that it finds. Nothing if
/// it rejects the file.
fn by_midly(bytes: &[u8]) -> Option<Vec<u8>> {
    let (_, tracks) = midly::parse(bytes).ok()?;
    let mut out = bytes[..14].to_vec();
    for events in tracks {
        let mut content = Vec::new();
        for event in events.ok()?.bytemapped() {
            let (raw, event) = event.ok()?;
            content.extend(number(event.delta));
            content.extend_from_slice(raw);
        }
        out.extend(chunk(b"MTrk", &content));
    }
    Some(out)
}

fn by_codec(bytes: &[u8]) -> Vec<u8> {
    smf::write(&smf::read(bytes).unwrap())
}

#[test]
fn both_keep_a_plain_file() {
    let plain = track(&[
        0, 0x90, 60, 64, 0x83, 0x00, 60, 0, 0, 0xff, 1, 0x80, 1, b'a',
    ]);
    assert_eq!(by_codec(&plain), plain);
    assert_eq!(by_midly(&plain), Some(plain));
}

#[test]
fn midly_drops_bytes_that_the_codec_keeps() {
    let on = [0, 0x90, 60, 64];
    let end = [0, 0xff, 0x2f, 0];
    let mut long = track(&on);
    long[21] += 9;
    let mut cut = track(&on);
    cut.truncate(cut.len() - 5);
    let files = [
        (
            "a delta time in more bytes than needed",
            track(&[0x80, 0x00, 0x90, 60, 64]),
        ),
        (
            "a delta time of more than 28 bits",
            track(&[0x81, 0x80, 0x80, 0x80, 0x00, 0x90, 60, 64]),
        ),
        (
            "running status across a meta event",
            track(&[0, 0x90, 60, 64, 0, 0xff, 1, 1, b'a', 96, 60, 0]),
        ),
        (
            "a system common message",
            track(&[0, 0xf1, 0, 0, 0x90, 60, 64]),
        ),
        (
            "a system realtime message",
            track(&[0, 0xf8, 0, 0x90, 60, 64]),
        ),
        (
            "events after a damaged one",
            track(&[0, 60, 64, 0, 0x90, 60, 64]),
        ),
        (
            "a chunk of another kind",
            file(
                1,
                &[
                    chunk(b"XFIH", b"karaoke"),
                    chunk(b"MTrk", &[on, end].concat()),
                ],
            ),
        ),
        ("a track that claims more bytes than follow", long),
        ("a track that ends inside an event", cut),
        (
            "bytes after the last chunk",
            [&track(&on)[..], b"end"].concat(),
        ),
        (
            "a header of more than six bytes",
            [
                &chunk(b"MThd", &[0, 1, 0, 1, 0, 96, 7, 7])[..],
                &track(&on)[14..],
            ]
            .concat(),
        ),
        (
            "a RIFF wrapper",
            [
                &[b'R', b'I', b'F', b'F', 42, 0, 0, 0][..],
                b"RMIDdata",
                &[30, 0, 0, 0],
                &track(&on),
            ]
            .concat(),
        ),
    ];
    for (what, bytes) in files {
        assert_eq!(by_codec(&bytes), bytes, "{what}");
        assert_ne!(by_midly(&bytes), Some(bytes), "midly now keeps {what}");
    }
}
