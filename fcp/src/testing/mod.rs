//! What a domain's tests are made of: examples, transcripts, the check of the whole domain, property walks, repairs,
//! and other people's files.
//!
//! Everything here panics with what is wrong: it is called from tests.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

pub mod contract;
mod data;
mod domain;
mod long;
mod play;
mod repair;
mod server;
mod walk;

pub use crate::__conformance as conformance;
pub use data::{data, files, others, say};
pub use domain::{conformance, unregistered};
pub use long::{long_walk, walk_ops};
pub use play::{examples, transcript, transcripts};
pub use repair::{Least, Report, Slip, Tally, measure, repairs, slips};
pub use server::{Server, line};
pub use walk::{Walk, walk, walk_file};
