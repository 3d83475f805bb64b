//! A generated corpus: each feature of the format in each kind of file, and each oddity of a whole
//! file. Every file opens, is read correctly and comes back byte for byte.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise"
)]

use crate::support::smf_build::features::{Feature, features};
use crate::support::smf_build::{END, chunk, file, header, lying_chunk, riff, riff_chunk, single};
use fcp_midi::smf::{self, Chunk, Container, File};

/// Ticks per quarter note, and frames by ticks: 24×4, 25×40, 29×10 (drop frame), 30×80.
const DIVISIONS: [u16; 7] = [1, 96, 480, 0xe804, 0xe728, 0xe30a, 0xe250];

const NOTE: &[u8] = b"\0\x90\x3c\x40\x60\x3c\0\0\xff\x2f\0";

/// Opens `bytes` and checks the properties of every file that opens.
fn open(name: &str, bytes: &[u8]) -> File {
    let file = smf::read(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(smf::write(&file) == bytes, "{name}: other bytes come back");
    let json = serde_json::to_string(&file).unwrap();
    assert!(
        serde_json::from_str::<File>(&json).unwrap() == file,
        "{name}: changed by JSON"
    );
    for track in file.tracks() {
        assert!(
            track.events.is_sorted_by_key(|event| event.tick),
            "{name}: a tick falls"
        );
    }
    file
}

fn check(name: &str, bytes: &[u8], number: usize, feature: &Feature) {
    let name = format!("{} in {name}", feature.name);
    let file = open(&name, bytes);
    let track = file.tracks().nth(number).unwrap();
    assert_eq!(track.events.len(), feature.events, "{name}: {track:?}");
    let start = bytes.windows(feature.track.len() + 4).position(|window| {
        window[..4] == u32::try_from(feature.track.len()).unwrap().to_be_bytes()
            && window[4..] == feature.track
    });
    let fault = feature
        .fault
        .map(|place| (start.unwrap() + 4 + place) as u64);
    assert_eq!(
        track.fault.as_ref().map(|fault| fault.offset),
        fault,
        "{name}: {track:?}"
    );
    assert_eq!(track.claim, None, "{name}");
}

#[test]
fn every_feature_survives_in_every_kind_of_file() {
    let features = features();
    let mut files = 0;
    for feature in &features {
        let track = &feature.track[..];
        for division in DIVISIONS {
            check("SMF 0", &file(0, division, &[track]), 0, feature);
            check(
                "SMF 1, as the conductor",
                &file(1, division, &[track, NOTE]),
                0,
                feature,
            );
            check(
                "SMF 1, between tracks",
                &file(1, division, &[END, track, NOTE]),
                1,
                feature,
            );
            check("SMF 2", &file(2, division, &[NOTE, track, END]), 1, feature);
            files += 4;
        }
        let smf = single(track);
        check(
            "RIFF",
            &riff(&[&riff_chunk(b"data", &smf), &[0][..smf.len() % 2]]),
            0,
            feature,
        );
        files += 1;
    }
    println!("{files} files of {} features", features.len());
    assert!(features.len() >= 60);
}

#[test]
fn all_features_survive_in_one_file() {
    let features = features();
    let tracks: Vec<&[u8]> = features.iter().map(|feature| &feature.track[..]).collect();
    let file = open("all features", &file(1, 480, &tracks));
    for (track, feature) in file.tracks().zip(&features) {
        assert_eq!(track.events.len(), feature.events, "{}", feature.name);
    }
}

#[test]
fn chunks_of_other_kinds_stay_in_their_place() {
    let other = chunk(b"XFIH", b"abcd");
    let track = chunk(b"MTrk", NOTE);
    let bytes = [
        &header(1, 2, 96),
        &other,
        &track,
        &chunk(b"XFKM", b""),
        &track,
        &other,
    ]
    .map(Vec::as_slice)
    .concat();
    let file = open("unknown chunks", &bytes);
    let kinds: Vec<&str> = file
        .chunks
        .iter()
        .map(|chunk| match chunk {
            Chunk::Track(_) => "MTrk",
            Chunk::Other { id, .. } => str::from_utf8(id).unwrap(),
        })
        .collect();
    assert_eq!(kinds, ["XFIH", "MTrk", "XFKM", "MTrk", "XFIH"]);

    let bytes = [header(1, 2, 96), chunk(b"M\xd4rk", b"abc"), track.clone()].concat();
    assert_eq!(open("a damaged type", &bytes).chunks.len(), 2);
}

#[test]
fn headers_of_all_kinds_survive() {
    let track = chunk(b"MTrk", NOTE);
    for format in [0, 1, 2, 3, u16::MAX] {
        for tracks in [0, 1, 2, u16::MAX] {
            for division in [0, 1, 0x7fff, 0x8000, 0xe200, 0xff01, u16::MAX] {
                let file = open(
                    "odd header",
                    &[header(format, tracks, division), track.clone()].concat(),
                );
                let found = (
                    file.header.format,
                    file.header.claimed_tracks,
                    file.header.division,
                );
                assert_eq!(found, (format, tracks, division));
                assert_eq!(file.chunks.len(), 1);
            }
        }
    }
    let fields = [0, 0, 0, 1, 0, 96, 7, 8, 9];
    let file = open(
        "long header",
        &[chunk(b"MThd", &fields), track.clone()].concat(),
    );
    assert_eq!(
        (&file.header.surplus[..], file.tracks().count()),
        (&[7, 8, 9][..], 1)
    );
    for length in [0, 5, 7, 8, 20, 21, u32::MAX] {
        let bytes = [lying_chunk(b"MThd", length, &fields[..6]), track.clone()].concat();
        assert_eq!(open("lying header", &bytes).tracks().count(), 1, "{length}");
    }
    assert_eq!(open("header alone", &header(1, 0, 96)).chunks.len(), 0);
    assert_eq!(
        open(
            "no track",
            &[header(1, 0, 96), chunk(b"XFIH", b"abc")].concat()
        )
        .tracks()
        .count(),
        0
    );
}

#[test]
fn bytes_after_the_last_chunk_survive() {
    for trailing in [
        &b"\0"[..],
        b"MTr",
        b"MTrk\0\0\0",
        b"XFIH\0\0\0\x09abc",
        &[0; 128],
        &[0xff; 99],
        b"\x1a",
    ] {
        let file = open("trailing", &[&single(NOTE), trailing].concat());
        assert_eq!((&file.trailing[..], file.chunks.len()), (trailing, 1));
        assert_eq!(file.first_fault(), None);
    }
}

#[test]
fn lying_lengths_survive() {
    for length in (0..40).chain([1000, 0x7fff_ffff, 0xffff_fff7, u32::MAX]) {
        let lying = lying_chunk(b"MTrk", length, NOTE);
        open("last track", &[header(0, 1, 96), lying.clone()].concat());
        open(
            "other track",
            &[
                header(1, 3, 96),
                lying.clone(),
                chunk(b"MTrk", NOTE),
                chunk(b"XFIH", NOTE),
            ]
            .concat(),
        );
        open(
            "both tracks",
            &[header(1, 2, 96), lying.clone(), lying].concat(),
        );
        open(
            "other chunk",
            &[
                header(1, 2, 96),
                lying_chunk(b"XFIH", length, NOTE),
                chunk(b"MTrk", NOTE),
            ]
            .concat(),
        );
    }
}

#[test]
fn riff_files_of_all_kinds_survive() {
    let info = riff_chunk(b"LIST", b"INFOINAM\x02\0\0\0hi");
    for smf in [single(NOTE), single(END)] {
        let data = riff_chunk(b"data", &smf);
        for pad in [&b""[..], b"\0", b"\x07"] {
            for (before, after) in [
                (&b""[..], &b""[..]),
                (&info, b""),
                (b"", &info),
                (&info, &info),
            ] {
                for beyond in [&b""[..], b"\0", b"beyond the end"] {
                    let bytes = [&riff(&[before, &data, pad, after]), beyond].concat();
                    let file = open("RIFF", &bytes);
                    assert!(matches!(file.container, Container::Riff(_)));
                    assert_eq!(file.first_fault(), None);
                    for (place, length) in [(4, 0), (4, 9), (4, u32::MAX), (16, u32::MAX), (16, 30)]
                    {
                        let mut lying = bytes.clone();
                        lying[place..place + 4].copy_from_slice(&length.to_le_bytes());
                        if smf::read(&lying).is_ok() {
                            open("lying RIFF", &lying);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn a_thousand_tracks_survive() {
    let tracks: Vec<&[u8]> = (0..1000)
        .map(|number| if number % 9 == 0 { NOTE } else { END })
        .collect();
    assert_eq!(
        open("1000 tracks", &file(1, 96, &tracks)).tracks().count(),
        1000
    );
}

#[test]
fn a_file_cut_off_anywhere_survives() {
    let features = features();
    let tracks: Vec<&[u8]> = features
        .iter()
        .map(|feature| &feature.track[..])
        .filter(|track| track.len() < 99)
        .collect();
    let bytes = file(1, 480, &tracks);
    let wrapped = riff(&[&riff_chunk(b"data", &bytes), &riff_chunk(b"LIST", b"INFO")]);
    for length in 14..bytes.len() {
        let file = smf::read(&bytes[..length]).unwrap();
        assert!(smf::write(&file) == bytes[..length], "cut off at {length}");
        let file = smf::read(&wrapped[..20 + length]).unwrap();
        assert!(
            smf::write(&file) == wrapped[..20 + length],
            "wrapped and cut off at {length}"
        );
    }
}
