//! Random bytes for the ordinary compiler: mutants of the committed seeds, bounded by `FCP_FUZZ_BYTES`.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;

use crate::testing::{Walk, say};

/// How many bytes there are where `FCP_FUZZ_BYTES` says nothing.
const USUAL: usize = 4_000_000;

/// The seeds of a target, in order of names.
///
/// # Panics
/// There are none, or one cannot be read.
#[must_use]
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let above = package.iter().flat_map(|package| package.ancestors());
    let mut folders = above.map(|above| above.join("fuzz/seeds").join(target));
    let folder = folders.find(|folder| folder.is_dir());
    let folder = folder.unwrap_or_else(|| panic!("there is no fuzz/seeds/{target}"));
    let mut files: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .flatten()
        .map(|file| file.path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    let read = |file: &PathBuf| fs::read(file);
    let seeds: Result<_, _> = files.iter().map(read).collect();
    seeds.unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
}

/// A seed with up to six pieces of it dropped, replaced, or taken from another seed.
#[must_use]
pub fn mutated<P: AsRef<[u8]> + ?Sized>(
    random: &mut Walk,
    seeds: &[Vec<u8>],
    pieces: &[&P],
) -> Vec<u8> {
    let seed = |random: &mut Walk| seeds.get(random.below(seeds.len()));
    let mut bytes = seed(random).cloned().unwrap_or_default();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(8)).min(bytes.len());
        let piece = |random: &mut Walk| {
            let piece = random.pick(pieces);
            piece.map_or_else(Vec::new, |piece| piece.as_ref().to_vec())
        };
        match random.below(7) {
            0 => drop(bytes.drain(at..to)),
            1 => drop(bytes.splice(at..at, piece(random))),
            2 => drop(bytes.splice(at..to, piece(random))),
            3 => bytes.truncate(at),
            4 => {
                let other = seed(random).map_or(&[][..], Vec::as_slice);
                let from = random.below(other.len());
                bytes.splice(at.., other.iter().skip(from).copied());
            }
            5 => bytes.insert(at, random.below(256) as u8),
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.below(256) as u8;
                }
            }
        }
    }
    bytes
}

/// Checks what `make` makes up until it is as many bytes as `FCP_FUZZ_BYTES` says, divided by what it costs to check
/// one. What fails is shown. `FCP_FUZZ_SEED` goes another way than the usual.
///
/// # Panics
/// What is checked does, or a number that was set is none.
pub fn run(
    cost: usize,
    mut make: impl FnMut(&mut Walk) -> Vec<u8>,
    mut check: impl FnMut(&[u8], usize),
) {
    let set = |name: &str, usual: usize| {
        std::env::var(name).map_or(usual, |said| {
            said.parse()
                .unwrap_or_else(|_| panic!("{name}={said} is no number"))
        })
    };
    let budget = set("FCP_FUZZ_BYTES", USUAL) / cost;
    let seed = set("FCP_FUZZ_SEED", 1);
    let mut random = Walk::new(seed as u64);
    let (mut sent, mut count) = (0, 0);
    while sent < budget {
        let bytes = make(&mut random);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(&bytes, count))) {
            let text = String::from_utf8_lossy(&bytes);
            say(&format!(
                "input {count} of FCP_FUZZ_SEED={seed}: {text:?}\n{bytes:02x?}"
            ));
            resume_unwind(panic);
        }
        sent += bytes.len().max(1);
        count += 1;
    }
    say(&format!("{count} inputs, {sent} bytes, seed {seed}"));
}
