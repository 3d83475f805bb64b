//! Tables through the real transport: what is read, what is written, what the saved file then holds, and what refusals say.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use fcp::testing::Server;
use serde_json::json;
use tempfile::tempdir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_fcp-svg");

#[test]
fn placeholder() {
    let _ = (PROGRAM, tempdir, json!({}), Server::new as fn(_, _) -> _);
}
