//! `xtask conformance` in a separate process. Its findings about servers are tested with the
//! contract.

// Helpers of tests are not tests to clippy.
#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

fn judged(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("conformance")
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn programs_that_are_not_servers_fail() {
    let xtask = env!("CARGO_BIN_EXE_xtask");
    for (arguments, expected) in [
        (&["--", xtask, "parse"][..], "initialize"),
        (&["--", xtask, "tidy", "--no-such-flag"], "initialize"),
        (&["--", "no-such-program"], "no-such-program"),
        (&["--rows", "M1,X9", "--", xtask], "there is no row X9"),
        (&["--samples", "none.fcp", "--", xtask], "none.fcp"),
    ] {
        let output = judged(arguments);
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        assert!(log.contains(expected), "{arguments:?}: {log}");
    }
}
