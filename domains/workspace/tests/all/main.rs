//! The program from a client's view, on real repositories.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first surprise"
)]

mod closed;
mod crash;
mod escape;
mod fingerprints;
mod http;
mod kit;
mod leases;
mod limits;
mod patches;
mod races;
mod reading;
mod sandbox;
mod serving;
mod session;
mod shapes;
mod snapshots;
mod store;
mod vectors;
mod writing;
