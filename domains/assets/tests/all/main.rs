//! Tests of the tools' replies, one module per subject.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test stops at the first surprise"
)]

mod backend;
mod bounded;
mod bundles;
mod diff;
mod examples;
mod json;
mod kit;
mod many;
mod messages;
mod mutants;
mod patches;
#[path = "../process/program.rs"]
#[allow(dead_code, reason = "what the tests of the process need besides")]
mod program;
mod resources;
mod session;
mod sources;
mod suite;
