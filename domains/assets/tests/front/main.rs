//! Two dialects on one pair of streams.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod cancelled;
mod limits;
mod mixed;
mod plain;
mod stage;
