//! Most tests in one program: each program links the whole domain.

mod again;
mod asking;
mod budgets;
mod conformance;
mod conversions;
mod forgotten_mod;
mod lossless;
mod mcp;
mod musicxml;
mod numbers;
mod on_disk;
mod ordering;
mod repairs;
mod seams;
mod selecting;
mod sessions;
mod smf_corpus;
mod smf_data;
mod smf_spelling;
mod smf_whole;
mod support;
mod values_any;
mod values_chords;
mod values_time;
mod warnings;

/// A file that no `mod` line names would hold tests that nobody runs.
#[test]
fn every_file_is_named() {
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let named = include_str!("all.rs");
    let manifest = include_str!("../Cargo.toml");
    for entry in std::fs::read_dir(tests).into_iter().flatten().flatten() {
        let path = entry.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.unwrap_or_default();
        let apart = manifest.contains(&format!("[[test]]\nname = \"{stem}\"")) || path.is_dir();
        assert!(
            apart || named.contains(&format!("\nmod {stem};")),
            "tests/all.rs has no line `mod {stem};`"
        );
    }
}
