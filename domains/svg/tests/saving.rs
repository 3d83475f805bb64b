//! Saves that a signal or the system interrupts.
#![cfg(unix)]

use crate::support::{PROGRAM, drawing};
use fcp::testing::Sample;

const OP: &str = "add rect id:new size:9x9 at:1,1";

#[test]
fn a_save_is_whole_when_the_server_is_asked_to_end() {
    let bytes = drawing(&format!("<desc>{}</desc>", "x".repeat(2_000_000)));
    let sample = Sample {
        name: "a.svg",
        bytes: &bytes,
        op: OP,
    };
    fcp::testing::saves_whole_at_signals(PROGRAM, sample);
}

#[test]
fn a_save_that_the_system_ends_keeps_the_old_file() {
    let large = drawing(&format!("<desc>{}</desc>", "x".repeat(500_000)));
    let small = drawing("");
    let sample = |name, bytes| Sample {
        name,
        bytes,
        op: OP,
    };
    fcp::testing::keeps_the_old_file_if_a_save_fails(
        PROGRAM,
        sample("a.svg", &large),
        sample("small.svg", &small),
    );
}
