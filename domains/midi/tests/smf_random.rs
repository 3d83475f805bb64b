//! Random bytes, and sound files damaged at random: whatever opens comes back byte for byte, and
//! what is kept of it is in proportion to it.
//!
//! `FCP_FUZZ_BYTES` says how many bytes to read in all, `FCP_FUZZ_SEED` where to start.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test stops at the first surprise"
)]

mod smf_build;

use fcp_midi::smf::{self, Body, Chunk, Container, Event, File};
use smf_build::features::features;
use smf_build::{chunk, file, header, riff, riff_chunk, single};

/// SplitMix64, by Sebastiano Vigna, public domain.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next() as u8).collect()
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// Sound files to damage.
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

/// Bytes that mean something to a reader.
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

fn damage(random: &mut Random, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    for _ in 0..1 + random.below(6) {
        let at = random.below(bytes.len());
        match random.below(7) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, random.next() as u8),
            2 if !bytes.is_empty() => drop(bytes.remove(at)),
            3 => drop(bytes.splice(at..at, random.pick(&TELLING).iter().copied())),
            4 => {
                let other = random.pick(seeds);
                let from = random.below(other.len());
                let to = (from + random.below(40)).min(other.len());
                bytes.splice(at..at, other[from..to].iter().copied());
            }
            _ => bytes
                .get_mut(at)
                .into_iter()
                .for_each(|byte| *byte = random.next() as u8),
        }
    }
}

/// How many bytes `file` keeps in memory, allocations counted at sixteen bytes beyond their own.
fn kept(file: &File) -> usize {
    let of = |bytes: &[u8]| {
        if bytes.is_empty() {
            0
        } else {
            bytes.len() + 48
        }
    };
    let event = |event: &Event| match &event.body {
        Body::Meta { bytes, .. } | Body::Sysex(bytes) | Body::Escape(bytes) => of(bytes),
        Body::Channel { .. } | Body::System { .. } => 0,
    };
    let chunk = |chunk: &Chunk| match chunk {
        Chunk::Other { bytes, .. } => of(bytes),
        Chunk::Track(track) => {
            let fault = track
                .fault
                .as_ref()
                .map_or(0, |fault| of(fault.message.as_bytes()));
            let end = track.end.as_ref().map_or(0, |end| of(&end.bytes));
            let events: usize = track.events.iter().map(event).sum();
            track.events.capacity() * size_of::<Event>() + events + of(&track.tail) + fault + end
        }
    };
    let chunks: usize = file.chunks.iter().map(chunk).sum();
    let around = match &file.container {
        Container::Bare => 0,
        Container::Riff(riff) => of(&riff.before) + of(&riff.after) + of(&riff.beyond),
    };
    chunks
        + file.chunks.capacity() * size_of::<Chunk>()
        + around
        + of(&file.trailing)
        + of(&file.header.surplus)
}

/// Drops what is damaged in `file`: what is left is sound, and says the same.
fn check_mended(file: &File) {
    let mut mended = file.clone();
    mended.header.claim = None;
    if let Container::Riff(riff) = &mut mended.container {
        (riff.claim, riff.data_claim) = (None, None);
    }
    for chunk in &mut mended.chunks {
        if let Chunk::Track(track) = chunk {
            track.drop_damage();
        }
    }
    let again = smf::read(&smf::write(&mended)).unwrap();
    assert_eq!(again.first_fault(), None, "{file:?}");
    assert_eq!(
        smf::export_events(&again),
        smf::export_events(&mended),
        "{file:?}"
    );
}

#[test]
fn random_bytes_never_trip_the_reader() {
    let (budget, seed) = (
        number("FCP_FUZZ_BYTES", 10_000_000),
        number("FCP_FUZZ_SEED", 1),
    );
    println!("FCP_FUZZ_BYTES={budget} FCP_FUZZ_SEED={seed}");
    let mut random = Random(seed);
    let seeds = seeds();
    let (mut spent, mut tried, mut opened, mut faulty) = (0, 0u64, 0u64, 0u64);
    while spent < budget {
        let bytes = match random.below(8) {
            0 => {
                let length = random.below(300);
                random.bytes(length)
            }
            1 => {
                let length = random.below(2000);
                let content = random.bytes(length);
                single(&content)
            }
            2 => {
                let length = random.below(300);
                [header(1, 2, 96), random.bytes(length)].concat()
            }
            _ => {
                let mut bytes = random.pick(&seeds).clone();
                damage(&mut random, &mut bytes, &seeds);
                bytes
            }
        };
        spent += bytes.len() as u64 + 1;
        tried += 1;
        let Ok(file) = smf::read(&bytes) else {
            continue;
        };
        opened += 1;
        faulty += u64::from(file.first_fault().is_some());
        assert!(
            smf::write(&file) == bytes,
            "other bytes come back of {bytes:02x?}"
        );
        check_mended(&file);
        let kept = kept(&file);
        assert!(
            kept <= 512 + 48 * bytes.len(),
            "{kept} bytes kept of {}: {bytes:02x?}",
            bytes.len()
        );
    }
    println!("{tried} files tried, {opened} opened and came back, {faulty} of them with a fault");
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
                kept(&file) <= 48 * bytes.len(),
                "{name}: {} kept",
                kept(&file)
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
