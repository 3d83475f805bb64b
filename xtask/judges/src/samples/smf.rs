//! Standard MIDI Files: several text encodings, all formats and forms of note-offs, running status.

use fcp::testing::fidelity::Sample;

use super::sample;

/// The sample files.
#[must_use]
pub fn smf() -> Vec<Sample> {
    let mut files = Vec::new();
    for (name, title, lyric) in TEXTS {
        let words = [
            &text(0, 3, title)[..],
            &text(0, 2, b"\xa9 1998"),
            &text(0, 5, lyric),
            &text(96, 6, lyric),
        ];
        let tune = [&words.concat()[..], FORMS].concat();
        files.push(sample(
            &format!("samples/{name}-0.mid"),
            file(0, 96, &[&tune]),
        ));
        files.push(sample(
            &format!("samples/{name}-1.mid"),
            file(1, 480, &[HEAD, &tune, FORMS]),
        ));
    }
    files.push(sample(
        "samples/patterns-2.mid",
        file(2, 96, &[FORMS, SPLIT, FORMS]),
    ));
    files.push(sample(
        "samples/frames-1.mid",
        file(1, 0xe728, &[HEAD, FORMS, SPLIT]),
    ));
    files.push(sample("samples/channels-0.mid", file(0, 120, &[CHANNELS])));
    files.push(sample("samples/carried-0.mid", file(0, 96, &[CARRIED])));
    files.push(sample(
        "samples/bars-1.mid",
        file(1, 96, &[BARS, &phrase(0), &phrase(3)]),
    ));
    files
}

/// A file name, and a title and a lyric in one encoding.
const TEXTS: &[(&str, &[u8], &[u8])] = &[
    ("latin-1", b"Fr\xfchling", b"\xfcber"),
    ("utf-8", "Frühling".as_bytes(), "über".as_bytes()),
    ("windows-1252", b"\x93Gr\xfc\xdfe\x94 \x80", b"it\x92s"),
    (
        "shift-jis",
        b"\x8f\x74\x82\xcc\x89\xcc",
        b"\x82\xcd\x82\xe9",
    ),
    ("utf-16", b"\xff\xfeS\0\xfc\0d\0", b"\xff\xfe\xe4\0h\0"),
];

/// Tempo, meter and key.
const HEAD: &[u8] =
    b"\0\xff\x58\x04\x03\x02\x18\x08\0\xff\x51\x03\x07\xa1\x20\0\xff\x59\x02\xff\x01";

/// All forms of note-offs, with running status, overlong numbers, and a note that never ends.
const FORMS: &[u8] =
    b"\0\xc0\x05\0\xb0\x07\x64\0\x90\x3c\x40\x60\x80\x3c\x40\0\x90\x3e\x50\x60\x80\x3e\x00\
    \0\x90\x40\x60\x60\x40\x00\x00\x41\x61\x60\x90\x41\x00\0\x90\x43\x20\x60\x80\x43\x17\
    \0\x90\x45\x40\0\xff\x01\x02hi\x60\x90\x45\x00\x80\x80\x00\xb0\x40\x7f\x30\x40\x00\0\xe0\x00\x50\
    \0\x90\x47\x40\0\x47\x41\x60\x47\x00\0\x80\x47\x40\0\xa0\x47\x22\0\xd0\x11\0\x90\x48\x40";

/// Running status continued after a meta event, which `mido` accepts and `midly` rejects.
const CARRIED: &[u8] =
    b"\0\x90\x3c\x40\0\xff\x05\x02la\x60\x3c\x00\0\x3e\x40\0\xff\x05\x02li\x60\x3e\x00";

/// System exclusive data in packets, an escape, and an overlong length field.
const SPLIT: &[u8] =
    b"\0\xf0\x03\x43\x12\x00\x60\xf7\x03\x01\x02\xf7\0\xf7\x02\xf3\x01\0\xff\x01\x80\x03abc\
    \0\x91\x30\x40\x60\x30\x00\0\xff\x7f\x03\x00\x01\x02";

/// Three channels in one track.
const CHANNELS: &[u8] = b"\0\xff\x20\x01\x00\0\xff\x03\x03One\0\xff\x20\x01\x01\0\xff\x03\x03Two\0\xc0\x01\0\xc1\x21\
    \0\x90\x3c\x40\0\x91\x30\x50\0\x99\x24\x60\x78\x3c\x00\x00\x90\x3c\x00\0\x81\x30\x40\0\x89\x24\x00";

/// Bars of several meters, with markers and tempos at their starts.
const BARS: &[u8] = b"\0\xff\x58\x04\x04\x02\x18\x08\0\xff\x51\x03\x07\xa1\x20\0\xff\x06\x01A\
    \x83\x00\xff\x58\x04\x03\x02\x18\x08\0\xff\x06\x01B\x82\x20\xff\x58\x04\x06\x03\x24\x08\0\xff\x51\x03\x06\x1a\x80\
    \x82\x20\xff\x58\x04\x04\x02\x18\x08\0\xff\x06\x01C\x83\x00\xff\x06\x01D";

/// Notes on each beat, whose note-offs alternate between note-ons of velocity 0 and true note-offs.
fn phrase(channel: u8) -> Vec<u8> {
    let mut track = vec![0, 0xc0 | channel, channel];
    for beat in 0..20u8 {
        let pitch = 60 + beat % 7;
        track.extend([0, 0x90 | channel, pitch, 64 + beat, 48]);
        match beat % 3 {
            0 => track.extend([0x90 | channel, pitch, 0]),
            1 => track.extend([0x80 | channel, pitch, 0x40]),
            _ => track.extend([0x80 | channel, pitch, beat]),
        }
        track.extend([48, 0xb0 | channel, 1, beat]);
    }
    track
}

/// A meta event with a short text.
fn text(delta: u8, kind: u8, text: &[u8]) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap_or(0);
    [&[delta, 0xff, kind, length][..], text].concat()
}

/// A file of tracks that are given without their ends.
fn file(format: u16, division: u16, tracks: &[&[u8]]) -> Vec<u8> {
    let count = u16::try_from(tracks.len()).unwrap_or(0);
    let head = [format, count, division].map(u16::to_be_bytes).concat();
    let mut bytes = [b"MThd\0\0\0\x06", &head[..]].concat();
    for track in tracks {
        let content = [track, &b"\0\xff\x2f\0"[..]].concat();
        let length = u32::try_from(content.len()).unwrap_or(0);
        bytes.extend_from_slice(b"MTrk");
        bytes.extend_from_slice(&length.to_be_bytes());
        bytes.extend_from_slice(&content);
    }
    bytes
}
