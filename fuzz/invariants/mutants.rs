//! Random bytes for the ordinary compiler: mutants of the committed seeds, bounded by `FCP_FUZZ_BYTES`.

#![allow(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

/// xorshift64*: good enough to wander, and the same everywhere.
pub struct Random(u64);

impl Random {
    /// The same numbers for the same seed, which is not 0.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number below `end`; 0 if that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next()).unwrap() % end.max(1)
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// The seeds of a target, in order of names.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds");
    let mut files: Vec<_> = fs::read_dir(folder.join(target))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// A seed with up to six pieces of it dropped, replaced, or taken from another seed.
pub fn mutated(random: &mut Random, seeds: &[Vec<u8>], pieces: &[&str]) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(8)).min(bytes.len());
        match random.below(6) {
            0 => drop(bytes.drain(at..to)),
            1 => drop(bytes.splice(at..at, random.pick(pieces).bytes())),
            2 => drop(bytes.splice(at..to, random.pick(pieces).bytes())),
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

/// Checks what `make` makes up until it is so many bytes, those of `FCP_FUZZ_BYTES` if it says some. What fails is shown.
pub fn run(
    seed: u64,
    usual: usize,
    mut make: impl FnMut() -> Vec<u8>,
    mut check: impl FnMut(&[u8], usize),
) {
    let budget = std::env::var("FCP_FUZZ_BYTES").map_or(usual, |bytes| bytes.parse().unwrap());
    println!("seed {seed:#x}, {budget} bytes (FCP_FUZZ_BYTES)");
    let (mut sent, mut count) = (0, 0);
    while sent < budget {
        let bytes = make();
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(&bytes, count))) {
            let text = String::from_utf8_lossy(&bytes);
            eprintln!("text {count} of seed {seed:#x}: {text:?}");
            resume_unwind(panic);
        }
        sent += bytes.len().max(1);
        count += 1;
    }
    println!("{count} texts");
}
