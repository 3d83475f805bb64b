//! Any text as calls of a song's tools.

#![no_main]

use fcp::testing::fuzz::Calls;
use fcp_midi::Song;

thread_local!(static CALLS: Calls<Song> = Calls::new(include_str!("../invariants/midi.fcp")));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| CALLS.with(|calls| calls.holds(bytes)));
