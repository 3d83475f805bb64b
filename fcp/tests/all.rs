//! Most tests in one program: each program links the whole framework.

mod cli;
mod events;
mod grammar;
mod macros;
mod mcp_revisions;
mod mcp_stdio;
mod mcp_structured;
mod mcp_tools;
mod params;
mod parse_messages;
mod parse_properties;
mod support;
mod tree;
mod values_any;

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
