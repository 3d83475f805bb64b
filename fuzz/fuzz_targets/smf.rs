//! Any bytes: they are refused, or open and come back byte for byte.

#![no_main]

#[path = "../invariants/smf.rs"]
mod smf;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(smf::holds(bytes)));
