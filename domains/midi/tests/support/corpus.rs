//! Generated files: each feature of the format in each kind of file, and each oddity of a whole
//! file.

use super::smf_build::features::features;
use super::smf_build::{END, chunk, file, header, lying_chunk, riff, riff_chunk, single};

/// Ticks per quarter note, and frames by ticks: 25×40, 30×80.
const DIVISIONS: [u16; 4] = [96, 480, 0xe728, 0xe250];

const NOTE: &[u8] = b"\0\x90\x3c\x40\x60\x3c\0\0\xff\x2f\0";

/// All files, by name.
pub fn corpus() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for (ix, feature) in features().iter().enumerate() {
        let track = &feature.track[..];
        // Each kind of file with each feature; across all features, each division with each kind.
        let division = |kind: usize| DIVISIONS[(ix + kind) % DIVISIONS.len()];
        for (kind, bytes) in [
            ("SMF 0", file(0, division(0), &[track])),
            (
                "SMF 1 as the conductor",
                file(1, division(1), &[track, NOTE]),
            ),
            (
                "SMF 1 between tracks",
                file(1, division(2), &[END, track, NOTE]),
            ),
            ("SMF 2", file(2, division(3), &[NOTE, track, END])),
        ] {
            files.push((format!("{} in {kind}", feature.name), bytes));
        }
        let smf = single(track);
        let bytes = riff(&[&riff_chunk(b"data", &smf), &[0][..smf.len() % 2]]);
        files.push((format!("{} in RIFF", feature.name), bytes));
    }
    files.extend(whole());
    files
}

fn whole() -> Vec<(String, Vec<u8>)> {
    let all = features();
    let tracks: Vec<&[u8]> = all.iter().map(|feature| &feature.track[..]).collect();
    let track = chunk(b"MTrk", NOTE);
    let mut files = vec![
        ("all features".to_owned(), file(1, 480, &tracks)),
        (
            "chunks of other kinds".to_owned(),
            [
                &header(1, 2, 96)[..],
                &chunk(b"XFIH", b"abcd"),
                &track,
                &chunk(b"XFKM", b""),
                &track,
                b"\x1a",
            ]
            .concat(),
        ),
        ("header alone".to_owned(), header(1, 0, 96)),
        (
            "long header".to_owned(),
            [chunk(b"MThd", &[0, 0, 0, 1, 0, 96, 7, 8, 9]), track.clone()].concat(),
        ),
        (
            "lying tracks".to_owned(),
            [
                header(1, 2, 96),
                lying_chunk(b"MTrk", 1000, NOTE),
                track.clone(),
            ]
            .concat(),
        ),
        (
            "lying last track".to_owned(),
            [header(1, 1, 96), lying_chunk(b"MTrk", 9999, NOTE)].concat(),
        ),
    ];
    for (format, tracks, division) in [
        (0, 0, 96),
        (1, 9, 0),
        (3, 1, 480),
        (u16::MAX, u16::MAX, u16::MAX),
    ] {
        files.push((
            format!("header {format} {tracks} {division}"),
            [header(format, tracks, division), track.clone()].concat(),
        ));
    }
    files
}
