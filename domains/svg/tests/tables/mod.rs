//! Tables over the real transport: reading and writing them, the saved file, errors, and selections
//! by CSS.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod computed;
mod queries;
mod repairs;
mod statements;

use std::fs;
use std::path::Path;

use fcp::testing::Server;
use tempfile::TempDir;

use crate::support::opened;

/// A drawing with rows in every table.
fn given() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files/tables.svg");
    fs::read_to_string(path).unwrap()
}

/// A server with that drawing open.
fn server() -> (Server, TempDir) {
    opened(given())
}
