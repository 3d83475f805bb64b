//! Files made here: each feature of the format in each kind of file, and each oddity of a whole file.

use super::smf_build::features::features;
use super::smf_build::{END, chunk, file, header, lying_chunk, riff, riff_chunk, single};

/// Ticks per quarter note, and frames by ticks: 25×40, 30×80.
const DIVISIONS: [u16; 4] = [96, 480, 0xe728, 0xe250];

const NOTE: &[u8] = b"\0\x90\x3c\x40\x60\x3c\0\0\xff\x2f\0";

/// All of them, by name.
pub fn corpus() -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for feature in features() {
        let track = &feature.track[..];
        for division in DIVISIONS {
            let mut add = |kind: &str, bytes: Vec<u8>| {
                files.push((
                    format!("{} in {kind}, division {division:04x}", feature.name),
                    bytes,
                ));
            };
            add("SMF 0", file(0, division, &[track]));
            add("SMF 1 as the conductor", file(1, division, &[track, NOTE]));
            add(
                "SMF 1 between tracks",
                file(1, division, &[END, track, NOTE]),
            );
            add("SMF 2", file(2, division, &[NOTE, track, END]));
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
