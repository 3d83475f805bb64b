//! Any bytes, opened as XML, edited, and undone.

#![no_main]

#[path = "../invariants/xml.rs"]
mod xml;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| xml::holds(bytes));
