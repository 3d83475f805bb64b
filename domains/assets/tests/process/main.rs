//! The program as a process: its output, readiness and end.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod command;
mod memory;
mod program;
mod ready;
mod rows;
mod session;
mod signals;
mod sources;
