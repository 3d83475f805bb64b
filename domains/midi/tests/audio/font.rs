//! A SoundFont of two instruments and a kit, made of sines, so that sounds can be identified
//! exactly.

use std::f64::consts::TAU;

/// Samples per period: 440 Hz at the rate below.
const PERIOD: usize = 100;
const RATE: u32 = 44_000;
/// Silent samples after each sample (SoundFont 2.04, 6.1).
const GUARD: usize = 46;

fn chunk(id: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap().to_le_bytes();
    let pad = vec![0; content.len() % 2];
    [&id[..], &length, content, &pad].concat()
}

fn list(id: &[u8; 4], chunks: &[Vec<u8>]) -> Vec<u8> {
    chunk(b"LIST", &[&id[..], &chunks.concat()].concat())
}

fn name(text: &str) -> [u8; 20] {
    let mut bytes = [0; 20];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    bytes
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Name, program, bank, first zone.
fn preset(text: &str, program: u16, bank: u16, zone: u16) -> Vec<u8> {
    let mut bytes = name(text).to_vec();
    bytes.extend(words(&[program, bank, zone]));
    bytes.extend([0; 12]);
    bytes
}

/// Name, first zone.
fn instrument(text: &str, zone: u16) -> Vec<u8> {
    [&name(text)[..], &zone.to_le_bytes()].concat()
}

/// Twenty periods of a sound that is A4 on key 69, with the given levels of its first two partials.
fn sample(first: f64, second: f64) -> Vec<i16> {
    let at = |n: usize| {
        let phase = TAU * n as f64 / PERIOD as f64;
        let level = first * phase.sin() + second * (2.0 * phase).sin();
        (level * 20_000.0).round() as i16
    };
    (0..20 * PERIOD).map(at).collect()
}

/// `Sine` is program 0. `Bright` is program 40, with its octave at the same level. In the kit every
/// low key is an A5 and every high one an A6.
pub fn font() -> Vec<u8> {
    let samples = [sample(1.0, 0.0), sample(0.5, 0.5), sample(0.0, 1.0)];
    let mut wave: Vec<i16> = Vec::new();
    let mut headers = Vec::new();
    for (number, sample) in samples.iter().enumerate() {
        let start = wave.len();
        let end = start + sample.len();
        wave.extend(sample);
        wave.extend([0; GUARD]);
        headers.extend(name(&format!("sample {number}")));
        for place in [start, end, start + 2 * PERIOD, end - 2 * PERIOD] {
            headers.extend(u32::try_from(place).unwrap().to_le_bytes());
        }
        headers.extend(RATE.to_le_bytes());
        headers.extend([69, 0]);
        headers.extend(words(&[0, 1]));
    }
    headers.extend(name("EOS"));
    headers.extend([0; 26]);
    // Generators: 43 range of keys, 51 semitones, 53 sample, 54 looped, 56 cents a key, 41 instrument.
    let looped = [54, 1];
    let zones: [Vec<u16>; 4] = [
        [&looped[..], &[53, 0]].concat(),
        [&looped[..], &[53, 1]].concat(),
        [&[43, 0x2800], &looped[..], &[56, 0, 53, 2]].concat(),
        [&[43, 0x7f29], &looped[..], &[51, 12, 56, 0, 53, 2]].concat(),
    ];
    let mut bags = Vec::new();
    let mut generators = Vec::new();
    for zone in &zones {
        bags.extend(words(&[u16::try_from(generators.len() / 4).unwrap(), 0]));
        generators.extend(words(zone));
    }
    bags.extend(words(&[u16::try_from(generators.len() / 4).unwrap(), 0]));
    generators.extend([0; 4]);
    let parameters = [
        chunk(
            b"phdr",
            &[
                preset("Sine", 0, 0, 0),
                preset("Bright", 40, 0, 1),
                preset("Beeps", 0, 128, 2),
                preset("EOP", 0, 0, 3),
            ]
            .concat(),
        ),
        chunk(b"pbag", &words(&[0, 0, 1, 0, 2, 0, 3, 0])),
        chunk(b"pmod", &[0; 10]),
        chunk(b"pgen", &words(&[41, 0, 41, 1, 41, 2, 0, 0])),
        chunk(
            b"inst",
            &[
                instrument("Sine", 0),
                instrument("Bright", 1),
                instrument("Beeps", 2),
                instrument("EOI", 4),
            ]
            .concat(),
        ),
        chunk(b"ibag", &bags),
        chunk(b"imod", &[0; 10]),
        chunk(b"igen", &generators),
        chunk(b"shdr", &headers),
    ];
    let info = [
        chunk(b"ifil", &words(&[2, 1])),
        chunk(b"isng", b"EMU8000\0"),
        chunk(b"INAM", b"Sines\0"),
    ];
    let wave: Vec<u8> = wave
        .iter()
        .flat_map(|sample| sample.to_le_bytes())
        .collect();
    let lists = [
        list(b"INFO", &info),
        list(b"sdta", &[chunk(b"smpl", &wave)]),
        list(b"pdta", &parameters),
    ];
    chunk(b"RIFF", &[&b"sfbk"[..], &lists.concat()].concat())
}
