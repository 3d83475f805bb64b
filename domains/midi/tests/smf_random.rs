//! Random bytes, and valid files damaged at random: every file that opens comes back byte for byte,
//! and its parsed size is in proportion to it.
//!
//! `FCP_FUZZ_BYTES` sets the total number of bytes to read, `FCP_FUZZ_SEED` the first seed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod smf_build;
#[path = "../../../fuzz/invariants/smf.rs"]
mod smf_holds;

use fcp::testing::fuzz::mutants;
use fcp::testing::{Walk, say};
use fcp_midi::smf;
use smf_build::features::features;
use smf_build::{chunk, file, header, riff, riff_chunk, single};

/// Valid files to damage.
fn seeds() -> Vec<Vec<u8>> {
    let features = features();
    let tracks: Vec<&[u8]> = features
        .iter()
        .map(|feature| &feature.track[..])
        .filter(|track| track.len() < 400)
        .collect();
    let mut seeds: Vec<Vec<u8>> = tracks.iter().map(|track| single(track)).collect();
    seeds.extend(tracks.chunks(4).map(|tracks| file(1, 480, tracks)));
    seeds.extend(tracks.chunks(3).map(|tracks| file(2, 0xe728, tracks)));
    seeds.push(riff(&[
        &riff_chunk(b"LIST", b"INFO"),
        &riff_chunk(b"data", &single(tracks[1])),
        b"\0",
    ]));
    seeds.push(
        [
            header(1, 2, 96),
            chunk(b"XFIH", b"abcd"),
            chunk(b"MTrk", tracks[0]),
            vec![7; 5],
        ]
        .concat(),
    );
    seeds
}

/// Bytes that are significant to a reader.
const TELLING: [&[u8]; 12] = [
    b"MTrk",
    b"MThd",
    b"\xff\x2f\0",
    b"\xff\xff\xff\x7f",
    b"\xff\xff\xff\xff",
    b"\x80\x80\x80\0",
    b"\0\0\0\x06",
    b"\xf0",
    b"\xf7",
    b"\xff\x51\x03",
    b"\x90",
    b"\xc0",
];

fn bytes(random: &mut Walk, most: usize) -> Vec<u8> {
    let length = random.below(most);
    (0..length).map(|_| random.below(256) as u8).collect()
}

#[test]
fn random_bytes_never_trip_the_reader() {
    let mut sound = mutants::seeds("smf");
    sound.iter().for_each(|seed| drop(smf_holds::holds(seed)));
    sound.extend(seeds());
    let (mut opened, mut faulty) = (0_usize, 0_usize);
    let mut tried = 0;
    mutants::run(
        1,
        |random| match random.below(8) {
            0 => bytes(random, 300),
            1 => single(&bytes(random, 2000)),
            2 => [header(1, 2, 96), bytes(random, 300)].concat(),
            _ => mutants::mutated(random, &sound, &TELLING),
        },
        |bytes, _| {
            tried += 1;
            if let Some(file) = smf_holds::holds(bytes) {
                opened += 1;
                faulty += usize::from(file.first_fault().is_some());
            }
        },
    );
    say(&format!(
        "{opened} of {tried} opened and came back, {faulty} of them with a fault"
    ));
    assert!(opened > tried / 4 || tried < 100);
}

#[test]
fn large_hostile_files_are_read_in_time() {
    const SIZE: usize = 1_000_000;
    let hostile: [(&str, &[u8]); 8] = [
        ("tracks that say they are longer", b"MTrk\xff\xff\xff\xff"),
        ("tracks of no byte", b"MTrk\0\0\0\0"),
        (
            "tracks that say they are shorter",
            b"MTrk\0\0\0\x01\0\xff\x2f\0",
        ),
        ("tracks that end in the next", b"MTrk\0\0\0\x09\0\xff\x2f\0"),
        ("tracks that run on", b"MTrk\0\0\0\x01\0\xc0\0"),
        ("chunks of no byte", b"XFIH\0\0\0\0"),
        ("events of two bytes", b"\0\xf8"),
        ("RIFF data without end", b"data\0\0\0\0"),
    ];
    for (name, part) in hostile {
        let filling = part.repeat(SIZE / part.len());
        for start in [
            header(1, 9, 96),
            single(b""),
            riff(&[&riff_chunk(b"data", &header(1, 1, 96))]),
        ] {
            let bytes = [&start, &filling[..]].concat();
            let file = smf::read(&bytes).unwrap();
            assert!(smf::write(&file) == bytes, "{name}");
            assert!(
                smf_holds::kept(&file) <= 48 * bytes.len(),
                "{name}: {} kept",
                smf_holds::kept(&file)
            );
        }
        assert!(
            smf::read(&[b"RIFF\0\0\0\0RMID", &filling[..]].concat()).is_err(),
            "{name}"
        );
        let bytes = single(&filling);
        assert!(smf::write(&smf::read(&bytes).unwrap()) == bytes, "{name}");
    }
}
