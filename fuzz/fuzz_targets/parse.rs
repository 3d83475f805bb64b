//! Any bytes, read as text, through the op parser.

#![no_main]

#[path = "../invariants/op.rs"]
mod op;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| op::holds(&String::from_utf8_lossy(bytes)));
