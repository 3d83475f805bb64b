//! All tests but those of pictures and of random text in one program: each program links everything that draws, which takes long.

mod any_text;
mod cascade;
mod conformance;
mod corpus_boxes;
mod corpus_styles;
mod corpus_values;
mod definitions;
mod drawn_bytes;
mod kept;
mod limits;
mod lossless;
mod mcp;
mod moving;
mod pages;
mod parameters;
mod path_edits;
mod promises;
mod refusals;
mod repairs;
mod sessions;
mod style_bytes;
mod style_holds;
mod walk;
mod warnings;

/// A file that no `mod` line names would hold tests that nobody runs.
#[test]
fn every_file_is_named() {
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let named = include_str!("all.rs");
    for entry in std::fs::read_dir(tests).into_iter().flatten().flatten() {
        let path = entry.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let stem = stem.unwrap_or_default();
        let apart = ["all", "any_random", "pictures"].contains(&stem) || path.is_dir();
        assert!(
            apart || named.contains(&format!("\nmod {stem};")),
            "tests/all.rs has no line `mod {stem};`"
        );
    }
}
