//! Any text as statements of SQL over the tables of a song.

#![no_main]

use fcp::testing::fuzz::Statements;
use fcp_midi::Song;

thread_local!(static STATEMENTS: Statements<Song> = Statements::new(include_str!("../invariants/midi.fcp")));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| STATEMENTS.with(|statements| statements.holds(bytes)));
