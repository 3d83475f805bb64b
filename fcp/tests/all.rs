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

/// Tests in a file without a `mod` line would never run.
#[test]
fn every_file_is_named() {
    let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let unnamed = fcp::testing::unnamed_tests(package);
    assert!(unnamed.is_empty(), "{}", unnamed.join("\n"));
}
