//! Building blocks of a domain's tests: examples, transcripts, the check of the whole domain,
//! property walks, repairs, and files of other projects.
//!
//! Everything here panics with a description of the fault: it is called from tests.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

pub mod contract;
mod data;
mod domain;
pub mod fidelity;
pub mod fuzz;
mod growth;
mod masked;
mod module_tests;
mod play;
mod proof;
mod repair;
#[cfg(unix)]
mod saving;
mod server;
mod time;
mod tool;
mod walk;

pub use crate::__conformance as conformance;
pub use crate::__tools as tools;
pub use data::{data, files, others, say};
pub use domain::{conformance, unregistered};
pub use growth::{Growth, growth, growth_table, tool_growth};
pub use masked::{Masked, ODD, assert_plain};
pub use module_tests::unnamed_tests;
pub use play::{blocks, examples, transcript, transcripts};
pub use proof::Proof;
pub use repair::{Least, Report, Slip, Tally, measure, repairs, slips};
#[cfg(unix)]
pub use saving::{
    Sample, keeps_the_old_file_if_a_save_fails, saves_of_two_servers_are_not_lost,
    saves_whole_at_signals,
};
pub use server::{
    Server, answers_every_id, ends_at_signals, ends_when_unread, line, stops_when_cancelled,
    unreadable_lines, unreadable_values,
};
pub use time::processor_time;
pub use tool::{tool_conformance, tool_examples, toolbox};
pub use walk::{Walk, long_walk, walk, walk_file, walk_ops};
