//! Large songs that test the most costly cases.

use fcp::domain::Large;

/// A track without an event.
const EMPTY: &[u8] = b"\0\xff\x2f\0";

/// Each is large in a different way.
pub const LARGE: &[Large] = &[
    Large {
        name: "one track",
        make: |rows| song(&[notes(rows, |at| (60 + (at % 12) as u8, 120))]),
    },
    Large {
        name: "one pitch at one tick",
        make: |rows| song(&[notes(rows, |_| (60, 0))]),
    },
    Large {
        name: "empty tracks",
        make: |rows| song(&vec![EMPTY.to_vec(); rows.min(65_000)]),
    },
    Large {
        name: "tracks of a note",
        make: |rows| song(&vec![notes(1, |_| (60, 120)); rows.min(65_000)]),
    },
    Large {
        name: "tracks of one name",
        make: |rows| {
            let track = [b"\0\xff\x03\x01A".as_slice(), EMPTY].concat();
            song(&vec![track; rows.min(65_000)])
        },
    },
    Large {
        name: "tempos",
        make: |rows| {
            song(&[[
                b"\x10\xff\x51\x03\x07\xa1\x20".repeat(rows).as_slice(),
                EMPTY,
            ]
            .concat()])
        },
    },
    Large {
        name: "controllers",
        make: |rows| song(&[[b"\x08\xb0\x07\x40".repeat(rows).as_slice(), EMPTY].concat()]),
    },
];

/// A track of consecutive notes: `note` gives the pitch of each, and its length in ticks below 128.
fn notes(count: usize, note: fn(usize) -> (u8, u8)) -> Vec<u8> {
    let notes = (0..count).flat_map(|at| {
        let (pitch, length) = note(at);
        [0, 0x90, pitch, 80, length, 0x80, pitch, 0]
    });
    notes.chain(EMPTY.iter().copied()).collect()
}

/// A file of format 1.
fn song(tracks: &[Vec<u8>]) -> Vec<u8> {
    let count = u16::try_from(tracks.len()).unwrap_or(u16::MAX);
    let mut bytes = b"MThd\0\0\0\x06\0\x01".to_vec();
    bytes.extend(count.to_be_bytes());
    bytes.extend(480_u16.to_be_bytes());
    for track in tracks {
        bytes.extend(b"MTrk");
        bytes.extend(u32::try_from(track.len()).unwrap_or(u32::MAX).to_be_bytes());
        bytes.extend(track);
    }
    bytes
}
