//! Any bytes as choices that make a session with a song.

#![no_main]

use fcp::testing::fuzz::Sessions;
use fcp_midi::Song;

thread_local!(static SESSIONS: Sessions<Song> = Sessions::new());

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| SESSIONS.with(|sessions| sessions.holds(bytes)));
