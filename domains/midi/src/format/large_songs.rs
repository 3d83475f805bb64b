//! Large songs that test the most costly cases.

use fcp::domain::Large;

/// A track without an event.
const EMPTY: &[u8] = b"\0\xff\x2f\0";

/// An event at bar 2. With notes on each tick after it, the bars that examples change hold at most twice as many notes
/// in a song four times as long; with notes from bar 1 they would hold 50 times as many.
const FROM_BAR_2: &[u8] = b"\x8f\x00\xff\x03\x01A";

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
        name: "notes of a pitch, each of which starts before the earlier ones end",
        make: |rows| {
            let (on, off) = (
                b"\x01\x90\x3c\x50".repeat(rows),
                b"\x01\x80\x3c\x40".repeat(rows),
            );
            song(&[[FROM_BAR_2, &*on, &*off, EMPTY].concat()])
        },
    },
    Large {
        name: "notes of a pitch that nothing ends",
        make: |rows| {
            let on = b"\x01\x90\x3c\x50".repeat(rows);
            song(&[[FROM_BAR_2, &*on, EMPTY].concat()])
        },
    },
    Large {
        name: "a note over millions of short bars",
        make: |_| {
            let meter: &[u8] = b"\0\xff\x58\x04\x01\x06\x18\x08";
            let note: &[u8] = b"\0\x90\x3c\x50\xff\xff\xff\x7f\x80\x3c\0";
            song(&[[meter, note, EMPTY].concat()])
        },
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
        name: "keys above notes",
        make: |rows| {
            let keys = b"\x10\xff\x59\x02\x01\x00".repeat(rows);
            let track = notes(rows, |at| (60 + (at % 12) as u8, 16));
            song(&[[&*keys, EMPTY].concat(), track])
        },
    },
    Large {
        name: "meters",
        make: |rows| {
            let meters = b"\x60\xff\x58\x04\x03\x04\x18\x08".repeat(rows);
            song(&[[&*meters, EMPTY].concat()])
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
