//! Any bytes as choices that make a session with a drawing.

#![no_main]

use fcp::testing::fuzz::Sessions;
use fcp_svg::Drawing;

thread_local!(static SESSIONS: Sessions<Drawing> = Sessions::new());

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| SESSIONS.with(|sessions| sessions.holds(bytes)));
