//! What a domain's tests are made of: examples, transcripts, the check of the whole domain, property walks, slips and typos,
//! and other people's files.
//!
//! Everything here panics with what is wrong: it is called from tests.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

pub mod contract;
mod data;
mod domain;
mod long;
mod play;
mod server;
mod slips;
mod tool;
mod typos;
mod walk;

pub use crate::__conformance as conformance;
pub use crate::__tools as tools;
pub use data::{data, files, others, say};
pub use domain::{conformance, unregistered};
pub use long::{long_walk, walk_ops};
pub use play::{examples, transcript, transcripts};
pub use server::{Server, line};
pub use slips::{Least, Slip, slips};
pub use tool::{tool_conformance, tool_examples, toolbox};
pub use typos::typos;
pub use walk::{Walk, walk, walk_file};
