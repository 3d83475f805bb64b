//! A bounded fuzz run for the ordinary compiler: random bytes, and mutations of the committed seeds, through the op
//! parser. `FCP_FUZZ_BYTES` sets how many. The coverage-guided run is in `fuzz/`.

// Helpers of tests are not tests to clippy.
#![allow(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

use std::fs;
use std::path::Path;

#[path = "../../fuzz/invariants/op.rs"]
mod op;

const SEED: u64 = 0x5eed_0f0b_5eed_0f0b;
const DEFAULT_BYTES: usize = 10_000_000;

/// xorshift64*: good enough to wander, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next()).unwrap() % end.max(1)
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// What the grammar has rules about.
const PIECES: &[&str] = &[
    " ",
    "  ",
    "\t",
    "\r\n",
    "\"",
    "'",
    "\\",
    "\\\"",
    "\\u",
    "\\u{",
    "}",
    "\\uD83D",
    "\\uDE00",
    "\\n",
    ":",
    ":\"",
    ":'",
    "@",
    "@not:",
    "->",
    "<->",
    "--",
    "=",
    "!",
    "A1",
    "B10",
    "1",
    "a",
    "É",
    "İ",
    "Σ",
    "ß",
    "日",
    "😀",
    "\u{301}",
    "\0",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    ",",
    ".",
    "-",
    "_",
    "/",
    "note ",
    " at:1.1 ",
    "\"a b\"",
    "k:\"a b\" ",
    "@track:\"a b\" ",
];

fn from_scratch(random: &mut Random) -> Vec<u8> {
    let length = random.below(200);
    match random.below(3) {
        0 => (0..length).map(|_| random.below(256) as u8).collect(),
        1 => (0..length).map(|_| random.below(96) as u8 + 32).collect(),
        _ => (0..length / 4)
            .flat_map(|_| random.pick(PIECES).bytes())
            .collect(),
    }
}

fn mutated(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(8)).min(bytes.len());
        match random.below(6) {
            0 => drop(bytes.drain(at..to)),
            1 => drop(bytes.splice(at..at, random.pick(PIECES).bytes())),
            2 => drop(bytes.splice(at..to, random.pick(PIECES).bytes())),
            3 => bytes.truncate(at),
            4 => {
                let other = &seeds[random.below(seeds.len())];
                bytes.splice(at.., other[random.below(other.len())..].iter().copied());
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.below(256) as u8;
                }
            }
        }
    }
    bytes
}

/// All of the promises cost ten times the least of them, so most of the text is only parsed.
fn check(text: &str, count: usize) {
    match count % 8 {
        0 => op::holds(text),
        _ => op::parses(text),
    }
}

#[test]
fn random_text_breaks_no_promise() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds/parse");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let seeds: Vec<_> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    for seed in &seeds {
        op::holds(&String::from_utf8_lossy(seed));
    }

    let budget =
        std::env::var("FCP_FUZZ_BYTES").map_or(DEFAULT_BYTES, |bytes| bytes.parse().unwrap());
    println!("seed {SEED:#x}, {budget} bytes (FCP_FUZZ_BYTES)");
    let mut random = Random(SEED);
    let (mut sent, mut texts) = (0, 0);
    while sent < budget {
        let bytes = match random.below(2) {
            0 => from_scratch(&mut random),
            _ => mutated(&mut random, &seeds),
        };
        let text = String::from_utf8_lossy(&bytes);
        if let Err(panic) = std::panic::catch_unwind(|| check(&text, texts)) {
            eprintln!("text {texts} of seed {SEED:#x}: {text:?}");
            std::panic::resume_unwind(panic);
        }
        sent += bytes.len();
        texts += 1;
    }
    println!("{texts} texts");
}

/// A lot of what makes a careless parser look back or ahead. In linear time this takes seconds, in quadratic time hours.
#[test]
fn hostile_text_takes_linear_time() {
    const LONG: usize = 128 * 1024;
    const SHORT: usize = 200;
    for piece in [
        " ", "\"", "'", "\\", ":", "@", "=", "!", "a", "A", "1", "Σ", "\u{301}", "a:\"", "\"\"",
        "\" ", "\\\"", "\\u{", "\\uD83D", "@not:", "a:", ":\"", ":' ", "A1:", "!A1:B2", "\"a\",",
        "\"a\"b ", "a\n", "\0", "é", "->", "k:v ", "\"x ", "İ",
    ] {
        let around = |length: usize| {
            let body = piece.repeat(length / piece.len());
            [
                format!("x {body}"),
                format!("x \"{body}"),
                format!("x \"{body}\""),
                format!("x '{body}'"),
                format!("x k:\"{body}"),
                format!("x @t:{body}"),
                format!("x{body}"),
                body,
            ]
        };
        around(SHORT).iter().for_each(|text| op::holds(text));
        around(LONG).iter().for_each(|text| op::parses(text));
    }
}
