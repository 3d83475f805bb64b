//! Any text as calls of a drawing's tools.

#![no_main]

use fcp::testing::fuzz::Calls;
use fcp_svg::Drawing;

thread_local!(static CALLS: Calls<Drawing> = Calls::new(include_str!("../invariants/svg.fcp")));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| CALLS.with(|calls| calls.holds(bytes)));
