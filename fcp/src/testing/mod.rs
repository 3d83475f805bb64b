//! What a domain's tests are made of: examples, transcripts, the check of the whole domain, property walks, and other
//! people's files.
//!
//! Everything here panics with what is wrong: it is called from tests.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

mod data;
mod domain;
mod play;
mod server;
mod walk;

pub use data::{data, files, say};
pub use domain::{conformance, unregistered};
pub use play::{examples, transcript, transcripts};
pub use server::{Server, line};
pub use walk::{Walk, walk, walk_file};
