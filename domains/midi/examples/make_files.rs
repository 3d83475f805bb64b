//! Makes the MIDI files that the tests of this crate open, and the seeds of its fuzz target. Run
//! it after a change here: `cargo run -p fcp-midi --example make_files`.

#[path = "../tests/smf_build/mod.rs"]
mod smf_build;

use std::io;
use std::path::Path;

use fcp_midi::smf::{
    self, Body, Chunk, Container, End, Event, File, Header, Spelling, Status, TrackChunk,
};
use smf_build::features::features;
use smf_build::{END, chunk, file, header, riff, riff_chunk, single};

/// Ticks per quarter note of the waltz, and per bar.
const QUARTER: u64 = 480;
const BAR: u64 = 3 * QUARTER;

#[allow(
    dead_code,
    reason = "the test that compares takes this file as a module"
)]
fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, bytes) in files() {
        std::fs::write(root.join("tests/files").join(name), bytes)?;
    }
    for (name, bytes) in seeds() {
        std::fs::write(root.join("../../fuzz/seeds/smf").join(name), bytes)?;
    }
    Ok(())
}

/// The files of `tests/files`.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let waltz = smf::write(&waltz());
    let foreign = foreign();
    let info = riff_chunk(b"LIST", b"INFOINAM\x06\0\0\0Waltz\0");
    let made = [
        (
            "wrapped.rmi",
            riff(&[&riff_chunk(b"data", &waltz), &[0][..waltz.len() % 2], &info]),
        ),
        ("broken.mid", waltz[..waltz.len() - 101].to_vec()),
        ("waltz.mid", waltz),
        ("foreign.mid", foreign),
        ("patterns.mid", patterns()),
        ("frames.mid", frames()),
    ];
    made.map(|(name, bytes)| (name.to_owned(), bytes)).into()
}

/// The files of `fuzz/seeds/smf`: one for each feature that fits in few bytes, and odd files.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let small = features()
        .into_iter()
        .filter(|feature| feature.track.len() < 200);
    let mut seeds: Vec<(String, Vec<u8>)> = small
        .map(|feature| {
            (
                format!("{}.mid", feature.name.replace(' ', "-")),
                single(&feature.track),
            )
        })
        .collect();
    let tune = b"\0\x90\x3c\x40\x60\x3c\0\0\xff\x2f\0";
    let track = chunk(b"MTrk", tune);
    let odd = [
        (
            "chunks.mid",
            [
                header(1, 2, 96),
                chunk(b"XFIH", b"abcd"),
                track.clone(),
                track.clone(),
                vec![7; 5],
            ]
            .concat(),
        ),
        ("patterns.mid", file(2, 0xe728, &[tune, END])),
        (
            "wrapped.rmi",
            riff(&[
                &riff_chunk(b"LIST", b"INFO"),
                &riff_chunk(b"data", &single(tune)),
                b"\0",
            ]),
        ),
        ("clip.midi2", b"SMF2CLIP\0\x40\0\0".to_vec()),
    ];
    seeds.extend(odd.map(|(name, bytes)| (name.to_owned(), bytes)));
    seeds
}

fn on(channel: u8, key: u8, velocity: u8) -> Body {
    Body::Channel {
        status: 0x90 | channel,
        data: [key, velocity],
    }
}

fn off(channel: u8, key: u8) -> Body {
    Body::Channel {
        status: 0x80 | channel,
        data: [key, 64],
    }
}

fn meta(kind: u8, bytes: &[u8]) -> Body {
    Body::Meta {
        kind,
        bytes: bytes.into(),
    }
}

/// A track of events in any order, with ends of notes before other events of their tick.
fn track(events: impl IntoIterator<Item = (u64, Body)>, end: u64) -> Chunk {
    let spelling = Spelling {
        status: Status::Running,
        ..Spelling::default()
    };
    let is_off = |body: &Body| {
        matches!(
            body,
            Body::Channel {
                status: 0x80..=0x8f,
                ..
            }
        )
    };
    let mut events: Vec<Event> = events
        .into_iter()
        .map(|(tick, body)| Event {
            tick,
            spelling,
            body,
        })
        .collect();
    events.sort_by_key(|event| (event.tick, !is_off(&event.body)));
    Chunk::Track(TrackChunk {
        events,
        end: Some(End::at(end)),
        ..TrackChunk::default()
    })
}

/// A little tune in G in two strains of eight bars, the first once more with a close. One line a
/// bar: the chord, then keys and lengths in quarters.
const TUNE: [(&str, &[(u8, u64)]); 24] = [
    ("G", &[(71, 2), (74, 1)]),
    ("G", &[(79, 3)]),
    ("D7", &[(78, 2), (76, 1)]),
    ("D7", &[(74, 3)]),
    ("Em", &[(76, 1), (79, 1), (83, 1)]),
    ("C", &[(81, 2), (79, 1)]),
    ("D7", &[(78, 1), (76, 1), (78, 1)]),
    ("G", &[(79, 3)]),
    ("Em", &[(71, 1), (76, 1), (79, 1)]),
    ("Em", &[(78, 2), (76, 1)]),
    ("Am", &[(69, 1), (72, 1), (76, 1)]),
    ("Am", &[(74, 2), (72, 1)]),
    ("D7", &[(66, 1), (69, 1), (72, 1)]),
    ("D7", &[(72, 1), (71, 1), (69, 1)]),
    ("G", &[(71, 2), (74, 1)]),
    ("D7", &[(69, 3)]),
    ("G", &[(71, 2), (74, 1)]),
    ("G", &[(79, 2), (81, 1)]),
    ("C", &[(79, 1), (76, 1), (72, 1)]),
    ("Am", &[(81, 2), (79, 1)]),
    ("D7", &[(78, 2), (81, 1)]),
    ("D7", &[(84, 1), (81, 1), (78, 1)]),
    ("G", &[(79, 1), (74, 1), (71, 1)]),
    ("G", &[(67, 3)]),
];

/// The bass key of a chord, and the keys struck on the second and third beat.
fn chord(name: &str) -> (u8, [u8; 3]) {
    match name {
        "G" => (43, [55, 59, 62]),
        "C" => (36, [55, 60, 64]),
        "Em" => (40, [55, 59, 64]),
        "Am" => (45, [57, 60, 64]),
        _ => (38, [54, 60, 62]),
    }
}

/// SMF 1 with a conductor and three parts.
fn waltz() -> File {
    let (mut piano, mut bass, mut drums) = (Vec::new(), Vec::new(), Vec::new());
    for (bar, (name, tune)) in (0..).zip(TUNE) {
        let start = bar * BAR;
        let (root, keys) = chord(name);
        let mut at = start;
        for &(key, quarters) in tune {
            piano.push((at, quarters * QUARTER, key, 88));
            at += quarters * QUARTER;
        }
        for beat in [1, 2] {
            let at = start + beat * QUARTER;
            piano.extend(keys.map(|key| (at, QUARTER / 2, key, 56)));
            drums.push((at, QUARTER / 2, 42, 64));
        }
        bass.push((start, 2 * QUARTER, root, 80));
        drums.push((start, QUARTER / 2, 36, 90));
        if bar % 8 == 7 {
            drums.push((start + 2 * QUARTER, QUARTER / 2, 38, 70));
        }
    }
    let end = TUNE.len() as u64 * BAR;
    let part = |name: &str, channel: u8, program: u8, notes: Vec<(u64, u64, u8, u8)>| {
        let head = [
            (0, meta(3, name.as_bytes())),
            (
                0,
                Body::Channel {
                    status: 0xc0 | channel,
                    data: [program, 0],
                },
            ),
        ];
        let notes = notes.into_iter().flat_map(|(at, length, key, velocity)| {
            [
                (at, on(channel, key, velocity)),
                (at + length, off(channel, key)),
            ]
        });
        track(head.into_iter().chain(notes), end)
    };
    let conductor = [
        (0, meta(3, b"Waltz for a Small Room")),
        (0, meta(0x51, &[0x09, 0x89, 0x68])), // 625,000 µs a quarter: 96 a minute
        (0, meta(0x58, &[3, 2, 24, 8])),
        (8 * BAR, meta(6, b"Second strain")),
    ];
    let chunks = vec![
        track(conductor, end),
        part("Piano", 0, 0, piano),
        part("Bass", 1, 32, bass),
        part("Drums", 9, 0, drums),
    ];
    File {
        container: Container::Bare,
        header: Header::new(1, 4, 480),
        chunks,
        trailing: [].as_slice().into(),
    }
}

/// SMF 0 as another program writes it: Latin-1, running status, note-ons of velocity 0 as ends, a
/// sysex, an escape, a stuck note, and a chunk of another kind. Each event byte by byte.
fn foreign() -> Vec<u8> {
    const MELODY: [u8; 3] = [72, 74, 76];
    const DRUMS: [u8; 3] = [36, 38, 38];
    let mut track = Vec::new();
    for head in [
        &b"\0\xff\x03\x09Caf\xe9 tune"[..],
        b"\0\xff\x51\x03\x07\xa1\x20",
        b"\0\xff\x58\x04\x03\x02\x18\x08",
        b"\0\xf0\x08\x43\x10\x4c\0\0\x7e\0\xf7",
        b"\0\xf7\x02\xf3\x01",
        b"\0\xc0\x49",
        b"\0\xb0\x65\0\0\x64\0\0\x06\x0c",
    ] {
        track.extend_from_slice(head);
    }
    for quarter in 0..12 {
        let mut delta = if quarter == 0 { 0 } else { 96 };
        if quarter == 6 {
            track.extend_from_slice(b"\x60\xff\x51\x03\x0a\x2c\x2b"); // 666,667 µs: 90 a minute
            delta = 0;
        }
        track.extend_from_slice(&[delta, 0xff, 5, 2, b'l', b'a']);
        for (status, keys) in [(0x90, MELODY), (0x99, DRUMS)] {
            track.extend_from_slice(&[0, status]);
            if quarter > 0 {
                track.extend_from_slice(&[keys[(quarter + 2) % 3], 0, 0]);
            }
            track.extend_from_slice(&[keys[quarter % 3], 100]);
        }
        if quarter == 9 {
            track.extend_from_slice(b"\0\x91\x37\x64");
        }
    }
    track.extend_from_slice(&[96, 0x90, MELODY[2], 0, 0, 0x99, DRUMS[2], 0]);
    track.extend_from_slice(END);
    [
        header(0, 1, 96),
        chunk(b"MTrk", &track),
        chunk(b"XFIH", &[0, 1, 2, 3]),
    ]
    .concat()
}

/// SMF 2: two patterns with meters and tempos of their own.
fn patterns() -> Vec<u8> {
    let three = b"\0\xff\x03\x05Three\0\xff\x51\x03\x07\xa1\x20\0\xff\x58\x04\x03\x02\x18\x08\
        \0\x90\x3c\x50\x60\x3c\0\0\x40\x50\x60\x40\0\0\x43\x50\x60\x43\0\0\xff\x2f\0";
    let seven = b"\0\xff\x03\x05Seven\0\xff\x51\x03\x06\x1a\x80\0\xff\x58\x04\x07\x03\x18\x08\
        \0\x91\x30\x50\x30\x30\0\0\x37\x50\x81\x70\x37\0\x30\xff\x2f\0";
    file(2, 96, &[three, seven])
}

/// SMF 1 in SMPTE time, 25 frames of 40 ticks: 1,000 ticks a second.
fn frames() -> Vec<u8> {
    let conductor = b"\0\xff\x03\x06Frames\0\xff\x54\x05\x21\0\0\0\0\0\xff\x2f\0";
    let cues = b"\0\xff\x03\x04Cues\0\xc3\x0e\0\x93\x48\x64\x87\x68\x48\0\xdb\x6c\x48\x64\x87\x68\x48\0\0\xff\x2f\0";
    file(1, 0xe728, &[conductor, cues])
}
