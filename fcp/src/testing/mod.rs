//! What a domain's tests are made of: examples, transcripts, the check of the whole domain, property walks, slips and typos,
//! and other people's files.
//!
//! Everything here panics with what is wrong: it is called from tests.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

pub mod contract;
mod data;
mod domain;
pub mod fuzz;
mod play;
mod server;
mod slips;
mod typos;
mod walk;

pub use crate::__conformance as conformance;
pub use data::{data, files, others, say};
pub use domain::{conformance, unregistered};
pub use play::{examples, transcript, transcripts};
pub use server::{Server, line};
pub use slips::{Least, Slip, slips};
pub use typos::typos;
pub use walk::{Walk, long_walk, walk, walk_file, walk_ops};
